/** Endings of turns that fail or are refused. */
import { describeError, log } from "../lib/log.ts";
import { keyRefusal, refusesOwnKey } from "../model/relay/key-refusal.ts";
import type { StepOutcome } from "../ports/model-port.ts";
import { type Ending, errorEnding, requestFault, upstreamFault } from "../ports/turns/ending.ts";
import { errorObject } from "../wire/error-object.ts";
import { recordDisorder } from "./step/vet-step.ts";
import type { Turn } from "./turn.ts";
import type { TurnDeps } from "./turn-deps.ts";
import { updateLog } from "./turn-log.ts";

type RefusedStep = Extract<StepOutcome, { kind: "refused" }>;

/** The client is gone, so no reply reaches it; the status is for the record alone. */
export const clientGone: Ending = {
  kind: "error",
  stopReason: "aborted",
  status: 499,
  headers: undefined,
  error: { message: "the client went away", type: "aborted", code: "aborted", param: null },
};

/** A failure of the gateway: the cause goes to the log, not to the client. */
export function gatewayFailure(error: unknown, turn: string): Ending {
  log("error", "turn_failed", { turn, ...describeError(error) });
  const message = "the gateway could not complete the turn; nothing was released. Try again";
  return requestFault(503, message, "gateway_unavailable", null);
}

/** A step that did not end: aborted, refused by the upstream, or not orderly. */
export function failedStep(deps: TurnDeps, turn: Turn, outcome: Exclude<StepOutcome, { kind: "ended" }>): Ending {
  if (outcome.kind === "aborted") return clientGone;
  if (outcome.kind === "refused") {
    const { status, headers, body, upstream, attempts } = outcome;
    if (refusesOwnKey(status, body, Object.hasOwn(turn.input.headers, "authorization")))
      return keyEnding(outcome, turn.input.id);
    const { error } = JSON.parse(body) as { error?: unknown };
    // A stream that has begun can only carry the error itself, and an empty error would look like a clean end.
    const message = `the upstream answered ${status}`;
    const reported = error ? errorObject(error, message) : upstreamFault(message, "upstream_error");
    return { kind: "error", stopReason: "upstream_error", status, headers, error: reported, body, upstream, attempts };
  }
  // The calls that the model began are refused, and the record says so.
  if (outcome.begun.length > 0) updateLog(turn.log, { pendingRecord: recordDisorder(deps, turn, outcome) });
  const message = `the upstream's answer could not be trusted: ${outcome.detail}`;
  const ending = errorEnding(502, message, "upstream_stream_disorderly", outcome.error);
  // SDKs retry after a 502: each time the model would answer in full, most likely with the same failure.
  return outcome.isTransient ? ending : { ...ending, headers: new Headers({ "x-should-retry": "false" }) };
}

function keyEnding({ status, upstream = 1, attempts }: RefusedStep, turn: string): Ending {
  log("error", "upstream_key_refused", { turn, upstream, status });
  const { headers, ...refusal } = keyRefusal(status, upstream);
  return { kind: "error", stopReason: "upstream_error", ...refusal, headers: new Headers(headers), upstream, attempts };
}

/** Undefined if the turn was opened. If the open was refused, there is nothing to close. */
export function limitEnding({ input, opened }: Turn): Extract<Ending, { kind: "error" }> | undefined {
  const { ceilings } = input;
  if (!ceilings || !opened.over) return undefined;
  const { what, code, setting, seconds } = refusals[opened.over];
  const message = `this user has ${ceilings[opened.over]} ${what} open, the most at once (\`${setting}\`): wait for one to end, then try again`;
  return {
    kind: "error",
    stopReason: "request_refused",
    status: 429,
    headers: new Headers({ "retry-after": String(seconds) }),
    error: { message, type: "rate_limit_error", code, param: null },
  };
}

const refusals = {
  turns: { what: "turns", code: "too_many_turns", setting: "MAX_USER_TURNS", seconds: 1 },
  holds: { what: "held replies", code: "too_many_held_replies", setting: "MAX_USER_HOLDS", seconds: 5 },
} as const;
