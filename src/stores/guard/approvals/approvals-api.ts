/** A user's approvals as they are answered from outside turns, and waited for. */
import type { Approval } from "../../../approvals/approval.ts";
import type { ApprovalsPort, ApprovalsQuery } from "../../../ports/approvals-port.ts";
import { readSqlPage } from "../../objects/sql-rows.ts";
import type { GuardContext } from "../transaction.ts";
import type { OpenTurns } from "../turns/turns-api.ts";
import { applyAnswer } from "./answer.ts";
import { type ApprovalRow, findApproval, readVersion, toApproval } from "./rows.ts";

export const approvalsApi = (context: GuardContext, openTurns: OpenTurns): ApprovalsPort => ({
  list: async (query) => context.read(({ sql }) => listApprovals(sql, query)),

  find: async (id) => context.read(({ sql }) => find(sql, id)),

  answer: async (id, answer) =>
    context.change((transaction) => {
      const row = findApproval(transaction.sql, id);
      if (!row) return { kind: "unknown" };
      const result = applyAnswer(transaction, row, answer);
      const approval = toApproval(row);
      return result === "settled"
        ? { kind: "settled", approval }
        : { kind: "answered", approval, before: result === "before" };
    }),

  async wait(ids, waitMs) {
    const waiting = context.wait(() => {
      const value = context.read(({ sql }) => ids.flatMap((id) => find(sql, id) ?? []));
      const pending = value.filter(({ status }) => status === "pending");
      const nextAt = pending.length === 0 ? undefined : Math.min(...pending.map(({ expiresAt }) => expiresAt));
      return { value, done: pending.length === 0, nextAt };
    }, waitMs);
    return openTurns.countHold(ids, waitMs, waiting);
  },

  changes: async (after, waitMs) =>
    context.wait(() => {
      const value = context.read(({ sql }) => changesSince(sql, after));
      return { value, done: value.version !== after, nextAt: undefined };
    }, waitMs),
});

function find(sql: SqlStorage, id: string): Approval | undefined {
  const row = findApproval(sql, id);
  return row && toApproval(row);
}

const MAX_CHANGES = 100;

const TABLE = { table: "approvals", sizeOf: (row: ApprovalRow) => row.arguments.length + row.body.length };

function listApprovals(sql: SqlStorage, { status, limit, after, order }: ApprovalsQuery) {
  const from = after === undefined ? undefined : findApproval(sql, after)?.ordinal;
  // The page after a deleted approval is past the end.
  if (after !== undefined && from === undefined) return { data: [], hasMore: false };
  const conditions = [status === undefined ? undefined : (["status = ?", status] as const)];
  const page = readSqlPage(sql, { ...TABLE, key: "ordinal", conditions }, { limit, after: from, order });
  return { data: page.rows.map(toApproval), hasMore: page.hasMore };
}

/** A later version than ours is from an object that lost its storage: its reader begins anew. */
function changesSince(sql: SqlStorage, after: number) {
  const version = readVersion(sql);
  if (after < 0 || after > version) return { version, data: [] };
  const query = { ...TABLE, key: "version", conditions: [] };
  const { rows, hasMore } = readSqlPage(sql, query, { limit: MAX_CHANGES, after, order: "asc" });
  const last = rows.at(-1);
  return { version: hasMore && last ? last.version : version, data: rows.map(toApproval) };
}
