/** Step 7 of a turn: one call of the model, whose words go straight to the reply. */
import type { StepOutcome } from "../../ports/model-port.ts";
import type { Reply } from "../../ports/reply-port.ts";
import type { ChatRequest } from "../../wire/chat-request.ts";
import { estimateSaved, type StepOffer, stepRequest } from "../offer/offer-step.ts";
import { sayNotice } from "../runs/unasked-lines.ts";
import type { Turn, TurnDeps } from "../turn.ts";
import { recordOffered, recordStep, recordStepResult } from "../turn-log.ts";
import { spacedWords } from "./spaced-words.ts";

export async function modelStep(deps: TurnDeps, turn: Turn, reply: Reply, step: StepOffer): Promise<StepOutcome> {
  const { watch } = deps;
  const request = stepRequest(turn, step, reply.envelope, watch?.stepBegan());
  recordStep(turn.log, estimateSaved(turn, step));
  recordOffered(turn.log, step.offer.offered);
  const outcome = await deps.model.step(request, spacedWords(turn, reply), (head) => {
    watch?.stepHead(head);
    reply.head(head);
    // Not before: an upstream that refuses answers with its own status.
    sayNotice(turn, reply);
  });
  watch?.stepEnded(outcome);
  const result = withinBounds(outcome);
  if (result.kind === "ended") recordStepResult(turn.log, result, sendsEachStep(turn.input.request));
  return result;
}

/** Of a body, and in JSON mode, only the last step's words reach the client. */
const sendsEachStep = ({ stream, jsonMode }: ChatRequest): boolean => stream && !jsonMode;

/** Each call is decided and recorded: more than any model makes at once would hold up everybody else. */
const MAX_CALLS = 64;

function withinBounds(outcome: StepOutcome): StepOutcome {
  if (outcome.kind !== "ended" || outcome.calls.length <= MAX_CALLS) return outcome;
  const begun = outcome.calls.map(({ name }) => name);
  const detail = `the step has ${outcome.calls.length} tool calls, and ${MAX_CALLS} are the most`;
  return { kind: "disorderly", detail, error: undefined, begun };
}
