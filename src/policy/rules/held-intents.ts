/**
 * What the intents held say of a tool. Pure.
 *
 * With several intents their permissions are united, intent by intent: a tool must pass the tools *and* the families of
 * one of them. Judged apart, the tools of one and the families of another could together permit what neither does.
 * An intent that the policy does not know (it was there when the task began) permits nothing.
 */
import type { CompiledPolicy } from "../compile.ts";
import type { Facts } from "../facts.ts";
import { type CompiledIntent, type FamilyVerdict, judgeFamilies } from "../intents.ts";
import { permittedBy, type ToolTraits } from "../traits.ts";
import { needsNoIntent, type Subject } from "./subject.ts";

/** Narrowing is of the state `action`; where `handshake.select` is `off` there may be no intent to narrow by. */
export function isNarrowed(subject: Subject): boolean {
  return subject.facts.state === "action" && subject.facts.intents.length > 0 && !needsNoIntent(subject);
}

/** The intents held whose tools the tool is among. */
export function permittingIntents(policy: CompiledPolicy, facts: Facts, traits: ToolTraits): readonly CompiledIntent[] {
  return facts.intents.flatMap((name) => {
    const intent = policy.intents.get(name);
    return intent && (intent.tools === undefined || permittedBy(intent.tools, traits)) ? [intent] : [];
  });
}

export interface FamilyStanding {
  readonly verdict: FamilyVerdict;
  /** For `soft`: the intents that say so, and the most uses that one of them permits. */
  readonly intents: readonly string[];
  readonly max: number;
}

/** The most permissive of the intents decides. */
export function familyStanding(intents: readonly CompiledIntent[], traits: ToolTraits): FamilyStanding {
  const judged = intents.map((intent) => ({ intent, verdict: judgeFamilies(intent, traits) }));
  if (judged.some((one) => one.verdict === "allowed")) return { verdict: "allowed", intents: [], max: 0 };
  const soft = judged.filter((one) => one.verdict === "soft").map((one) => one.intent);
  if (soft.length === 0) return { verdict: "blocked", intents: intents.map((intent) => intent.name), max: 0 };
  const max = Math.max(...soft.map((intent) => intent.families?.softBlockAfter ?? 0));
  return { verdict: "soft", intents: soft.map((intent) => intent.name), max };
}
