/**
 * The two checks of Intent Guard that are about the task, not about a call. Pure. Source: reference/intent-guard.md, 6.1
 * and 6.4. Each held intent must be met: one intent's tools do not
 * replace another's. The first unmet one is reported, in the task's order.
 */

import type { WorkBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../compile.ts";
import type { Facts, ToolDefinition } from "../facts.ts";
import { type IntentFamilies, keyFamilies } from "../intents.ts";
import { offerTools } from "../offer.ts";
import { list, quote } from "../reason-texts.ts";
import { traitsOf } from "../traits.ts";

/** The families that an intent needs and does not have. */
export interface UnmetRequirement {
  readonly intent: string;
  /** One of them is needed. */
  readonly families: readonly string[];
}

/**
 * Before the task begins: an intent without fallback whose key families are all out of reach.
 * @param reachable whether some tool of the family could be used once the intents are held: `reachableFamilies` below.
 */
export function checkPreflight(
  policy: CompiledPolicy,
  intents: readonly string[],
  reachable: (family: string) => boolean,
): UnmetRequirement | undefined {
  return firstUnmet(policy, intents, (families) => {
    const key = keyFamilies(families);
    return families.noFallback && !key.some(reachable) ? key : undefined;
  });
}

/**
 * At the end of the task: an intent that must not end before a required family succeeded.
 * @param succeeded the families of the tools that succeeded in this task.
 */
export function checkCompletion(
  policy: CompiledPolicy,
  intents: readonly string[],
  succeeded: ReadonlySet<string>,
): UnmetRequirement | undefined {
  return firstUnmet(policy, intents, ({ failTaskIfUnmet, requiredSuccessFamilies: required }) => {
    const met = required.length === 0 || required.some((family) => succeeded.has(family));
    return failTaskIfUnmet && !met ? required : undefined;
  });
}

/** Whether the model hears once what is missing before the task fails for it. */
export function mayRemind(policy: CompiledPolicy, unmet: UnmetRequirement): boolean {
  return policy.intents.get(unmet.intent)?.families?.remind === true;
}

/** An intent that the policy does not know any more demands nothing: it permits nothing either. */
function firstUnmet(
  policy: CompiledPolicy,
  intents: readonly string[],
  missing: (families: IntentFamilies) => readonly string[] | undefined,
): UnmetRequirement | undefined {
  for (const intent of intents) {
    const families = policy.intents.get(intent)?.families;
    const lacks = families && missing(families);
    if (lacks) return { intent, families: lacks };
  }
  return undefined;
}

/**
 * The families of the tools that the same rules would offer in the state `action` under the intents held. Counted rules
 * do not count: a tool whose limit is used up now is not missing. Nor is one that waits for another tool.
 * @param facts of the turn; whatever its state, it is judged as in `action`.
 */
export function reachableFamilies(
  policy: CompiledPolicy,
  facts: Facts,
  tools: readonly ToolDefinition[],
  work: WorkBudget,
): (family: string) => boolean {
  const { offered } = offerTools(policy, { ...facts, state: "action", history: undefined }, tools, work);
  const families = new Set(offered.flatMap(({ name }) => [...traitsOf(policy, name).families]));
  return (family) => families.has(family);
}

/** For the model, once, before the task fails. It names no tool: the offer does. */
export function reminderForModel({ intent, families }: UnmetRequirement): string {
  return `intent_unmet: the task is not done. ${quote(intent)} requires a successful call of a tool of ${ofFamily(families)}, and there was none. Make that call now; if it cannot be made, say so and why`;
}

/** For the log and the record. */
export function unmetForLog({ intent, families }: UnmetRequirement): string {
  return `intent ${quote(intent)} without ${ofFamily(families)}`;
}

const ofFamily = (families: readonly string[]): string =>
  families.length === 1 ? `the family ${list(families)}` : `one of the families ${list(families)}`;
