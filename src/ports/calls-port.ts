/** The port to a user's released calls, stored for 30 days, even if their sessions are gone. */

/** UTF-16 units of arguments or of a result. */
export { MAX_KEPT } from "../tools/run.ts";

/** Prefix of the digest of a request that undoes a call outside of a chat; no client's digest has it. */
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
  /** Redacted, or null where the policy leaves arguments out of the record. */
  readonly recorded: unknown;
  /** As they were released (compact JSON); undefined where the tool had no undo then, or they were too long to keep. */
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
