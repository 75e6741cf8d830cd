/**
 * One call of a tool that a client's own model made outside a chat: a turn of its own, without a model.
 *
 *  1 open     the client's session, in its current state
 *  2 answer   the same call waits for a person already: an answered one is acted on, a pending one is asked about again
 *  3 vet      against the current offer, by the rules of every call
 *  4 act      select intent | run | ask | refuse
 *  5 record   the turn, whatever failed
 *
 * Never rejects. If the client goes away, a running call is cancelled and recorded.
 */

import type { Approval } from "../../approvals/approval.ts";
import { lengthPrefixed, sha256Hex } from "../../lib/digest.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { StoredRun } from "../../ports/calls-port.ts";
import { SILENT_REPLY } from "../../ports/reply-port.ts";
import { type Ending, silentEnding } from "../../ports/turns/ending.ts";
import type { ModelCall } from "../../wire/call-parts.ts";
import { approvalSettledEnding, decideAnswered } from "../confirm/decide-answered.ts";
import { holdFor } from "../confirm/hold.ts";
import { clientGone, gatewayFailure, limitEnding } from "../failures.ts";
import { exchangeFor } from "../history/hidden-history.ts";
import { offerStep } from "../offer/offer-step.ts";
import { preflight } from "../offer/preflight.ts";
import { isOffer } from "../offer/step-offer.ts";
import { openTurn } from "../open/open-turn.ts";
import { recordAndClose } from "../record/record-turn.ts";
import { summaryOf } from "../record/turn-summary.ts";
import { runCalls } from "../runs/run-calls.ts";
import { holdSelection, vetStep } from "../step/vet-step.ts";
import { decisionNote, type VettedCall } from "../step/vetted-call.ts";
import type { Turn } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { recordDecisions, updateLog } from "../turn-log.ts";
import { type ToolSession, toolCallTurn } from "./tool-call-turn.ts";

interface ToolCallRequest extends ToolSession {
  /** The turn's id. */
  readonly id: string;
  readonly tool: string;
  /** JSON, already read strictly. */
  readonly arguments: string;
  /** On the channel `hold`: called with the question that the call waits for. */
  readonly onAsked?: ((approval: Approval) => void) | undefined;
  /** Called when it no longer waits: it was answered, or its time is over. */
  readonly onAnswered?: ((approval: Approval) => void) | undefined;
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
}

export type ToolCallOutcome =
  | { readonly kind: "ran"; readonly run: StoredRun; readonly text: string }
  /** The handshake: the offer may have changed. */
  | { readonly kind: "selected"; readonly text: string }
  | { readonly kind: "asked"; readonly approval: Approval; readonly turn: Turn }
  /** By the rules or by a person. */
  | { readonly kind: "refused"; readonly text: string; readonly codes: readonly string[] }
  /** What the selected intents require is out of reach. */
  | { readonly kind: "unreachable"; readonly text: string }
  | { readonly kind: "failed"; readonly ending: Extract<Ending, { kind: "error" }> };

export async function runToolCall(deps: TurnDeps, request: ToolCallRequest): Promise<ToolCallOutcome> {
  let turn: Turn | undefined;
  let outcome: ToolCallOutcome;
  try {
    const opened = await openTurn(deps, toolCallTurn(request, request.id, request.signal));
    turn = opened;
    deps.observer?.opened(() => summaryOf(opened));
    outcome = await takeCall({ deps, turn, request });
  } catch (error) {
    outcome = failed(gatewayFailure(error, request.id));
  }
  const ending = endingOf(outcome);
  if (turn) await recordAndClose(deps, turn, ending);
  deps.observer?.replied(undefined);
  deps.observer?.ended(ending);
  return outcome;
}

interface ToolCallContext {
  readonly deps: TurnDeps;
  readonly turn: Turn;
  readonly request: ToolCallRequest;
}

async function takeCall(context: ToolCallContext): Promise<ToolCallOutcome> {
  const { turn, request } = context;
  const over = limitEnding(turn);
  if (over) return failed(over);
  const call: ModelCall = { id: callIdOf(request), name: request.tool, arguments: request.arguments, extra: undefined };
  const waiting = turn.opened.waiting?.find(({ callId, tool }) => callId === call.id && tool === call.name);
  if (waiting) return waiting.status === "pending" ? ask(context, waiting) : actOnAnswer(context, waiting);
  return vet(context, call);
}

/** The same id for the same call: so a call that waits for a person is recognised when it is made again. */
const callIdOf = ({ tool, arguments: args }: ToolCallRequest): string =>
  `call_${sha256Hex(lengthPrefixed(tool, canonicalJson(JSON.parse(args)))).slice(0, 26)}`;

async function vet(context: ToolCallContext, call: ModelCall): Promise<ToolCallOutcome> {
  const { deps, turn } = context;
  const offer = offerStep(turn, deps.now());
  if (!isOffer(offer)) return unreachable(offer);
  const { calls, selected } = await vetStep(deps, turn, offer, [call]);
  recordDecisions(turn.log, calls.map(decisionNote));
  const [decided] = calls;
  if (!decided) throw new Error("the call was left undecided");
  if (selected === undefined) return act(context, decided);
  holdSelection(turn, selected);
  const next = offerStep(turn, deps.now());
  const unmet = isOffer(next) ? preflight(turn, next) : next;
  return unmet ? unreachable(unmet) : { kind: "selected", text: textOf(turn, decided) };
}

async function act(context: ToolCallContext, decided: VettedCall): Promise<ToolCallOutcome> {
  const { deps, turn } = context;
  if (decided.approval) return ask(context, decided.approval);
  if (decided.ordinal === undefined) {
    return { kind: "refused", text: textOf(turn, decided), codes: decided.reasons.map(({ code }) => code) };
  }
  const ran = await runCalls(deps, turn, SILENT_REPLY, [decided]);
  if (!ran.ok) return failed(ran.error);
  const [call] = ran.value;
  if (!call?.storedRun) throw new Error("a call was allowed that the gateway does not run");
  return { kind: "ran", run: call.storedRun, text: textOf(turn, call) };
}

/** On the channel `hold` the call waits for the answer; otherwise the client repeats it after the answer. */
async function ask(context: ToolCallContext, approval: Approval): Promise<ToolCallOutcome> {
  const { deps, turn, request } = context;
  updateLog(turn.log, { waiting: [approval] });
  if (turn.input.channel !== "hold") return { kind: "asked", approval, turn };
  request.onAsked?.(approval);
  const answered = await holdFor(deps, turn, [approval], SILENT_REPLY);
  const [now] = answered ?? [];
  request.onAnswered?.(now ?? approval);
  return now ? actOnAnswer(context, now) : failed(clientGone);
}

async function actOnAnswer(context: ToolCallContext, approval: Approval): Promise<ToolCallOutcome> {
  const { deps, turn } = context;
  const [decided] = await decideAnswered(deps, turn, [{ approval }]);
  return !decided || decided.stale ? failed(approvalSettledEnding) : act(context, decided);
}

/** As the model of a chat would get it. */
function textOf(turn: Turn, call: VettedCall): string {
  const [, answer] = exchangeFor(turn, [call]);
  return String(answer?.content);
}

const unreachable = (ending: Ending): ToolCallOutcome =>
  ending.kind === "stop" ? { kind: "unreachable", text: ending.text } : failed(ending);

function failed(ending: Ending): ToolCallOutcome {
  if (ending.kind !== "error") throw new Error("a failure did not end as an error");
  return { kind: "failed", ending };
}

function endingOf(outcome: ToolCallOutcome): Ending {
  switch (outcome.kind) {
    case "ran":
    case "selected":
      return silentEnding("completed");
    case "asked":
      return silentEnding("awaiting_approval");
    case "refused":
      return silentEnding("tool_policy_blocked");
    case "unreachable":
      return silentEnding("intent_execution_failed");
    case "failed":
      return outcome.ending;
  }
}
