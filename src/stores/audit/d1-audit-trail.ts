/** One turn's trail in D1: its record, and those of its decisions, approvals, runs and plan. */
import type {
  ApprovalRecord,
  AuditRecord,
  DecisionRecord,
  PlanRecord,
  RunRecord,
  SealedRecord,
  TurnRecord,
} from "../../ports/audit-record.ts";
import { type AuditRow, readRow } from "./d1-audit-query.ts";

/** Records of one kind; a turn with more is read by the lists. */
const MAX_ROWS = 200;

export interface TurnTrail {
  /** Undefined until the turn has ended, and is delivered. */
  readonly turn: SealedRecord<TurnRecord> | undefined;
  /** In the order in which they were sealed, as the others. */
  readonly decisions: readonly SealedRecord<DecisionRecord>[];
  readonly approvals: readonly SealedRecord<ApprovalRecord>[];
  /** By the id of their decision. */
  readonly runs: ReadonlyMap<string, SealedRecord<RunRecord>>;
  /** Of the plan that it ran. */
  readonly plans: readonly SealedRecord<PlanRecord>[];
  /** Whether some of its records were left out. */
  readonly hasMore: boolean;
}

/** @returns undefined where nothing is known of such a turn of this tenant. */
export async function readTrail(db: D1Database, tenant: string, turn: string): Promise<TurnTrail | undefined> {
  const statements = [
    "SELECT t.seq, t.previous, t.hash, t.key_id, t.record FROM turns t WHERE t.tenant = ? AND t.id = ? AND t.seq > 0 LIMIT ?",
    "SELECT t.seq, t.previous, t.hash, t.key_id, t.record FROM decisions t INDEXED BY decisions_by_turn WHERE t.tenant = ? AND t.turn = ? AND t.seq > 0 ORDER BY t.seq LIMIT ?",
    "SELECT t.seq, t.previous, t.hash, t.key_id, t.record FROM approvals t INDEXED BY approvals_by_turn WHERE t.tenant = ? AND t.turn = ? AND t.seq > 0 ORDER BY t.seq LIMIT ?",
    // By the decision, not by the run's own turn: a later turn may have recorded the outcome.
    `SELECT t.seq, t.previous, t.hash, t.key_id, t.record FROM decisions d INDEXED BY decisions_by_turn
     CROSS JOIN runs t INDEXED BY runs_by_decision ON t.tenant = d.tenant AND t.decision = d.id
     WHERE d.tenant = ? AND d.turn = ? AND d.seq > 0 AND t.seq > 0 ORDER BY t.seq LIMIT ?`,
    "SELECT t.seq, t.previous, t.hash, t.key_id, t.record FROM plans t INDEXED BY plans_by_turn WHERE t.tenant = ? AND t.turn = ? AND t.seq > 0 ORDER BY t.seq LIMIT ?",
  ].map((sql) => db.prepare(sql).bind(tenant, turn, MAX_ROWS + 1));
  const found = await db.batch<AuditRow>(statements);
  const read = <R extends AuditRecord>(place: number) =>
    (found[place]?.results ?? []).slice(0, MAX_ROWS).map((row) => readRow<R>(row));
  const [ended] = read<TurnRecord>(0);
  const [decisions, approvals, plans] = [read<DecisionRecord>(1), read<ApprovalRecord>(2), read<PlanRecord>(4)];
  if (!ended && decisions.length + approvals.length + plans.length === 0) return undefined;
  const runs = new Map(read<RunRecord>(3).map((run) => [run.record.decision, run]));
  const hasMore = found.some(({ results }) => results.length > MAX_ROWS);
  return { turn: ended, decisions, approvals, runs, plans, hasMore };
}
