/** Step 8 of a turn: pure rules first, then one call to UserGuard for what must be counted, all calls together. */
import type { Approval } from "../../approvals/approval.ts";
import { withoutSystem } from "../../policy/arguments/system-arguments.ts";
import type { Decision } from "../../policy/decision.ts";
import { readHandshake } from "../../policy/handshake.ts";
import type { Reason } from "../../policy/reasons.ts";
import { denied, type PureDecision, vetCall } from "../../policy/vet.ts";
import type { ModelCall } from "../../ports/model-port.ts";
import type { KeptRun } from "../../ports/run-port.ts";
import type { CallToDecide } from "../../ports/turns-port.ts";
import type { CallMaker } from "../../session/call-maker.ts";
import type { RunEntry } from "../../tools/run.ts";
import { completeCall, questionFor } from "../confirm/question.ts";
import { callKey } from "../confirm/settle-approvals.ts";
import type { StepOffer } from "../offer/offer-step.ts";
import type { Turn, TurnDeps } from "../turn.ts";
import { callToDecide } from "./call-to-decide.ts";
import { decideCalls } from "./decide-calls.ts";
import { readArguments } from "./read-arguments.ts";

export interface VettedCall extends Decision {
  /** Of the decision. */
  readonly id?: string;
  readonly call: ModelCall;
  /** As the call goes on: compact JSON of what was vetted. */
  readonly arguments: string;
  readonly ordinal: number | undefined;
  readonly handshake: boolean;
  /** Absent: the model. */
  readonly madeBy?: CallMaker | undefined;
  /** A person is asked. */
  readonly approval?: Approval | undefined;
  /** A person was asked before. */
  readonly answered?: true;
  /** Another request has acted on the answer meanwhile. */
  readonly stale?: true;
  /** A managed call: as it was entered in the ledger, if it was allowed. */
  readonly run?: RunEntry | undefined;
  /** What came of it. */
  readonly ran?: KeptRun;
}

export interface VettedStep {
  readonly calls: readonly VettedCall[];
  /** The intent that the handshake selected. */
  readonly selected: string | undefined;
}

/** @param marked says who made each call, where it was not the model. */
export async function vetStep(
  deps: TurnDeps,
  turn: Turn,
  step: StepOffer,
  calls: readonly ModelCall[],
  marked: (call: CallToDecide) => CallToDecide = (call) => call,
): Promise<VettedStep> {
  if (calls.length === 0) return { calls: [], selected: undefined };
  const now = deps.now();
  const pure = settleHandshake(calls.map((call) => vetPurely(deps, turn, step, call, now)));
  const selected = pure.find(({ intent, toDecide }) => intent !== undefined && toDecide.effect === "allow")?.intent;
  const asked = pure.map(({ toDecide }) => marked(toDecide));
  const decided = await decideCalls(deps, turn, selected, asked);
  return {
    calls: decided.map((decision, index): VettedCall => {
      const { call } = pure[index] as PurelyVetted;
      const { arguments: args, handshake, run, madeBy } = asked[index] as CallToDecide;
      return { ...decision, call, arguments: args, handshake, ...(run ? { run } : {}), ...(madeBy ? { madeBy } : {}) };
    }),
    selected,
  };
}

interface PurelyVetted {
  readonly call: ModelCall;
  /** The intent that a handshake call names. */
  readonly intent: string | undefined;
  readonly toDecide: CallToDecide;
}

const ALLOWED: PureDecision = { effect: "allow", reasons: [], counted: { windows: [] } };

function vetPurely(deps: TurnDeps, turn: Turn, step: StepOffer, call: ModelCall, now: number): PurelyVetted {
  const { offer, facts } = step;
  const handshake = call.name === offer.handshake?.name;
  const args = readArguments(call);
  if (!args.ok) {
    return { call, intent: undefined, toDecide: callToDecide(deps, turn, call, denied(args.reason), null, handshake) };
  }
  if (handshake && offer.handshake) {
    const intent = readHandshake(offer.handshake, args.value);
    const vetted = intent.ok ? ALLOWED : denied(intent.error);
    const toDecide = callToDecide(deps, turn, call, vetted, args.value, true);
    return { call, intent: intent.ok ? intent.value : undefined, toDecide };
  }
  const { policy, work } = turn.input;
  const made = withoutSystem(policy.tools.get(call.name), args.value);
  const first = vetCall(policy, facts, offer, { id: call.id, tool: call.name, arguments: made }, work);
  const { vetted, value } = completeCall(turn, step, call, first, made);
  const refused =
    turn.log.refusedCalls.size > 0 ? turn.log.refusedCalls.get(callKey(deps, turn, call.name, value)) : undefined;
  if (refused) return { call, intent: undefined, toDecide: callToDecide(deps, turn, call, denied(refused), value) };
  const question = questionFor(turn, now, call.name, vetted, value);
  return { call, intent: undefined, toDecide: { ...callToDecide(deps, turn, call, vetted, value), question } };
}

/** Two different intents in one step contradict each other: both are refused. */
function settleHandshake(calls: readonly PurelyVetted[]): readonly PurelyVetted[] {
  const intents = [...new Set(calls.flatMap(({ intent }) => (intent === undefined ? [] : [intent])))];
  if (intents.length < 2) return calls;
  const reasons: Reason[] = [{ code: "intent_conflict", intents }];
  return calls.map((vetted) =>
    vetted.intent === undefined
      ? vetted
      : { ...vetted, toDecide: { ...vetted.toDecide, effect: "deny" as const, reasons } },
  );
}
