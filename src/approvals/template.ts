/** The policy's own words for a call: `{{name}}` or `{{a.b}}` stands for an argument. Pure. */
import { valueAt } from "../policy/json-path.ts";
import type { Language } from "./disclosed.ts";
import { plainLine } from "./plain-line.ts";
import { valueInSentence } from "./shown-value.ts";

/** A text, or one for each language. */
export type LocalText = string | { readonly [language in Language]?: string | undefined };

const place = /\{\{\s*([^{}\s]{1,200})\s*\}\}/g;
const MAX_SENTENCE = 1_000;

/** In this language, else in English, else in any that there is. */
export function localText(text: LocalText | undefined, language: Language): string | undefined {
  if (typeof text !== "object") return text;
  return text[language] ?? text.en ?? Object.values(text).find((one) => one !== undefined);
}

/** The names of the arguments that a template stands on, each as a path. */
export function placesOf(text: LocalText): string[] {
  const texts = typeof text === "string" ? [text] : Object.values(text);
  return [...new Set(texts.flatMap((one) => [...(one ?? "").matchAll(place)].map(([, path = ""]) => path)))];
}

/** @param args redacted. A name that no argument has stays as it is written. */
export function fillTemplate(text: string, args: Readonly<Record<string, unknown>>): string {
  const filled = text.replace(place, (written, path: string) => {
    const value = valueAt(args, [path]) ?? valueAt(args, path.split("."));
    return value === undefined ? written : valueInSentence(value);
  });
  return plainLine(filled, MAX_SENTENCE);
}

/** The question that a template ends with, where it holds no argument: then it is asked in place of the usual one. */
export function splitQuestion(text: string): { readonly statement: string; readonly question: string | undefined } {
  const trimmed = text.trim();
  const found = /^(.*(?:[.!…:]\s|[。！：]\s*|\n))([^{}.!。！\n]{1,100}[?？])$/s.exec(trimmed);
  const [, statement = "", question = ""] = found ?? [];
  return question.trim() === "" || statement.trim() === ""
    ? { statement: trimmed, question: undefined }
    : { statement: statement.trim(), question: plainLine(question, 100) };
}
