/**
 * The two checks of Intent Guard that are about the task, not about a call. Pure. Source: reference/intent-guard.md, 6.1
 * and 6.4. With several intents held, each must be met: what one intent's tools do is no substitute for another's, and
 * the first that is not met is told, in the order in which they are held.
 */
import type { CompiledPolicy } from "../compile.ts";
import type { IntentFamilies } from "../intents.ts";

/** What an intent needs and does not have. */
export interface Unmet {
  readonly intent: string;
  /** One of them is needed. */
  readonly families: readonly string[];
}

/** The families that an intent cannot do without: those required, or those allowed where none is. */
export function keyFamilies({ requiredSuccessFamilies, allowedFamilies }: IntentFamilies): readonly string[] {
  return requiredSuccessFamilies.length > 0 ? requiredSuccessFamilies : allowedFamilies;
}

/**
 * Before the task begins: an intent without fallback whose key families are all out of reach.
 * @param reachable whether some tool of the family could be used once the intents are held; see `reachable.ts`.
 */
export function checkPreflight(
  policy: CompiledPolicy,
  intents: readonly string[],
  reachable: (family: string) => boolean,
): Unmet | undefined {
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
): Unmet | undefined {
  return firstUnmet(policy, intents, ({ failTaskIfUnmet, requiredSuccessFamilies: required }) => {
    const met = required.length === 0 || required.some((family) => succeeded.has(family));
    return failTaskIfUnmet && !met ? required : undefined;
  });
}

/** Whether the model is told once what is missing before the task fails for it. */
export function mayRemind(policy: CompiledPolicy, unmet: Unmet): boolean {
  return policy.intents.get(unmet.intent)?.families?.remind === true;
}

/** An intent that the policy does not know any more demands nothing: it permits nothing either. */
function firstUnmet(
  policy: CompiledPolicy,
  intents: readonly string[],
  missing: (families: IntentFamilies) => readonly string[] | undefined,
): Unmet | undefined {
  for (const intent of intents) {
    const families = policy.intents.get(intent)?.families;
    const lacks = families && missing(families);
    if (lacks) return { intent, families: lacks };
  }
  return undefined;
}
