/** Plain sentences by which users may ask for the tools of an intent. */
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import { nameWords } from "../../../policy/infer/name-words.ts";
import { verbOf } from "../../../policy/infer/verbs.ts";
import type { DraftTool } from "./draft-intents.ts";
import type { IntentKind } from "./intent-kinds.ts";
import { actsOf, thingsOf } from "./phrases/acts.ts";
import { languages, sentencesFor } from "./phrases/phrases.ts";

const MAX_WORDS = 14;

/** What the tool does, as a wish: "Sends an email with the given `body`" becomes "send an email". */
export function sentenceOf({ name, description = "" }: ToolWords): string {
  const first =
    description
      .split(/[.!?;\n。]/)[0]
      ?.replace(/[`"]/g, "")
      .trim() ?? "";
  const words = first.split(/\s+/).filter(Boolean);
  const cut = words.findIndex((word, at) => at > 2 && /^(?:with|given|using|by|that|which|e\.g|,)$/i.test(word));
  const kept = words
    .slice(0, Math.min(cut < 0 ? words.length : cut, MAX_WORDS))
    .join(" ")
    .replace(/[,(:]+$/, "");
  const text = kept === "" ? nameWords(name).join(" ") : kept;
  const [head = "", ...others] = text.split(" ");
  const verb = verbOf(head.toLowerCase());
  return [verb && verb.form === "third" ? verb.verb : head.toLowerCase(), ...others].join(" ");
}

/** Of each language; a fifth tool of one intent says little that four others do not. */
const MOST = 60;

/** In English, what each tool's description says, and how people ask for it; then in the other languages. */
export function exampleSentences(tools: readonly DraftTool[], kind: IntentKind): readonly string[] {
  const described = tools.slice(0, 6).flatMap(({ words }) => {
    const sentence = sentenceOf(words);
    return [sentence, `can you ${sentence}?`];
  });
  const asked = tools.map((tool) => ({ acts: actsOf(tool, kind), things: thingsOf(tool) }));
  const found = languages.flatMap((language) => {
    const ofTools = asked.map(({ acts, things }) => acts.flatMap((act) => sentencesFor(act, things, language)));
    return unique([...(language === "en" ? described : []), ...inTurn(ofTools)]).slice(0, MOST);
  });
  return found.map((text) => text.slice(0, 200));
}

/** The first of each list, then the second of each: the tools of an intent have their share where not all sentences fit. */
function inTurn(lists: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
