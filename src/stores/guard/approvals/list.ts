/** Approvals as they are listed and followed. Parts of a transaction in which what is due has expired. */
import type { Approval } from "../../../approvals/approval.ts";
import type { ApprovalsQuery } from "../../../ports/approvals-port.ts";
import { readSqlPage } from "../../objects/sql-page.ts";
import { type ApprovalRow, findApproval, readVersion, toApproval } from "./rows.ts";

const MAX_CHANGES = 100;

export interface Page {
  readonly data: readonly Approval[];
  readonly hasMore: boolean;
}

export function listApprovals(sql: SqlStorage, { status, limit, after, order }: ApprovalsQuery): Page {
  const from = after === undefined ? undefined : findApproval(sql, after)?.ordinal;
  // The page after one that was deleted is past the end.
  if (after !== undefined && from === undefined) return { data: [], hasMore: false };
  return pageOf(sql, "ordinal", status === undefined ? undefined : ["status = ?", status], {
    limit,
    after: from,
    order,
  }).page;
}

export interface Changes {
  readonly version: number;
  readonly data: readonly Approval[];
}

/** A later version than ours is from an object that lost its storage: its reader begins anew. */
export function changesSince(sql: SqlStorage, after: number): Changes {
  const version = readVersion(sql);
  if (after < 0 || after > version) return { version, data: [] };
  const { page, last } = pageOf(sql, "version", undefined, { limit: MAX_CHANGES, after, order: "asc" });
  return { version: page.hasMore && last ? last.version : version, data: page.data };
}

function pageOf(
  sql: SqlStorage,
  key: "ordinal" | "version",
  condition: readonly [string, string] | undefined,
  request: Parameters<typeof readSqlPage>[2],
): { readonly page: Page; readonly last: ApprovalRow | undefined } {
  const sizeOf = (row: ApprovalRow) => row.arguments.length + row.body.length;
  const query = { table: "approvals", key, conditions: [condition], sizeOf };
  const { rows, hasMore } = readSqlPage<ApprovalRow>(sql, query, request);
  return { page: { data: rows.map(toApproval), hasMore }, last: rows.at(-1) };
}
