/**
 * What the audit trail holds. Plain JSON only: a record is hashed as canonical JSON, and anything else (also `undefined`) makes
 * `seal` throw. Times are milliseconds since the epoch.
 */
import type { AnsweredVia, Channel } from "../approvals/approval.ts";
import type { PlanFaultCode } from "../plan/plan.ts";
import type { Effect } from "../policy/decision.ts";
import type { ArgumentOrigin } from "../policy/origin/judge-origins.ts";
import type { Reason } from "../policy/reasons.ts";
import type { CallMaker, Owner } from "../session/principal.ts";
import type { State } from "../session/state.ts";
import type { RunFailure, RunKind, RunStatus } from "../tools/run.ts";
import type { ChangeRecord, ConnectionRecord, RecordBase, ResetRecord } from "./operator-records.ts";
import type { PlanStatus } from "./plans-port.ts";
import type { TurnAccount } from "./turns/turn-account.ts";

interface SessionRecord extends RecordBase {
  readonly session: string;
}

/** One turn, written when it ends: how it was opened, and its own account. */
export interface TurnRecord extends Omit<TurnAccount, "detection">, SessionRecord {
  readonly kind: "turn";
  readonly model: string | null;
  /** Calls of earlier turns that this turn's tool results settled, by the id of their decision. */
  readonly settled: readonly { readonly decision: string; readonly outcome: "succeeded" | "failed" | "abandoned" }[];
  /** Absent in records from before there was detection. */
  readonly detection?: TurnAccount["detection"];
}

/** One decision on one call, written in the transaction that made it. */
export interface DecisionRecord extends SessionRecord {
  readonly kind: "decision";
  readonly turn: string;
  readonly step: number;
  /** The call's number within the step: providers repeat call ids. */
  readonly ordinal: number;
  readonly callId: string;
  readonly tool: string;
  readonly effect: Effect;
  readonly reasons: readonly Reason[];
  /**
   * The sources of the authority arguments' values, never the values. Absent: no untrusted text was in the conversation, or no
   * argument says to whom, where or which.
   */
  readonly origins?: readonly ArgumentOrigin[];
  /** Already redacted; null if the policy leaves arguments out of the record. */
  readonly arguments: unknown;
  /** Keyed digest of the canonical arguments as vetted, before redaction, and of the vendor members of the call. */
  readonly digest: string | null;
  readonly role: string;
  readonly mode: string;
  readonly state: State;
  readonly intents: readonly string[];
  /** Digest of the policy document that decided. */
  readonly policy: string;
  readonly retryAfterMs: number | null;
  /** Released to the client, run by the gateway, refused, hidden from the client, asked of a person, or already run by the provider. */
  readonly disposition: "released" | "refused" | "hidden" | "asked" | "run" | "hosted";
  /** The call was let through, whatever the decision: the policy only observes its tool. */
  readonly observed?: true;
  /** The approval that it made or acted on; absent if there is none. */
  readonly approval?: string;
  /** The grant that allowed it; or the id of the plan that was approved as a whole. */
  readonly grant?: string;
  /** The decision on the call that it undoes. */
  readonly undoes?: string;
  /** Who made the call; absent: the model. */
  readonly madeBy?: CallMaker;
  /** The plan and the step that it belongs to. */
  readonly plan?: string;
  readonly planStep?: string;
}

/** What happened to one approval, written in the transaction in which it happened. */
export interface ApprovalRecord extends SessionRecord {
  readonly kind: "approval";
  /** `appr_…`; an approval has one record `asked`, and one of the others. If it is approved and then overtaken, it is `cancelled` too. */
  readonly approval: string;
  readonly event: "asked" | "approved" | "edited" | "denied" | "expired" | "cancelled";
  /** The turn and the decision that asked. */
  readonly turn: string;
  readonly decision: string;
  readonly expiresAt: number;
  readonly tool: string;
  readonly callId: string;
  readonly channel: Channel;
  /** Codes of the reasons for asking. */
  readonly asks: readonly string[];
  /** As in a decision: redacted, or null; with `edited`, the edited ones. */
  readonly arguments: unknown;
  readonly digest: string | null;
  /** The disclosure, as text; null for events other than `asked`, and if `logConfirmations` is off. */
  readonly disclosure: string | null;
  /** Null before an answer. */
  readonly via: AnsweredVia | null;
  readonly by: string | null;
  /** The person's own words; null also if `logConfirmations` leaves them out. */
  readonly reason: string | null;
  /** The grant that the answer gives. */
  readonly grant: {
    readonly id: string;
    readonly session: string | null;
    readonly expiresAt: number | null;
    readonly arguments: readonly string[];
  } | null;
  /** The result whose values the answer lets the task use; its text as a keyed digest. Absent: none. */
  readonly endorsed?: { readonly tool: string; readonly callId: string; readonly digest: string };
  /** Digest of the policy document in force at the time of the question. */
  readonly policy: string;
}

/** How a managed call ended, written with its outcome. Its beginning is the decision with `run`. */
export interface RunRecord extends SessionRecord {
  readonly kind: "run";
  readonly turn: string;
  readonly decision: string;
  /** `at`: when it was entered. `endedAt`: when it ended or was given up. */
  readonly at: number;
  readonly endedAt: number;
  readonly tool: string;
  readonly callId: string;
  /** `http`, `mcp` or `builtin`. */
  readonly executor: RunKind;
  readonly target: string;
  readonly status: Exclude<RunStatus, "started">;
  readonly failure: RunFailure | null;
  readonly detail: string | null;
  readonly ms: number;
  readonly bytes: number;
  readonly cut: boolean;
  readonly trusted: boolean;
  readonly suspicious: readonly string[];
  readonly httpStatus: number | null;
  readonly attempts: number;
  /** Digest of the policy document that decided. */
  readonly policy: string;
}

/** What happened to one plan, written in the transaction in which it happened. */
export interface PlanRecord extends SessionRecord {
  readonly kind: "plan";
  /** `plan_…`. */
  readonly plan: string;
  readonly event:
    | "generated"
    | "planning_error"
    | "approved"
    /** The filled-in values have changed since: each call needs its own confirmation again. */
    | "approval_withdrawn"
    /** Only in records of earlier versions. */
    | "results_replaced"
    | "started"
    | "finished"
    | "failed"
    | "cancelled";
  readonly role: string;
  readonly status: PlanStatus;
  /** Tools of its steps, in order. */
  readonly tools: readonly string[];
  /** Present with `failed` and `planning_error`. */
  readonly fault: { readonly code: PlanFaultCode; readonly step: string | null } | null;
  /** With `approved` and `approval_withdrawn`: what was approved, how, and by whom. Null otherwise. */
  readonly digest: string | null;
  readonly via: AnsweredVia | null;
  readonly by: string | null;
  /** With `approval_withdrawn`: names of the filled-in values that changed. */
  readonly changed?: readonly string[];
  /** With `generated` and `planning_error`. */
  readonly model: string | null;
  readonly modelCalls: number;
  readonly usage: unknown;
  /** The turn that it happened in; null outside of one. */
  readonly turn: string | null;
  /** Digest of the policy document in force. */
  readonly policy: string;
}

/** The rest of a record whose user was erased. Its place in the chain is beside it, with the hash that the record had. */
export interface ErasedRecord {
  readonly kind: "erased";
  /** The id of the record. */
  readonly id: string;
  readonly tenant: string;
  readonly at: number;
  /** The name of the erasure. */
  readonly user: string;
  /** The kind of the record. */
  readonly was: string;
  /** Keyed digest over this and its place; empty if the record was not as it was sealed. */
  readonly seal: string;
}

export type AuditRecord =
  | TurnRecord
  | DecisionRecord
  | ApprovalRecord
  | RunRecord
  | PlanRecord
  | ConnectionRecord
  | ResetRecord
  | ChangeRecord
  | ErasedRecord;

/** A record as a link of its user's chain. */
export interface SealedRecord<R extends AuditRecord = AuditRecord> {
  /** 1 for a user's first record, without gaps. */
  readonly seq: number;
  /** The hash of the record before. */
  readonly previous: string;
  readonly hash: string;
  /** The key that signed. */
  readonly keyId: string;
  readonly record: R;
}

/** A record as it is read back, from any version of the gateway: `kind` says which. */
export type StoredRecord = { readonly kind: string; readonly at: number } & Readonly<Record<string, unknown>>;

/** A place in a chain: the record at `seq`, known by its hash. */
export interface ChainLink {
  readonly seq: number;
  readonly hash: string;
}

export interface Checkpoint extends ChainLink, Owner {
  /** First and last `seq` of what was already wrong when it was removed. */
  readonly gaps: readonly (readonly [from: number, to: number])[];
  /** When, in milliseconds since the epoch. */
  readonly at: number;
}

export interface SignedCheckpoint extends Checkpoint {
  readonly keyId: string;
  readonly signature: string;
}
