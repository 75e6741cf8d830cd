/**
 * The ports to a user's calls. Released calls are stored for 30 days, even if their sessions are gone. Managed calls are those that
 * Toolgate runs itself: UserGuard enters each in its ledger when it decides the call, before it runs, and stores the outcome after.
 */
import type { CallMaker } from "../session/principal.ts";
import type { RunEntry, RunOutcome, RunStatus } from "../tools/run.ts";

/** UTF-16 units of arguments or of a result. */
export { MAX_STORED_UNITS } from "../tools/run.ts";

/** Prefix of the digest of a request that undoes a call outside a chat. No client's digest has it. */
export const UNDO_DIGEST = "undo:";

export type CallOutcome = "succeeded" | "failed" | "abandoned";

export interface StoredCall {
  /** The decision that released it. */
  readonly id: string;
  readonly session: string;
  readonly callId: string;
  readonly tool: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Redacted, or null if the policy leaves arguments out of the record. */
  readonly recorded: unknown;
  /** As they were released (compact JSON); undefined if the tool had no undo then, or they were too long to keep. */
  readonly arguments: string | undefined;
  /** The result, as text; undefined for the same reasons, and before there is one. */
  readonly result: string | undefined;
  /** Null until it is settled. */
  readonly outcome: CallOutcome | null;
  /** The call that it undoes. */
  readonly undoes: string | null;
  /** The call that undid it: released, and not known to have failed. */
  readonly undoneBy: string | null;
  /** The last approval of its undo. */
  readonly asked: string | null;
  /** The key of the request that undid it. */
  readonly undoKey: string | null;
}

export interface CallsQuery {
  readonly session?: string | undefined;
  readonly limit: number;
  /** The id that the page begins after. */
  readonly after?: string | undefined;
  readonly order: "asc" | "desc";
}

export interface CallsPort {
  list(query: CallsQuery): Promise<{ readonly data: readonly StoredCall[]; readonly hasMore: boolean }>;
  find(id: string): Promise<StoredCall | undefined>;
}

/** A run in the ledger, as a turn gets it. */
export interface StoredRun {
  /** The decision's id. */
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  /** Compact JSON, as vetted. */
  readonly arguments: string;
  readonly extra: Record<string, unknown> | undefined;
  /**
   * Calls of one step were made together, in the order of `ordinal`. Steps are numbered as those of the turn that continues from
   * them: for a later try they are below zero, before its own.
   */
  readonly step: number;
  readonly ordinal: number;
  readonly status: RunStatus;
  readonly entry: RunEntry;
  /** Undefined before it has one; for `unknown` it is the ledger's own. */
  readonly outcome: RunOutcome | undefined;
  /** Who made the call; absent: the model. */
  readonly madeBy?: CallMaker | undefined;
}

export interface FinishRun {
  readonly turn: string;
  readonly session: string;
  /** The decision's id. */
  readonly id: string;
  readonly outcome: RunOutcome;
}

export interface RunsPort {
  /**
   * Stores the outcome and its record, once: a second one changes nothing. `not_started` returns the use. An untrusted result makes
   * the session untrusted; a success counts for the call's families.
   * @returns the run as the ledger has it: `unknown` if its deadline was over before.
   */
  finish(request: FinishRun): Promise<StoredRun>;
  /** Resolves as soon as all have an outcome, at the latest after `waitMs` (at most 10,000). Unknown ids are left out. */
  wait(ids: readonly string[], waitMs: number): Promise<readonly StoredRun[]>;
}
