/** Step 5 of a turn: what an intent cannot do without is out of reach, so the task ends before the model is called. */
import { reachableFamilies } from "../../policy/intent-guard/reachable.ts";
import { preflightText } from "../../policy/intent-guard/texts.ts";
import { checkPreflight } from "../../policy/intent-guard/unmet.ts";
import type { Ending } from "../ending.ts";
import type { Turn } from "../turn.ts";
import { recordPreflight } from "../turn-log.ts";
import { missingLinks } from "./missing-links.ts";
import type { StepOffer } from "./offer-step.ts";
import { unmetEnding } from "./unmet-ending.ts";

/**
 * Asked where a task begins, and again where the handshake has selected: a continuation may come without the tools that
 * did their work already.
 */
export function preflight(turn: Turn, { facts, offer }: StepOffer): Ending | undefined {
  if (!turn.log.preflightDue) return undefined;
  recordPreflight(turn.log);
  const { policy } = turn.input;
  // Reckoned only where an intent asks: few do.
  let reachable: ((family: string) => boolean) | undefined;
  const unmet = checkPreflight(policy, turn.log.intents, (family) => {
    reachable ??= reachableFamilies(policy, facts, turn.tools, turn.input.work);
    return reachable(family);
  });
  // What can be linked is the better advice.
  return missingLinks(turn, offer) ?? (unmet && unmetEnding(turn, unmet, preflightText(unmet)));
}
