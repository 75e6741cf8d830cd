/**
 * `handshake.mustMatchDetected`: a model that has read somebody else's text may only select what the user's own words ask
 * for, or a web page could have it select whatever unlocks the tool that the page is after. Pure.
 */
import type { CompiledPolicy } from "./compile.ts";
import type { PolicyDocument } from "./document/document-schema.ts";

export interface MatchFacts {
  /** Detected in the user's words, with whatever confidence; without the fallback, which nobody's words ask for. */
  readonly detected: readonly string[];
  /** The intents that the task holds: to select one of them again unlocks nothing new. */
  readonly held: readonly string[];
  /** Untrusted text is, or was, in the conversation. */
  readonly untrusted: boolean;
}

/** @returns the intents that the handshake may select besides those that permit no tools; undefined for any. */
export function selectableIntents(
  policy: CompiledPolicy,
  { detected, held, untrusted }: MatchFacts,
): ReadonlySet<string> | undefined {
  const { mustMatchDetected } = policy.handshake;
  if (!mustMatch(policy) || (mustMatchDetected === "afterUntrusted" && !untrusted)) return undefined;
  return new Set([...detected, ...held]);
}

/** Whether untrusted text makes a difference to what may be selected. */
export const asksForTrust = (policy: CompiledPolicy): boolean =>
  policy.handshake.mustMatchDetected === "afterUntrusted" && mustMatch(policy);

/** Whether the rule is in force at all. */
export function mustMatch({ handshake, detection, intents }: CompiledPolicy): boolean {
  if (handshake.select === "off" || handshake.mustMatchDetected === "never") return false;
  return canDetect(detection.layers, intents.values());
}

interface Words {
  readonly keywords: readonly string[];
  readonly patterns: readonly string[];
  readonly examples: readonly string[];
}

/** A policy whose layers have nothing to go by detects nothing: a rule that asks for a match would only lock it up. */
export function canDetect(layers: PolicyDocument["detection"]["layers"], intents: Iterable<Words>): boolean {
  const asked = new Set(layers);
  if (asked.has("model")) return true;
  for (const { keywords, patterns, examples } of intents) {
    if (asked.has("keywords") && keywords.length > 0) return true;
    if (asked.has("patterns") && patterns.length > 0) return true;
    if (asked.has("semantic") && keywords.length + examples.length > 0) return true;
  }
  return false;
}
