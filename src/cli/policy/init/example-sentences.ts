/** Plain sentences by which users may ask for a tool, made of its description and of verbs and nouns. */
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import { nameWords } from "../../../policy/infer/name-words.ts";
import { verbOf } from "../../../policy/infer/verbs.ts";
import type { IntentKind } from "./intent-kinds.ts";

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

interface Words {
  readonly verbs: readonly string[];
  readonly nouns: readonly string[];
  /** From `sentenceOf`. */
  readonly sentences: readonly string[];
  readonly kind: IntentKind;
}

const frames = [
  (act: string) => act,
  (act: string) => `please ${act}`,
  (act: string) => `can you ${act} for me?`,
  (act: string) => `I want you to ${act}`,
  (act: string) => `could you ${act} today`,
  (act: string) => `I need to ${act}`,
  (act: string) => `${act} as soon as possible`,
  (act: string) => `would you ${act}, thanks`,
];

const objects: Readonly<Record<IntentKind, readonly string[]>> = {
  find: [
    "my {n}s",
    "the {n} from last week",
    "all {n}s about the project",
    "the latest {n}",
    "the {n} of Anna",
    "any {n} for tomorrow",
  ],
  open: ["this {n}", "the {n} at example.com", "the {n} that I sent you", "that {n}", "the {n} of the conference"],
  create: [
    "a new {n}",
    "a {n} for Friday",
    "a {n} called plans",
    "another {n}",
    "a {n} with my list",
    "the {n} we talked about",
  ],
  change: ["my {n}", "the {n} to next Tuesday", "the name of the {n}", "this {n}", "the {n} of last month"],
  remove: ["the {n}", "that {n}", "my old {n}", "the {n} about the party", "every {n} from May", "this {n} for me"],
  send: [
    "a {n} to Anna",
    "the {n} to my colleague",
    "a {n} about the meeting",
    "a {n} saying thank you",
    "this {n} with Peter",
  ],
  publish: ["a {n}", "a {n} about the trip", "this {n} for everyone", "a {n} saying thank you"],
  pay: [
    "the {n}",
    "100 to my friend for the {n}",
    "a {n} for two",
    "my {n} of this month",
    "a {n} for next weekend",
    "for the {n}",
  ],
  access: ["my {n}", "the {n} of Anna", "a new {n}", "the {n} for the team", "the {n} to something else"],
  run: ["the {n}", "this {n}", "the {n} again", "the {n} now", "a {n} for the tests"],
};

const MOST = 40;

/** At least twelve, each once; different verbs, nouns and frames in turn. */
export function exampleSentences({ verbs, nouns, sentences, kind }: Words): readonly string[] {
  const found = new Set<string>();
  sentences.slice(0, 12).forEach((sentence, index) => {
    found.add(frames[index % 2]?.(sentence) ?? sentence);
    found.add(frames[2 + (index % 4)]?.(sentence) ?? sentence);
  });
  const acts = objects[kind];
  for (let turn = 0; turn < 60 && found.size < MOST; turn += 1) {
    const verb = verbs[turn % verbs.length] ?? "";
    const noun = nouns[(turn * 3 + Math.floor(turn / verbs.length)) % nouns.length] ?? "";
    const act = `${verb} ${(acts[turn % acts.length] ?? "{n}").replace("{n}", noun)}`;
    found.add(frames[turn % frames.length]?.(act) ?? act);
  }
  return [...found].map((text) => text.slice(0, 200));
}
