/** Approvals as they are listed and followed. Parts of a transaction in which what is due has expired. */
import type { Approval } from "../../../approvals/approval.ts";
import type { ApprovalsQuery } from "../../../ports/approvals-port.ts";
import { type ApprovalRow, findApproval, readVersion, toApproval } from "./rows.ts";

/** UTF-16 units of one answer, which has at most 32 MB. */
const MAX_UNITS = 4 * 1024 * 1024;
const MAX_CHANGES = 100;

export interface Page {
  readonly data: readonly Approval[];
  readonly hasMore: boolean;
}

export function listApprovals(sql: SqlStorage, { status, limit, after, order }: ApprovalsQuery): Page {
  const from = after === undefined ? undefined : findApproval(sql, after)?.ordinal;
  // The page after one that is forgotten is past the end.
  if (after !== undefined && from === undefined) return { data: [], hasMore: false };
  const edge = from ?? (order === "asc" ? 0 : Number.MAX_SAFE_INTEGER);
  const [beyond, direction] = order === "asc" ? [">", "ASC"] : ["<", "DESC"];
  const rows = sql.exec<ApprovalRow>(
    `SELECT * FROM approvals WHERE ${status === undefined ? "" : "status = ? AND"} ordinal ${beyond} ?
     ORDER BY ordinal ${direction} LIMIT ?`,
    ...(status === undefined ? [] : [status]),
    edge,
    limit + 1,
  );
  return pageOf(rows, limit);
}

export interface Changes {
  readonly version: number;
  readonly data: readonly Approval[];
}

/** A version that is ahead of ours is of an object that is no more: whoever has it begins anew. */
export function changesSince(sql: SqlStorage, after: number): Changes {
  const version = readVersion(sql);
  if (after < 0 || after > version) return { version, data: [] };
  const rows = sql.exec<ApprovalRow>(
    "SELECT * FROM approvals WHERE version > ? ORDER BY version LIMIT ?",
    after,
    MAX_CHANGES + 1,
  );
  let last = after;
  const { data, hasMore } = pageOf(rows, MAX_CHANGES, (row) => {
    last = row.version;
  });
  return { version: hasMore ? last : version, data };
}

function pageOf(rows: Iterable<ApprovalRow>, limit: number, taken?: (row: ApprovalRow) => void): Page {
  const data: Approval[] = [];
  let units = 0;
  for (const row of rows) {
    units += row.arguments.length + row.body.length;
    if (data.length === limit || (data.length > 0 && units > MAX_UNITS)) return { data, hasMore: true };
    data.push(toApproval(row));
    taken?.(row);
  }
  return { data, hasMore: false };
}
