/**
 * What the audit trail holds. Plain JSON throughout: a record is hashed as canonical JSON, and what is not JSON (an
 * `undefined` too) makes `seal` throw. Times are milliseconds since the epoch.
 */
import type { Effect } from "../policy/decision.ts";
import type { Reason } from "../policy/reasons.ts";
import type { State } from "../session/state.ts";
import type { RecordedDetection } from "../turn/recorded-detection.ts";

/** One turn, written when it ends. */
export interface TurnRecord {
  readonly kind: "turn";
  readonly id: string;
  readonly tenant: string;
  readonly user: string;
  readonly session: string;
  readonly at: number;
  readonly endedAt: number;
  readonly role: string;
  readonly mode: string;
  readonly model: string | null;
  /** Digest of the policy document that decided. */
  readonly policy: string;
  readonly stateOpened: State;
  readonly stateClosed: State;
  readonly intents: readonly string[];
  /** What was detected in the user's message; null on a continuation. Absent in records of before there was detection. */
  readonly detection?: RecordedDetection | null;
  readonly stopReason: string;
  readonly finishReason: string | null;
  /** Calls of the model. */
  readonly steps: number;
  /** Names of the tools that were offered. */
  readonly offered: readonly string[];
  /** With the codes of their reasons. */
  readonly withheld: readonly { readonly name: string; readonly reasons: readonly string[] }[];
  /** How many names were left out of `offered` and `withheld`; absent where none was. */
  readonly offeredMore?: number;
  readonly withheldMore?: number;
  readonly tokensSaved: number;
  /** As the upstream gave it. */
  readonly usage: unknown;
  /** Calls of earlier turns that this turn's tool results settled, by the id of their decision. */
  readonly settled: readonly { readonly decision: string; readonly outcome: "succeeded" | "failed" | "abandoned" }[];
  readonly error: string | null;
}

/** One decision on one call, written in the transaction that made it. */
export interface DecisionRecord {
  readonly kind: "decision";
  readonly id: string;
  /** Id of the turn. */
  readonly turn: string;
  readonly tenant: string;
  readonly user: string;
  readonly session: string;
  readonly at: number;
  readonly step: number;
  /** Of the call within the step: providers repeat call ids. */
  readonly ordinal: number;
  readonly callId: string;
  readonly tool: string;
  readonly effect: Effect;
  readonly reasons: readonly Reason[];
  /** Already redacted; null where the policy leaves arguments out of the record. */
  readonly arguments: unknown;
  /** Keyed digest of the canonical arguments as vetted, before redaction. */
  readonly digest: string | null;
  readonly role: string;
  readonly mode: string;
  readonly state: State;
  readonly intents: readonly string[];
  /** Digest of the policy document that decided. */
  readonly policy: string;
  readonly retryAfterMs: number | null;
  /** What became of it: handed to the client or run, answered with a refusal, or kept from the client. */
  readonly disposition: "released" | "refused" | "hidden";
}

export type AuditRecord = TurnRecord | DecisionRecord;

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
