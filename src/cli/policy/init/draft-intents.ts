/**
 * The intents of a drafted policy: one for each family of tools and each kind of effect, with the words by which users ask for it.
 * An intent holds no more than one kind of effect, so that who asks to find a mail has not asked to send one.
 */
import type { Effect } from "../../../policy/infer/effects.ts";
import type { InferredTool } from "../../../policy/infer/infer-tool.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import { nameWords } from "../../../policy/infer/name-words.ts";
import { spokenNouns } from "../../../policy/infer/nouns.ts";
import { verbOf } from "../../../policy/infer/verbs.ts";
import { exampleSentences, sentenceOf } from "./example-sentences.ts";
import { type IntentKind, kindOf, spokenVerbs } from "./intent-kinds.ts";

export interface DraftTool {
  readonly words: ToolWords;
  readonly inferred: InferredTool;
  readonly family: string;
}

export interface DraftIntent {
  readonly name: string;
  readonly why: string;
  readonly settings: {
    readonly description: string;
    readonly keywords: readonly string[];
    readonly patterns: readonly string[];
    readonly examples: readonly string[];
    readonly tools: readonly string[];
  };
}

const MAX_DESCRIPTION = 480;

export function draftIntents(tools: readonly DraftTool[]): readonly DraftIntent[] {
  const groups = new Map<string, { readonly family: string; readonly kind: IntentKind; readonly tools: DraftTool[] }>();
  for (const tool of tools) {
    const kind = kindOf(tool.inferred.effect);
    const name = `${tool.family}_${kind}`.toUpperCase().replace(/[^\p{L}\p{N}]+/gu, "_");
    const group = groups.get(name) ?? { family: tool.family, kind, tools: [] };
    group.tools.push(tool);
    groups.set(name, group);
  }
  const takenKeywords = new Set<string>();
  return [...groups].map(([name, { family, kind, tools }]) => {
    const nouns = nounsOf(family, tools);
    const verbs = unique([...tools.flatMap(ownVerbs), ...spokenVerbs(kind)]);
    const sentences = tools.map(({ words }) => sentenceOf(words));
    const keywords = unique(verbs.slice(0, 4).flatMap((verb) => nouns.slice(0, 3).map((noun) => `${verb} ${noun}`))).filter(
      (keyword) => !takenKeywords.has(keyword),
    );
    for (const keyword of keywords) takenKeywords.add(keyword);
    return {
      name,
      why: `${kind}: ${tools.length === 1 ? "one tool" : `${tools.length} tools`} of the family ${family}`,
      settings: {
        description: describe(sentences, nouns),
        keywords,
        patterns: patternsOf(verbs, nouns),
        examples: exampleSentences({ verbs, nouns, sentences, kind }),
        tools: [...(kind === "find" ? [] : ["category:read_only"]), ...tools.map(({ inferred }) => inferred.name)],
      },
    };
  });
}

const describe = (sentences: readonly string[], nouns: readonly string[]): string => {
  const text = `${unique(sentences).join("; ")} (${nouns.slice(0, 3).join(", ")})`;
  return text.length <= MAX_DESCRIPTION ? text : `${text.slice(0, MAX_DESCRIPTION).replace(/\s+\S*$/, "")} …`;
};

/** The verbs of the tools' names, which their own users may know. */
const ownVerbs = ({ words }: DraftTool): readonly string[] =>
  nameWords(words.name).slice(0, 1).filter((word) => verbOf(word) !== undefined);

function nounsOf(family: string, tools: readonly DraftTool[]): readonly string[] {
  const own = tools.flatMap(({ inferred }) => inferred.nouns.slice(0, 2));
  return unique([...spokenNouns(family).slice(0, 2), ...own, ...spokenNouns(family)]).filter((noun) => !/^\d/.test(noun)).slice(0, 10);
}

/** A verb and, within a few words, what it is done to. */
function patternsOf(verbs: readonly string[], nouns: readonly string[]): readonly string[] {
  const either = (words: readonly string[]) => words.map((word) => word.replace(/[^\p{L}\p{N}\s-]/gu, "").replace(/ /g, "\\s+")).join("|");
  return [`\\b(?:${either(verbs)})\\b(?:\\s+\\S+){0,5}?\\s+(?:${either(nouns)})s?\\b`];
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
export type { Effect };
