/** Preflight and completion. Pure. Source: reference/intent-guard.md, 6.1 and 6.4. */
import type { CompiledPolicy } from "../compile.ts";

export interface Unmet {
  readonly intent: string;
  readonly families: readonly string[];
}

export function checkPreflight(
  policy: CompiledPolicy,
  intents: readonly string[],
  reachable: (family: string) => boolean,
): Unmet | undefined {
  for (const intent of intents) {
    const families = policy.intents.get(intent)?.families;
    if (!families?.noFallback) continue;
    const keys = families.requiredSuccess.length > 0 ? families.requiredSuccess : [...families.allowed];
    if (!keys.some(reachable)) return { intent, families: keys };
  }
  return undefined;
}

export function checkCompletion(
  policy: CompiledPolicy,
  intents: readonly string[],
  succeeded: ReadonlySet<string>,
): Unmet | undefined {
  for (const intent of intents) {
    const families = policy.intents.get(intent)?.families;
    if (!families?.failTaskIfUnmet || families.requiredSuccess.length === 0) continue;
    if (!families.requiredSuccess.some((family) => succeeded.has(family))) {
      return { intent, families: families.requiredSuccess };
    }
  }
  return undefined;
}

export const unreachableText = ({ intent, families }: Unmet): string =>
  `Toolgate stopped here: the intent ${intent} needs a tool of the family ${families.join(" or ")}, and none is within reach.`;
export const unmetText = ({ intent, families }: Unmet): string =>
  `Toolgate stopped here: the intent ${intent} requires that a tool of the family ${families.join(" or ")} succeeds, and none did.`;
export const reminderText = ({ intent, families }: Unmet): string =>
  `The task is not done: the intent ${intent} requires that a tool of the family ${families.join(" or ")} succeeds. Use one now.`;
