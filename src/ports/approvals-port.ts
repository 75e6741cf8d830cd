/** The port to a user's approvals. Each method is one transaction, which first ends what is over its time. */
import type { Answer, Approval, ApprovalStatus } from "../approvals/approval.ts";

export interface ApprovalsQuery {
  /** Absent: all. */
  readonly status?: ApprovalStatus | undefined;
  readonly limit: number;
  /** The id that the page begins after. */
  readonly after?: string | undefined;
  readonly order: "asc" | "desc";
}

export type AnswerOutcome =
  /** Taken now, or the very same answer was taken before. */
  | { readonly kind: "answered"; readonly approval: Approval; readonly before: boolean }
  /** Another answer was taken, or it is cancelled or expired. */
  | { readonly kind: "settled"; readonly approval: Approval }
  | { readonly kind: "unknown" };

export interface ApprovalsPort {
  /** Newest first unless the query says otherwise. Answered ones are stored for 30 days. */
  list(query: ApprovalsQuery): Promise<{ readonly data: readonly Approval[]; readonly hasMore: boolean }>;
  find(id: string): Promise<Approval | undefined>;
  /** Takes an answer. Releases nothing: only a turn does. The first answer counts. */
  answer(id: string, answer: Answer): Promise<AnswerOutcome>;
  /**
   * Resolves as soon as none of them is pending, and at the latest after `waitMs` (at most 10,000), with all of them.
   * Ids that are unknown are left out.
   */
  wait(ids: readonly string[], waitMs: number): Promise<readonly Approval[]>;
  /**
   * The approvals that were made or answered since version `after`, oldest change first, at most 100, and the version they lead to.
   * If there is none, it waits up to `waitMs` (at most 10,000). `after` -1: the current version, and no approvals.
   */
  changes(after: number, waitMs: number): Promise<{ readonly version: number; readonly data: readonly Approval[] }>;
}
