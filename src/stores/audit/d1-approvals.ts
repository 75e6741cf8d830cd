/**
 * All approvals of a tenant, for its operators, from their records in D1. The audit trail has an approval seconds after the user's
 * object, or later while the database is down. So the trail finds the approvals; the user's object has the current state.
 */
import type { ApprovalStatus } from "../../approvals/approval.ts";
import { ok, type Result } from "../../lib/result.ts";
import type { ApprovalRecord } from "../../ports/audit-record.ts";
import { readPage, type Sql, type UnknownCursor } from "./d1-audit-query.ts";
import type { AskAudit, AuditReader } from "./shards/shards.ts";

export type EndRecord = ApprovalRecord & { readonly event: Exclude<ApprovalRecord["event"], "asked"> };

export interface IndexedApproval {
  /** `appr_…` */
  readonly id: string;
  readonly user: string;
  /** `expired` as soon as its time is over, whether or not a record says so. */
  readonly status: ApprovalStatus;
  readonly question: ApprovalRecord;
  /** The last record of its answer or end; undefined if there is none. */
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
  /** By the time of asking; the newest first if absent. */
  readonly order?: "asc" | "desc" | undefined;
}

export interface IndexPage {
  readonly data: readonly IndexedApproval[];
  readonly hasMore: boolean;
}

/** Rejects if the database cannot be read. */
export interface ApprovalIndex {
  list(tenant: string, query: IndexQuery): Promise<Result<IndexPage, UnknownCursor>>;
  find(tenant: string, id: string, now: number): Promise<IndexedApproval | undefined>;
}

export function approvalIndex(audit: AskAudit): ApprovalIndex {
  return {
    list: (tenant, query) => audit(tenant, (db) => listApprovals(db, tenant, query)),
    find: (tenant, id, now) => audit(tenant, (db) => findApproval(db, tenant, id, now)),
  };
}

async function listApprovals(
  db: AuditReader,
  tenant: string,
  { status, user, now, ...page }: IndexQuery,
): Promise<Result<IndexPage, UnknownCursor>> {
  // Few are pending, so they are found by their expiry, and sorted; of the others there may be very many.
  const index = status === "pending" ? "by_expiry" : user === undefined ? "by_event" : "by_user";
  const found = await readPage<FoundRow>(
    db,
    {
      select: selectBy(index),
      conditions: [
        ["a.tenant = ?", tenant],
        ...ASKED,
        ...(user === undefined ? [] : [["a.user = ?", user] as const]),
        ...(status === undefined ? [] : statusConditions(status, now)),
      ],
      at: "a.at",
      id: "a.id",
      cursor: (after) => [
        "SELECT at, id FROM approvals WHERE tenant = ? AND approval = ? AND event = 'asked'",
        tenant,
        after,
      ],
    },
    page,
  );
  if (!found.ok) return found;
  const { rows, hasMore } = found.value;
  return ok({ data: rows.map((row) => readFound(row, now)), hasMore });
}

async function findApproval(
  db: AuditReader,
  tenant: string,
  id: string,
  now: number,
): Promise<IndexedApproval | undefined> {
  const row = await db
    .prepare(
      `${selectBy("by_approval")} WHERE a.tenant = ? AND a.approval = ? AND ${ASKED.map(([text]) => text).join(" AND ")}`,
    )
    .bind(tenant, id)
    .first<FoundRow>();
  return row === null ? undefined : readFound(row, now);
}

interface FoundRow {
  readonly question: string;
  readonly ended: string | null;
}

/** As in the lists of records: no chain begins below 1. */
const ASKED: readonly Sql[] = [["a.event = 'asked'"], ["a.seq > 0"]];

const selectBy = (index: "by_expiry" | "by_event" | "by_user" | "by_approval"): string =>
  `SELECT a.record AS question, e.record AS ended
   FROM approvals a INDEXED BY approvals_${index} LEFT JOIN approvals e ON e.id = ${END}`;

/** The last event: an approved call that was not released may still be cancelled. */
const END = `(SELECT l.id FROM approvals l INDEXED BY approvals_by_approval
  WHERE l.tenant = a.tenant AND l.approval = a.approval AND l.event <> 'asked' AND l.seq > 0 ORDER BY l.seq DESC LIMIT 1)`;

function statusConditions(status: ApprovalStatus, now: number): readonly Sql[] {
  switch (status) {
    case "pending":
      return [["a.expires_at > ?", now], ["e.id IS NULL"]];
    case "expired":
      return [["(e.event = 'expired' OR (e.id IS NULL AND a.expires_at <= ?))", now]];
    case "approved":
      return [["e.event IN ('approved', 'edited')"]];
    case "denied":
    case "cancelled":
      return [["e.event = ?", status]];
  }
}

function readFound(row: FoundRow, now: number): IndexedApproval {
  const question = JSON.parse(row.question) as ApprovalRecord;
  const ended = row.ended === null ? undefined : (JSON.parse(row.ended) as EndRecord);
  return { id: question.approval, user: question.user, status: statusOf(question, ended, now), question, ended };
}

function statusOf({ expiresAt }: ApprovalRecord, ended: EndRecord | undefined, now: number): ApprovalStatus {
  if (ended === undefined) return expiresAt > now ? "pending" : "expired";
  return ended.event === "edited" ? "approved" : ended.event;
}
