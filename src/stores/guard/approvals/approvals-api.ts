/** A user's approvals as they are answered from outside of turns, and waited for. */
import type { Answer, Approval } from "../../../approvals/approval.ts";
import type { AnswerOutcome, ApprovalsPort, ApprovalsQuery } from "../../../ports/approvals-port.ts";
import { readSqlPage } from "../../objects/sql-rows.ts";
import type { ObjectContext } from "../object-context.ts";
import type { OpenTurns } from "../turns/turns-api.ts";
import { applyAnswer } from "./answer.ts";
import { type ApprovalRow, findApproval, readVersion, toApproval } from "./rows.ts";

export class ApprovalsApi implements ApprovalsPort {
  private readonly context: ObjectContext;
  private readonly openTurns: OpenTurns;

  constructor(context: ObjectContext, openTurns: OpenTurns) {
    this.context = context;
    this.openTurns = openTurns;
  }

  async list(query: ApprovalsQuery): Promise<Page> {
    return this.context.read(({ sql }) => listApprovals(sql, query));
  }

  async find(id: string): Promise<Approval | undefined> {
    return this.context.read(({ sql }) => find(sql, id));
  }

  async answer(id: string, answer: Answer): Promise<AnswerOutcome> {
    return this.context.change(({ sql, keys, now }) => {
      const row = findApproval(sql, id);
      if (!row) return { kind: "unknown" };
      const taken = applyAnswer(sql, keys, row, answer, now);
      const approval = toApproval(row);
      return taken === "settled"
        ? { kind: "settled", approval }
        : { kind: "answered", approval, before: taken === "before" };
    });
  }

  async wait(ids: readonly string[], waitMs: number): Promise<readonly Approval[]> {
    const waiting = this.context.wait(() => {
      const value = this.context.read(({ sql }) => ids.map((id) => find(sql, id)).filter((one) => one !== undefined));
      const pending = value.filter(({ status }) => status === "pending");
      return { value, done: pending.length === 0, nextAt: earliest(pending) };
    }, waitMs);
    return this.openTurns.countHold(ids, waitMs, waiting);
  }

  async changes(after: number, waitMs: number): ReturnType<ApprovalsPort["changes"]> {
    return this.context.wait(() => {
      const value = this.context.read(({ sql }) => changesSince(sql, after));
      return { value, done: value.version !== after, nextAt: undefined };
    }, waitMs);
  }
}

function find(sql: SqlStorage, id: string): Approval | undefined {
  const row = findApproval(sql, id);
  return row && toApproval(row);
}

const earliest = (pending: readonly Approval[]): number | undefined =>
  pending.length === 0 ? undefined : Math.min(...pending.map(({ expiresAt }) => expiresAt));

const MAX_CHANGES = 100;

interface Page {
  readonly data: readonly Approval[];
  readonly hasMore: boolean;
}

function listApprovals(sql: SqlStorage, { status, limit, after, order }: ApprovalsQuery): Page {
  const from = after === undefined ? undefined : findApproval(sql, after)?.ordinal;
  // The page after one that was deleted is past the end.
  if (after !== undefined && from === undefined) return { data: [], hasMore: false };
  return pageOf(sql, "ordinal", status === undefined ? undefined : ["status = ?", status], {
    limit,
    after: from,
    order,
  }).page;
}

interface Changes {
  readonly version: number;
  readonly data: readonly Approval[];
}

/** A later version than ours is from an object that lost its storage: its reader begins anew. */
function changesSince(sql: SqlStorage, after: number): Changes {
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
