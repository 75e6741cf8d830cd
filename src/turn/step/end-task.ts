/** Step 11 of a turn: the model calls nothing more, so the task is ending. Changes the turn; undefined to go on. */
import { completionText, reminderForModel } from "../../policy/intent-guard/texts.ts";
import { checkCompletion, mayRemind, type Unmet } from "../../policy/intent-guard/unmet.ts";
import type { Reason } from "../../policy/reasons.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { Ended, Ending } from "../ending.ts";
import type { StepOffer } from "../offer/offer-step.ts";
import { unmetEnding } from "../offer/unmet-ending.ts";
import type { Turn } from "../turn.ts";
import { recordReminder } from "../turn-log.ts";

export function endTask(turn: Turn, step: Ended, offer: StepOffer): Ending | undefined {
  const unmet = checkCompletion(turn.input.policy, turn.log.intents, turn.log.succeeded);
  if (!unmet) return { kind: "answer", stopReason: "completed", step, calls: [] };
  if (isWorthReminding(turn, unmet, offer)) return remind(turn, step, unmet);
  return unmetEnding(turn, unmet, completionText(unmet));
}

/** Once a task, and only where the model has what it is reminded of. */
function isWorthReminding(
  { input, log: { reminded, steps, decisions } }: Turn,
  unmet: Unmet,
  { offer }: StepOffer,
): boolean {
  const { policy } = input;
  if (reminded || steps >= policy.execution.maxSteps || !mayRemind(policy, unmet)) return false;
  const helps = (name: string) => unmet.families.some((family) => traitsOf(policy, name).families.has(family));
  // The person would be asked once more for what they have just refused.
  const refused = decisions.some(({ tool, reasons }) => helps(tool) && reasons.some(isPersonsNo));
  if (refused) return false;
  return [...offer.callable].some(helps);
}

const isPersonsNo = ({ code }: Reason): boolean => code === "approval_denied";

/** The model sees what it answered, and why that is no end. The client is told nothing of it. */
function remind(turn: Turn, { text }: Ended, unmet: Unmet): undefined {
  const answered = text === "" ? [] : [{ role: "assistant", content: text }];
  // Not a system message: many providers take none in the middle of a conversation.
  recordReminder(turn.log, [...answered, { role: "user", content: reminderForModel(unmet) }]);
}
