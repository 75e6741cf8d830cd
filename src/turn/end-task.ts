/** Step 11 of a turn: the model calls nothing more, so the task is ending. Changes the turn; undefined to go on. */
import { checkCompletion, reminderText, type Unmet, unmetText } from "../policy/intent-guard/checks.ts";
import { traitsOf } from "../policy/traits.ts";
import type { Ended, Ending } from "./ending.ts";
import type { StepOffer } from "./offer-step.ts";
import type { Turn } from "./turn.ts";

export function endTask(turn: Turn, step: Ended, offer: StepOffer): Ending | undefined {
  const unmet = checkCompletion(turn.input.policy, turn.intents, new Set(turn.opened.succeeded));
  if (!unmet) return { kind: "answer", stopReason: "completed", step, calls: [] };
  if (mayRemind(turn, unmet, offer)) return remind(turn, step, unmet);
  return { kind: "stop", stopReason: "intent_execution_failed", finishReason: "stop", text: unmetText(unmet) };
}

/** Once a task, and only where the model has what it is reminded of. */
function mayRemind({ input, reminded, steps }: Turn, { intent, families }: Unmet, { offer }: StepOffer): boolean {
  const { policy } = input;
  if (reminded || steps >= policy.execution.maxSteps || !policy.intents.get(intent)?.families?.remind) return false;
  return [...offer.callable].some((name) => families.some((family) => traitsOf(policy, name).families.has(family)));
}

/** The model sees what it answered, and why that is no end. The client is told nothing of it. */
function remind(turn: Turn, { text }: Ended, unmet: Unmet): undefined {
  turn.reminded = true;
  const answered = text === "" ? [] : [{ role: "assistant", content: text }];
  // Not a system message: many providers take none in the middle of a conversation.
  turn.exchanges.push([...answered, { role: "user", content: reminderText(unmet) }]);
}
