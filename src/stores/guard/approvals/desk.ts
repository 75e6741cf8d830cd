/** A user's approvals as they are asked for from outside of turns: each method is one transaction, but for the waiting. */
import type { Answer, Approval, Gate, Grant } from "../../../approvals/approval.ts";
import type { AnswerOutcome, ApprovalsPort, ApprovalsQuery } from "../../../ports/approvals-port.ts";
import type { AuditKeys } from "../../audit/audit-keys.ts";
import { listGates } from "../turns/gates.ts";
import { takeAnswer } from "./answer.ts";
import { expireDue } from "./end.ts";
import { listGrants, withdrawGrant } from "./grants.ts";
import { changesSince, listApprovals, type Page } from "./list.ts";
import { findApproval, toApproval } from "./rows.ts";
import { Waiters } from "./waiters.ts";

export interface DeskHost {
  /** Throws where the object may not be served. */
  readonly sql: () => SqlStorage;
  readonly keys: AuditKeys;
  readonly transact: <T>(body: () => T) => T;
  /** Told after something was put into the record. */
  readonly changed: () => void;
}

export class ApprovalDesk implements ApprovalsPort {
  private readonly host: DeskHost;
  private readonly waiters = new Waiters();

  constructor(host: DeskHost) {
    this.host = host;
  }

  /** Whoever waits looks again. */
  wake(): void {
    this.waiters.wake();
  }

  async approvals(query: ApprovalsQuery): Promise<Page> {
    return this.read((sql) => listApprovals(sql, query));
  }

  async approval(id: string): Promise<Approval | undefined> {
    return this.read((sql) => this.find(sql, id));
  }

  async answer(id: string, answer: Answer): Promise<AnswerOutcome> {
    const now = Date.now();
    const { keys } = this.host;
    const outcome = this.read((sql): AnswerOutcome => {
      const row = findApproval(sql, id);
      if (!row) return { kind: "unknown" };
      const taken = takeAnswer(sql, keys, row, answer, now);
      const approval = toApproval(row);
      return taken === "settled"
        ? { kind: "settled", approval }
        : { kind: "answered", approval, before: taken === "before" };
    });
    if (outcome.kind === "answered" && !outcome.before) this.host.changed();
    return outcome;
  }

  async awaitApprovals(ids: readonly string[], waitMs: number): Promise<readonly Approval[]> {
    return this.waiters.until(() => {
      const told = this.read((sql) => ids.map((id) => this.find(sql, id)).filter((one) => one !== undefined));
      const pending = told.filter(({ status }) => status === "pending");
      return { told, done: pending.length === 0, nextAt: earliest(pending) };
    }, waitMs);
  }

  async approvalChanges(after: number, waitMs: number): ReturnType<ApprovalsPort["approvalChanges"]> {
    return this.waiters.until(() => {
      const told = this.read((sql) => changesSince(sql, after));
      return { told, done: told.version !== after, nextAt: undefined };
    }, waitMs);
  }

  async grants(): Promise<readonly Grant[]> {
    return listGrants(this.host.sql(), Date.now());
  }

  async withdrawGrant(id: string): Promise<boolean> {
    return this.host.transact(() => withdrawGrant(this.host.sql(), id));
  }

  async gates(): Promise<readonly Gate[]> {
    return listGates(this.host.sql());
  }

  private find(sql: SqlStorage, id: string): Approval | undefined {
    const row = findApproval(sql, id);
    return row && toApproval(row);
  }

  /** After what is due has expired, which a read notes as well as the alarm. */
  private read<T>(body: (sql: SqlStorage) => T): T {
    const { sql, keys, transact, changed } = this.host;
    const { value, expired } = transact(() => {
      const expired = expireDue(sql(), keys, Date.now());
      return { value: body(sql()), expired };
    });
    if (expired) changed();
    return value;
  }
}

const earliest = (pending: readonly Approval[]): number | undefined =>
  pending.length === 0 ? undefined : Math.min(...pending.map(({ expiresAt }) => expiresAt));
