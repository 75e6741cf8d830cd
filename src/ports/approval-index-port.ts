/**
 * The port to all approvals of a tenant, whoever's they are: what an operator is shown. Answered from the audit trail, which
 * learns of an approval a moment after the user's object (seconds; later while the database is down), so what it says is
 * where to look: the user's object decides, and tells the approval as it is.
 */
import type { ApprovalStatus } from "../approvals/approval.ts";
import type { Result } from "../lib/result.ts";
import type { UnknownCursor } from "../stores/audit/d1-page.ts";
import type { ApprovalRecord } from "./audit-record.ts";

export type EndRecord = ApprovalRecord & { readonly event: Exclude<ApprovalRecord["event"], "asked"> };

export interface IndexedApproval {
  /** `appr_…` */
  readonly id: string;
  readonly user: string;
  /** What has expired is told as expired, whether or not anything has noted it. */
  readonly status: ApprovalStatus;
  readonly asked: ApprovalRecord;
  /** How it was answered, or ended without an answer, at last; undefined where nothing is noted. */
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
  /** By the time of asking; the newest first unless told. */
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
