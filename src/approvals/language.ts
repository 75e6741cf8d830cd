/** The language in which a person is asked. Pure. */
import { scriptOf, scripts } from "../intent/lexical/script.ts";
import type { Language } from "./disclosure/disclosed.ts";

/** Of a long message; UTF-16 units. */
const LOOKED_AT = 4_000;

/**
 * `auto`: that of the user's message, by its script. Kana is Japanese's alone; Han without kana is read as Chinese; all
 * other writing gets English.
 */
export function languageOf(setting: "auto" | Language, userText: string): Language {
  if (setting !== "auto") return setting;
  let han = false;
  for (let at = 0; at < Math.min(userText.length, LOOKED_AT); at += 1) {
    const script = scriptOf(userText.charCodeAt(at));
    if (script === scripts.hiragana || script === scripts.katakana) return "ja";
    if (script === scripts.han) han = true;
  }
  return han ? "zh" : "en";
}
