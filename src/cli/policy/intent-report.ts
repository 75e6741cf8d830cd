/** The report of `policy check` on intents: which layer finds their own examples, and which keywords match everyday talk. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compileLexical, findLexical, type Lexical } from "../../intent/lexical/lexical.ts";
import { heldOutShares } from "../../intent/semantic/train.ts";
import { trainingSetOf } from "../../intent/training-set.ts";
import { workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { trainingAssets } from "../models/trained-model.ts";
import { root } from "../settings.ts";

export interface IntentReport {
  readonly intent: string;
  readonly examples: number;
  /** Shares of the intent's own examples that each layer finds; `trained` by a model that has not seen the example. */
  readonly found: { readonly keywords: number; readonly patterns: number; readonly trained: number | null };
  /** Keywords that occur in sentences that ask for nothing of this kind, the most frequent first. */
  readonly inPassing: readonly { readonly keyword: string; readonly sentences: number }[];
}

/** Sentences that have nothing to do with any policy. They come with the tests: undefined if these are missing. */
function everydaySentences(): readonly string[] | undefined {
  const path = join(root, "test/fixtures/everyday-sentences.jsonl");
  if (!existsSync(path)) return undefined;
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => (JSON.parse(line) as { text: string }).text);
}

/** Empty if no intent has an example. Takes some seconds. */
export async function reportIntents(policy: CompiledPolicy): Promise<readonly IntentReport[]> {
  const intents = [...policy.intents.values()].filter(({ examples }) => examples.length > 0);
  if (intents.length === 0) return [];
  const lexical = compileLexical(policy);
  const trained = await foundByTrained(policy);
  const passing = keywordsInPassing(lexical);
  return intents.map(({ name, examples }) => {
    const share = (layer: "keywords" | "patterns") =>
      examples.filter((example) => findsBy(lexical, example, name, layer)).length / examples.length;
    return {
      intent: name,
      examples: examples.length,
      found: { keywords: share("keywords"), patterns: share("patterns"), trained: trained?.get(name) ?? null },
      inPassing: passing.get(name) ?? [],
    };
  });
}

const findsBy = (lexical: Lexical, text: string, name: string, layer: "keywords" | "patterns"): boolean =>
  findLexical(lexical, text, workBudget()).intents.some(
    (intent) =>
      intent.name === name && intent.evidence.some((one) => one.layer === layer && one.discounted === undefined),
  );

/** By intent. Undefined if the policy has no trained layer. */
async function foundByTrained(policy: CompiledPolicy): Promise<ReadonlyMap<string, number> | undefined> {
  const set = trainingSetOf(policy);
  if (!set) return undefined;
  const { vectors, talk } = await trainingAssets(set.languages);
  return heldOutShares(set.intents, vectors, talk);
}

function keywordsInPassing(lexical: Lexical): ReadonlyMap<string, IntentReport["inPassing"]> {
  const counts = new Map<string, Map<string, number>>();
  for (const text of everydaySentences() ?? []) {
    for (const { name, evidence } of findLexical(lexical, text, workBudget()).intents) {
      const words = evidence.filter((one) => one.layer === "keywords" && one.discounted === undefined);
      const ofIntent = counts.get(name) ?? new Map<string, number>();
      for (const word of new Set(words.map(({ source }) => source))) ofIntent.set(word, (ofIntent.get(word) ?? 0) + 1);
      counts.set(name, ofIntent);
    }
  }
  return new Map(
    [...counts].map(([name, words]) => [
      name,
      [...words].sort((one, other) => other[1] - one[1]).map(([keyword, sentences]) => ({ keyword, sentences })),
    ]),
  );
}

/** One line for each intent. */
export function reportText({ intent, examples, found, inPassing }: IntentReport): string {
  const percent = (share: number | null) => (share === null ? "–" : `${Math.round(100 * share)} %`);
  const layers = `keywords ${percent(found.keywords)}, patterns ${percent(found.patterns)}, trained ${percent(found.trained)}`;
  const passing = inPassing.slice(0, 3).map(({ keyword, sentences }) => `"${keyword}" ${sentences}`);
  const talk = passing.length > 0 ? `; in everyday talk: ${passing.join(", ")}` : "";
  return `${intent}: of its own ${examples} examples found by ${layers}${talk}`;
}
