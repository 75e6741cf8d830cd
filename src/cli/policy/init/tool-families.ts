/** The family of each tool of a list: what it is about. Pure. */
import { argumentsOf } from "../../../policy/infer/arguments.ts";
import type { InferredEffect } from "../../../policy/infer/effects.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import { type InferredTool, inferTool } from "../../../policy/infer/infer-tool.ts";
import { headOf } from "../../../policy/infer/name-evidence.ts";
import { nameWords, singular } from "../../../policy/infer/name-words.ts";
import { familyOfNoun, meansAnother } from "../../../policy/infer/nouns.ts";
import { isGesture } from "../../../policy/infer/reviewed-words.ts";
import { verbOf } from "../../../policy/infer/verbs.ts";
import type { DraftTool } from "./intent-kinds.ts";

/** Fewer tools may share their object. */
const FEWEST = 3;

/**
 * The first word of most names, which is the toolkit's or the server's: `slack_post_message`, `HassTurnOn`. It is no verb, and if some
 * tools lack it, it is no noun that says what the others are about.
 */
function toolkitOf(names: readonly (readonly string[])[]): string | undefined {
  const counts = new Map<string, number>();
  for (const [first = "", ...others] of names) if (others.length > 0) counts.set(first, (counts.get(first) ?? 0) + 1);
  const [word = "", count = 0] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [];
  const isFamily = familyOfNoun(singular(word)) !== undefined && count < names.length;
  return count < Math.max(FEWEST, names.length / 2) || verbOf(word) !== undefined || isFamily ? undefined : word;
}

/** How many words begin all names. Each name keeps one. */
function sharedWords(names: readonly (readonly string[])[]): number {
  const [first = []] = names;
  const isShared = (word: string, at: number) =>
    verbOf(word) === undefined && names.every((words) => words[at] === word && words.length > at + 1);
  const end = first.findIndex((word, at) => !isShared(word, at));
  return names.length < FEWEST ? 0 : Math.max(0, end);
}

const BULK: ReadonlySet<string> = new Set(["batch", "bulk", "multi", "mass"]);

/** Each tool without what its name begins with as most of the others do. */
function withoutToolkit(named: readonly ToolWords[]): readonly { readonly words: ToolWords; readonly name: string }[] {
  const names = named.map(({ name }) => nameWords(name));
  const shared = sharedWords(names);
  const toolkit = shared > 0 ? undefined : toolkitOf(names);
  return named.map((tool, at) => {
    const words = names[at] ?? [];
    const begin = shared > 0 ? shared : words[0] === toolkit && words.length > 1 ? 1 : 0;
    // `batch_update_objects` updates.
    const start = BULK.has(words[begin] ?? "") && verbOf(words[begin + 1] ?? "") !== undefined ? begin + 1 : begin;
    return { name: tool.name, words: start === 0 ? tool : { ...tool, name: words.slice(start).join("_") } };
  });
}

/**
 * The likeliest noun of a known family, unless only the description has it and several tools are called after another noun. Of unknown
 * nouns, the one that most of the neighbours share.
 */
export function withFamilies(named: readonly ToolWords[]): readonly DraftTool[] {
  const inferredTools = withoutToolkit(named).map(({ words, name }) => ({
    words,
    inferred: { ...inferTool(words, { believesReaders: true }), name },
  }));
  const counts = new Map<string, number>();
  for (const noun of inferredTools.flatMap((one) => one.inferred.nouns)) counts.set(noun, (counts.get(noun) ?? 0) + 1);
  const countOf = (noun: string) => counts.get(noun) ?? 0;
  return inferredTools.map(({ words, inferred }) => {
    const known = inferred.nouns.filter((noun) => isKnown(noun, inferred));
    const own = new Set(nameWords(words.name).map(singular));
    const nouns = inferred.nouns.filter((noun) => noun !== verbIn(words));
    const named = nouns.filter((noun) => own.has(noun));
    const called = named.find((noun) => countOf(noun) > 1 && familyOfNoun(noun) === undefined);
    const noun = known.find((one) => own.has(one)) ?? called ?? known[0];
    const shared = nouns.toSorted((one, other) => countOf(other) - countOf(one))[0];
    if (isGesture(words)) return { words, inferred, family: "web" };
    const isOwnName = noun !== undefined && own.has(noun) && named.includes(noun) && isCalledAfter(noun, inferredTools);
    return { words, inferred, family: (isOwnName ? noun : noun && familyOfNoun(noun)) ?? noun ?? shared ?? "general" };
  });
}

const WRITES: ReadonlySet<InferredEffect> = new Set<InferredEffect>(["create", "change", "destroy", "note"]);
/** Nouns of a family that are a family of their own if the list has nothing else of that family. */
const GIT = /\b(?:repo|repository|repositories|git|github|gitlab|commits?|pull)\b/;

/** A page that the same tools write is no page of the web, and a branch without a repository is one of a database. */
function isCalledAfter(noun: string, tools: readonly { readonly words: ToolWords; readonly inferred: InferredTool }[]) {
  const namesOf = ({ words }: { readonly words: ToolWords }) => nameWords(words.name).map(singular);
  if (noun === "page") return tools.some((tool) => WRITES.has(tool.inferred.effect) && namesOf(tool).includes(noun));
  if (familyOfNoun(noun) !== "repository") return false;
  return !tools.some((tool) => GIT.test(namesOf(tool).join(" ")));
}

/** `reactions_add`: the verb, and no noun of the name. */
function verbIn({ name, parameters }: ToolWords): string | undefined {
  const words = nameWords(name);
  return words[headOf(words, argumentsOf(parameters).length > 0)];
}

const isKnown = (noun: string, { effect }: InferredTool): boolean =>
  familyOfNoun(noun) !== undefined && !meansAnother(noun, effect);
