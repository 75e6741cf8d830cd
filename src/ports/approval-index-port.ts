/**
 * The port to all approvals of a tenant, for its operators. It reads the audit trail, which has an approval seconds after the
 * user's object, or later while the database is down. So it says where to look; the user's object has the current state.
 */
import type { ApprovalStatus } from "../approvals/approval.ts";
import type { Result } from "../lib/result.ts";
import type { UnknownCursor } from "../stores/audit/d1-audit-query.ts";
import type { ApprovalRecord } from "./audit-record.ts";

export type EndRecord = ApprovalRecord & { readonly event: Exclude<ApprovalRecord["event"], "asked"> };

export interface IndexedApproval {
  /** `appr_…` */
  readonly id: string;
  readonly user: string;
  /** `expired` as soon as its time is over, whether or not a record says so. */
  readonly status: ApprovalStatus;
  readonly question: ApprovalRecord;
  /** The last record of its answer or end; undefined where there is none. */
  readonly ended: EndRecord | undefined;
}

export interface IndexQuery {
  readonly status?: ApprovalStatus | undefined;
  readonly user?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** From 1. */
  readonly limit: number;
  /** Id of the approval that the page begins after. */
  readonly after?: string | undefined;
  /** By the time of asking; the newest first where it is absent. */
  readonly order?: "asc" | "desc" | undefined;
}

export interface IndexPage {
  readonly data: readonly IndexedApproval[];
  readonly hasMore: boolean;
}

/** Rejects where the database cannot be read. */
export interface ApprovalIndexPort {
  list(tenant: string, query: IndexQuery): Promise<Result<IndexPage, UnknownCursor>>;
  find(tenant: string, id: string, now: number): Promise<IndexedApproval | undefined>;
}
