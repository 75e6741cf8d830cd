/** The texts of a policy that the layer `semantic` learns from: the policy's own, no others. Pure. */
import { sha256Hex } from "../lib/digest.ts";
import type { CompiledPolicy } from "../policy/compile.ts";

export interface TrainingIntent {
  readonly name: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly examples: readonly string[];
}

export interface TrainingSet {
  readonly intents: readonly TrainingIntent[];
  /** Whose dictionaries are used, in one order. */
  readonly languages: CompiledPolicy["detection"]["languages"];
  /** Digest of these intents: policies that differ in tools alone share the trained model. */
  readonly digest: string;
}

const known = new WeakMap<CompiledPolicy, TrainingSet | undefined>();

/** Undefined if the policy does not have the layer, or has fewer than two intents to tell apart. */
export function trainingSetOf(policy: CompiledPolicy): TrainingSet | undefined {
  if (!known.has(policy)) known.set(policy, collect(policy));
  return known.get(policy);
}

function collect({ detection, intents }: CompiledPolicy): TrainingSet | undefined {
  if (!detection.layers.includes("semantic")) return undefined;
  const chosen = [...intents.values()]
    .filter((intent) => intent.name !== detection.fallback || intent.examples.length > 0)
    .filter(({ description, keywords, examples }) => description !== "" || keywords.length > 0 || examples.length > 0)
    .map(({ name, description, keywords, examples }) => ({ name, description, keywords, examples }));
  if (chosen.length < 2) return undefined;
  const languages = [...new Set(detection.languages)].sort();
  return { intents: chosen, languages, digest: sha256Hex(JSON.stringify(chosen)) };
}
