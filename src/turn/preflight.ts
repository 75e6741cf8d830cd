/** Step 5 of a turn: what an intent cannot do without is out of reach, so the task ends before the model is called. */
import { checkPreflight, unreachableText } from "../policy/intent-guard/checks.ts";
import { permittedBy } from "../policy/traits.ts";
import type { Ending } from "./ending.ts";
import type { StepOffer } from "./offer-step.ts";
import type { Turn } from "./turn.ts";

/**
 * Asked where a task begins, and again where the handshake has selected: a continuation may come without the tools that
 * did their work already.
 */
export function preflight(turn: Turn, { offer }: StepOffer): Ending | undefined {
  if (!turn.preflightDue) return undefined;
  turn.preflightDue = false;
  const { policy } = turn.input;
  for (const name of turn.intents) {
    // As in `action` under this intent: a tool that it does not list is not within its reach.
    const { tools } = policy.intents.get(name) ?? {};
    const reachable = (family: string) =>
      offer.actionable.some((tool) => tool.families.has(family) && (tools === undefined || permittedBy(tools, tool)));
    const unmet = checkPreflight(policy, [name], reachable);
    if (!unmet) continue;
    return { kind: "stop", stopReason: "intent_execution_failed", finishReason: "stop", text: unreachableText(unmet) };
  }
  return undefined;
}
