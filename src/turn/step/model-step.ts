/** Step 7 of a turn: one call of the model, whose words go straight to the reply. */
import type { StepOutcome } from "../../ports/model-port.ts";
import type { Reply } from "../../ports/reply-port.ts";
import type { ChatRequest } from "../../wire/chat-request.ts";
import type { ReplyWords } from "../../wire/reply-words.ts";
import { estimateSaved, type StepOffer, stepRequest } from "../offer/offer-step.ts";
import { sayNotice } from "../runs/unasked-lines.ts";
import type { Turn, TurnDeps } from "../turn.ts";
import { recordOffered, recordStep, recordStepResult, recordWords } from "../turn-log.ts";

export async function modelStep(deps: TurnDeps, turn: Turn, reply: Reply, step: StepOffer): Promise<StepOutcome> {
  const { watch } = deps;
  const request = stepRequest(
    turn,
    step,
    reply.envelope,
    watch?.stepBegan({ tools: step.tools, withheld: step.offer.withheld }),
  );
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

/** An event that has words: in a string of its own the quotes would be escaped. */
const WORDS = /"content":\s*"(?!")/;

/** Where the step's words go. They are spaced when they come: a step may have none. */
export function spacedWords(turn: Turn, reply: Reply): ReplyWords {
  const { stream, jsonMode } = turn.input.request;
  const gap = stream && !jsonMode ? gapAfter(turn.log.notice === "" ? turn.log.text : turn.log.notice) : "";
  if (gap === "") return reply.words;
  const { words } = reply;
  let due = true;
  return {
    write(events) {
      if (due && WORDS.test(events)) {
        due = false;
        recordWords(turn.log, { text: turn.log.text + gap });
        reply.say(gap);
      }
      words.write(events);
    },
    get full() {
      return words.full;
    },
    ready: () => words.ready(),
    prepare: () => words.prepare?.(),
    get started() {
      return words.started;
    },
  };
}

function gapAfter(text: string): string {
  if (text === "" || /\n[^\S\n]*\n\s*$/.test(text)) return "";
  return text.endsWith("\n") ? "\n" : "\n\n";
}
