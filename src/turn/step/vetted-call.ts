/**
 * A call after vetting: the decision on it, and its outcome so far. A call of the model takes these forms, in this order:
 *
 * | type           | made by                      | holds                                                         |
 * |----------------|------------------------------|---------------------------------------------------------------|
 * | `ModelCall`    | the model port               | id, name, and the arguments as the model wrote them           |
 * | `PureDecision` | `policy/vet.ts`              | what the pure rules say of it                                 |
 * | `CallToDecide` | `callToDecide`               | the same as data for UserGuard, with the vetted arguments     |
 * | `DecidedCall`  | UserGuard, `turns/decide.ts` | the decision, with the counts, the approval and the ordinal   |
 * | `VettedCall`   | `vettedCall`                 | all of these; the run too, once the gateway has run it        |
 * | `ReleasedCall` | `releaseCalls`               | what the client gets                                          |
 */
import type { Approval } from "../../approvals/approval.ts";
import type { Decision } from "../../policy/decision.ts";
import type { StoredRun } from "../../ports/calls-port.ts";
import type { CallToDecide, DecidedCall } from "../../ports/turns/decide-request.ts";
import type { CallMaker } from "../../session/principal.ts";
import type { RunEntry } from "../../tools/run.ts";
import type { ModelCall } from "../../wire/call-parts.ts";
import type { DecisionNote } from "../turn-log.ts";

export interface VettedCall extends Decision {
  /** Id of the decision. */
  readonly id?: string;
  readonly modelCall: ModelCall;
  /** Compact JSON of the arguments that were vetted: without those that the gateway sets, with the schema's defaults. */
  readonly vettedArguments: string;
  readonly ordinal: number | undefined;
  readonly handshake: boolean;
  /** Absent: the model. */
  readonly madeBy?: CallMaker | undefined;
  /** Let through, whatever the decision. */
  readonly observed?: true | undefined;
  /** The approval that was created for this call. */
  readonly approval?: Approval | undefined;
  /** A person answered a question about this call. */
  readonly answered?: true;
  /** Another request has acted on the answer meanwhile. */
  readonly stale?: true;
  /** The ledger entry of an allowed managed call. */
  readonly runEntry?: RunEntry | undefined;
  /** The managed call's outcome. */
  readonly storedRun?: StoredRun;
}

export const vettedCall = <D extends DecidedCall>(
  decision: D,
  modelCall: ModelCall,
  { arguments: vettedArguments, handshake, run: runEntry, madeBy }: CallToDecide,
) => ({ ...decision, modelCall, vettedArguments, handshake, runEntry, madeBy });

/** Whether the client is to run it. */
export const isReleased = ({ ordinal, runEntry }: VettedCall): boolean =>
  ordinal !== undefined && runEntry === undefined;

export const decisionNote = ({ modelCall, approval, ...vetted }: VettedCall): DecisionNote => ({
  callId: modelCall.id,
  tool: modelCall.name,
  effect: vetted.effect,
  reasons: vetted.reasons,
  handshake: vetted.handshake,
  approval: approval?.id,
  madeBy: vetted.madeBy,
  observed: vetted.observed,
});
