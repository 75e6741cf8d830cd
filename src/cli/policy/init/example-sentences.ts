/** Plain sentences by which users may ask for the tools of an intent. */
import { unique } from "../../../lib/unique.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import { nameWords } from "../../../policy/infer/name-words.ts";
import { verbOf } from "../../../policy/infer/verbs.ts";
import type { DraftTool, IntentKind } from "./intent-kinds.ts";
import { actsOf, thingsOf } from "./phrases/acts.ts";
import { languages, sentencesFor } from "./phrases/phrases.ts";

const MAX_WORDS = 14;

/** The tool's description as a wish: "Sends an email with the given `body`" becomes "send an email". */
export function sentenceOf({ name, description = "" }: ToolWords): string {
  const first =
    description
      .replace(ASIDES, " ")
      .split(/[.!?;\n。]/)[0]
      ?.replace(/[`"]/g, "")
      .replace(LEAD, "")
      .trim() ?? "";
  const words = first.split(/\s+/).filter(Boolean);
  const cut = words.findIndex(
    (word, at) => at > 2 && /^(?:with|given|using|by|that|which|optionally|e\.g|,)$/i.test(word),
  );
  const kept = words
    .slice(0, Math.min(cut < 0 ? words.length : cut, MAX_WORDS))
    .join(" ")
    .replace(CUT_OFF, "")
    .replace(/[,(:]+$/, "");
  const text = kept === "" ? nameWords(name).join(" ") : kept;
  const [head = "", ...others] = text.split(" ");
  const verb = verbOf(head.toLowerCase());
  return [verb && verb.form === "third" ? verb.verb : head.toLowerCase(), ...others].join(" ");
}

/** "A resource (e.g., a deployment)": its full stops end no sentence. */
const ASIDES = /\s*\((?:e\.g|i\.e|such as|like)[^)]*\)?|\s*\b(?:e\.g|i\.e)\.[^.;\n]*/gi;
/** "This tool will create a customer" is no wish: "create a customer" is. */
const LEAD =
  /^(?:this|the) (?:tool|function|endpoint|api)(?: (?:will|can|is used to|allows you to|lets you|is for))? /i;

/** Words that begin a part which was cut off: "orders, filtered" by status. */
const CUT_OFF = /[,(]?\s+(?:optionally|filtered|sorted|ordered|limited|grouped|identified|specified|based|and|or)$/i;

/** Sentences in each language. A fifth tool of an intent adds little to four others. */
const MOST = 48;

/** In English, what each tool's description says, and how people ask for it; then in the other languages. */
export function exampleSentences(tools: readonly DraftTool[], kind: IntentKind): readonly string[] {
  const described = tools.slice(0, 6).flatMap(({ words }) => {
    const sentence = sentenceOf(words);
    return [sentence, `can you ${sentence}?`];
  });
  const wanted = tools.map((tool) => ({ acts: actsOf(tool, kind), things: thingsOf(tool) }));
  const found = languages.flatMap((language) => {
    const ofTools = wanted.map(({ acts, things }) => acts.flatMap((act) => sentencesFor(act, things, language)));
    return unique([...(language === "en" ? described : []), ...inTurn(ofTools)]).slice(0, MOST);
  });
  return found.map((text) => text.slice(0, 200));
}

/** Verbs of the tools and their objects, in English, for acts that the sentences of `phrases` do not cover. */
export function plainSentences(verbs: readonly string[], nouns: readonly string[]): readonly string[] {
  const acts = verbs
    .slice(0, 4)
    .flatMap((verb) => nouns.slice(0, 4).flatMap((noun) => (noun === verb ? [] : [`${verb} the ${noun}`])));
  return acts.map((act, at) => (PLAIN[at % PLAIN.length] ?? "").replace("{act}", act));
}
const PLAIN = ["{act}", "please {act}", "can you {act}?", "I need you to {act}", "could you {act} for me?"];

/** An intent with fewer gets plain sentences as well. */
const FEWEST = 16;

/** Without sentences that two intents would share: "how is A17 doing?" says of neither that it is meant. */
export function distinctSentences(
  intents: readonly { readonly sentences: readonly string[]; readonly others: readonly string[] }[],
): readonly (readonly string[])[] {
  const counts = new Map<string, number>();
  for (const sentence of intents.flatMap(({ sentences }) => sentences))
    counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  return intents.map(({ sentences, others }) => {
    const own = sentences.filter((sentence) => counts.get(sentence) === 1);
    const further = others.filter((sentence) => !counts.has(sentence));
    return [...own, ...further.slice(0, Math.max(0, FEWEST - own.length))];
  });
}

/** The first of each list, then the second of each: each tool of an intent has its share if not all sentences fit. */
function inTurn(lists: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}
