/** All approvals of a tenant, read from what the audit trail in D1 has of them. */
import type { ApprovalStatus } from "../../approvals/approval.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type {
  ApprovalIndexPort,
  EndRecord,
  IndexedApproval,
  IndexPage,
  IndexQuery,
} from "../../ports/approval-index-port.ts";
import type { ApprovalRecord } from "../../ports/audit-record.ts";
import type { UnknownCursor } from "./audit-page.ts";

export function approvalIndex(db: D1Database): ApprovalIndexPort {
  return {
    list: (tenant, query) => listApprovals(db, tenant, query),
    find: (tenant, id, now) => findApproval(db, tenant, id, now),
  };
}

export async function listApprovals(
  db: D1Database,
  tenant: string,
  { status, user, now, limit, after, order = "desc" }: IndexQuery,
): Promise<Result<IndexPage, UnknownCursor>> {
  const direction = order === "asc" ? { sql: "ASC", beyond: ">" } : { sql: "DESC", beyond: "<" };
  const conditions: (readonly [sql: string, ...values: (string | number)[]])[] = [
    ["a.tenant = ?", tenant],
    ["a.event = 'asked'"],
    // As in the lists of records: no chain begins below 1.
    ["a.seq > 0"],
  ];
  if (user !== undefined) conditions.push(["a.user = ?", user]);
  if (status !== undefined) conditions.push(...statusConditions(status, now));
  if (after !== undefined) conditions.push([`(a.at, a.id) ${direction.beyond} (${CURSOR})`, tenant, after]);
  // Few are pending, so these are found by when they expire, and sorted; of the others there are as many as were ever asked.
  const index = status === "pending" ? "by_expiry" : user === undefined ? "by_event" : "by_user";
  const statements = [
    db
      .prepare(
        `SELECT a.record AS asked, e.record AS ended
         FROM approvals a INDEXED BY approvals_${index} LEFT JOIN approvals e ON e.id = ${END}
         WHERE ${conditions.map(([sql]) => sql).join(" AND ")}
         ORDER BY a.at ${direction.sql}, a.id ${direction.sql} LIMIT ?`,
      )
      .bind(...conditions.flatMap(([, ...values]) => values), limit + 1),
  ];
  if (after !== undefined) statements.push(db.prepare(CURSOR).bind(tenant, after));
  const [found, cursor] = await db.batch<FoundRow>(statements);
  if (cursor?.results.length === 0) return err("unknown_cursor");
  const rows = found?.results ?? [];
  return ok({ data: rows.slice(0, limit).map((row) => readFound(row, now)), hasMore: rows.length > limit });
}

export async function findApproval(
  db: D1Database,
  tenant: string,
  id: string,
  now: number,
): Promise<IndexedApproval | undefined> {
  const row = await db
    .prepare(
      `SELECT a.record AS asked, e.record AS ended
       FROM approvals a INDEXED BY approvals_by_approval LEFT JOIN approvals e ON e.id = ${END}
       WHERE a.tenant = ? AND a.approval = ? AND a.event = 'asked' AND a.seq > 0`,
    )
    .bind(tenant, id)
    .first<FoundRow>();
  return row === null ? undefined : readFound(row, now);
}

interface FoundRow {
  readonly asked: string;
  readonly ended: string | null;
}

const CURSOR = "SELECT at, id FROM approvals WHERE tenant = ? AND approval = ? AND event = 'asked'";

/** How an approval ended at last: one that was approved, and not released, may still be cancelled. */
const END = `(SELECT l.id FROM approvals l INDEXED BY approvals_by_approval
  WHERE l.tenant = a.tenant AND l.approval = a.approval AND l.event <> 'asked' AND l.seq > 0 ORDER BY l.seq DESC LIMIT 1)`;

function statusConditions(
  status: ApprovalStatus,
  now: number,
): readonly (readonly [sql: string, ...values: (string | number)[]])[] {
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
  const asked = JSON.parse(row.asked) as ApprovalRecord;
  const ended = row.ended === null ? undefined : (JSON.parse(row.ended) as EndRecord);
  return { id: asked.approval, user: asked.user, status: statusOf(asked, ended, now), asked, ended };
}

function statusOf({ expiresAt }: ApprovalRecord, ended: EndRecord | undefined, now: number): ApprovalStatus {
  if (ended === undefined) return expiresAt > now ? "pending" : "expired";
  return ended.event === "edited" ? "approved" : ended.event;
}
