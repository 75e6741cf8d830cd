/** A user's approvals as they are answered from outside of turns, and waited for. */
import type { Answer, Approval } from "../../../approvals/approval.ts";
import type { AnswerOutcome, ApprovalsPort, ApprovalsQuery } from "../../../ports/approvals-port.ts";
import type { ObjectContext } from "../object-context.ts";
import type { OpenTurns } from "../turns/open-turns.ts";
import { applyAnswer } from "./answer.ts";
import { changesSince, listApprovals, type Page } from "./list.ts";
import { findApproval, toApproval } from "./rows.ts";

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
