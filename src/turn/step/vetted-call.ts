/** A call after vetting: the decision on it, and what became of it since. */
import type { Approval } from "../../approvals/approval.ts";
import type { Decision } from "../../policy/decision.ts";
import type { StoredRun } from "../../ports/calls-port.ts";
import type { CallMaker } from "../../session/principal.ts";
import type { RunEntry } from "../../tools/run.ts";
import type { ModelCall } from "../../wire/call-parts.ts";
import type { DecisionNote } from "../turn-log.ts";

export interface VettedCall extends Decision {
  /** The decision's. */
  readonly id?: string;
  readonly call: ModelCall;
  /** Compact JSON of what was vetted. */
  readonly arguments: string;
  readonly ordinal: number | undefined;
  readonly handshake: boolean;
  /** Absent: the model. */
  readonly madeBy?: CallMaker | undefined;
  /** Let through whatever the decision is. */
  readonly observed?: true | undefined;
  /** A person is asked. */
  readonly approval?: Approval | undefined;
  /** A person was asked before. */
  readonly answered?: true;
  /** Another request has acted on the answer meanwhile. */
  readonly stale?: true;
  /** The ledger entry of an allowed managed call. */
  readonly run?: RunEntry | undefined;
  /** The managed call's outcome. */
  readonly ran?: StoredRun;
}

/** Whether the client is to run it. */
export const isReleased = ({ ordinal, run }: VettedCall): boolean => ordinal !== undefined && run === undefined;

export const decisionNote = ({
  call,
  effect,
  reasons,
  handshake,
  approval,
  madeBy,
  observed,
}: VettedCall): DecisionNote => ({
  callId: call.id,
  tool: call.name,
  effect,
  reasons,
  handshake,
  approval: approval?.id,
  madeBy,
  ...(observed ? { observed } : {}),
});
