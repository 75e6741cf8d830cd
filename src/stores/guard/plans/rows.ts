/** The plans of one user as they are stored, and the status that follows from a plan's steps. */
import type { PlanFault } from "../../../plan/plan.ts";
import type { NewPlan, PlanApproval, PlanStatus, StepStatus } from "../../../ports/plans-port.ts";
import { selectAll, selectOne, updateRow } from "../../objects/sql-rows.ts";
import { type ApprovalRow, findApproval } from "../approvals/rows.ts";
import { isLive } from "../stored-calls.ts";

/** Without its body, which may be long. */
export interface PlanRow extends Record<string, SqlStorageValue> {
  id: string;
  session: string;
  status: string;
  begun: number;
  noted: string | null;
  turn: string | null;
  until: number;
  filled: string;
  approved: string | null;
  keep_ms: number;
  created: number;
  updated: number;
  expires: number;
}

/** Without its result, which may be long. */
export interface StepRow extends Record<string, SqlStorageValue> {
  plan: string;
  place: number;
  id: string;
  tool: string;
  status: string;
  decision: string | null;
  approval: string | null;
  trusted: number;
  fault: string | null;
  started: number | null;
  ended: number | null;
  tries: number;
}

export const PLAN =
  "id, session, status, begun, noted, turn, until, filled, approved, keep_ms, created, updated, expires";

const STEPS = `SELECT s.plan, s.place, s.id, s.tool, s.status, s.decision, s.approval, s.trusted, s.fault, s.started, s.ended,
  s.tries FROM plan_steps s`;

/** An expired plan is not returned, even before an alarm has rung; but a turn that holds it keeps it. */
export const findPlan = (sql: SqlStorage, id: string, now: number): PlanRow | undefined =>
  selectOne(sql, `SELECT ${PLAN} FROM plans WHERE id = ?1 AND (expires > ?2 OR until > ?2)`, id, now);

/** @param without ids of steps that are left out: a long result makes the columns after it in its row slow to read. */
export const stepsOf = (sql: SqlStorage, plan: string, without: readonly string[] = []): StepRow[] =>
  without.length === 0
    ? selectAll(sql, `${STEPS} WHERE plan = ? ORDER BY place`, plan)
    : selectAll(
        sql,
        `${STEPS} WHERE plan = ? AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY place`,
        plan,
        JSON.stringify(without),
      );

/** In order. */
export const statusesOf = (sql: SqlStorage, plan: string): { readonly id: string; readonly status: StepStatus }[] =>
  selectAll(sql, "SELECT id, status FROM plan_steps WHERE plan = ? ORDER BY place", plan);

export const findStep = (sql: SqlStorage, plan: string, id: string): StepRow | undefined =>
  selectOne(sql, `${STEPS} WHERE plan = ? AND id = ?`, plan, id);

/** The step whose last call got this decision, if it has the status. */
export const stepDecidedBy = (sql: SqlStorage, decision: string, status: StepStatus): StepRow | undefined =>
  selectOne(sql, `${STEPS} WHERE decision = ? AND status = ?`, decision, status);

export const stepWaitingFor = (sql: SqlStorage, approval: string): StepRow | undefined =>
  selectOne(sql, `${STEPS} WHERE approval = ? AND status = 'waiting'`, approval);

/** Released to a client in a session that no longer has such a pending call: no result can settle them. */
export const lostSteps = (sql: SqlStorage): StepRow[] =>
  selectAll(
    sql,
    `${STEPS} JOIN plans p ON p.id = s.plan WHERE s.status = 'released' AND NOT EXISTS
       (SELECT 1 FROM calls c WHERE c.session = p.session AND c.decision = s.decision AND c.outcome IS NULL AND ${isLive("c")})`,
  );

export const isHeld = ({ turn, until }: PlanRow, now: number): boolean => turn !== null && until > now;

const STEP_CHANGES = "status decision approval trusted fault started ended tries".split(" ");

/** Changes `step`, and stores it. */
export function changeStep(sql: SqlStorage, step: StepRow, changes: Partial<StepRow>): void {
  updateRow(sql, "plan_steps", ["plan", "place"], Object.assign(step, changes), STEP_CHANGES);
}

const PLAN_CHANGES = "status begun noted turn until filled approved updated expires".split(" ");

export const storePlan = (sql: SqlStorage, row: PlanRow): void => updateRow(sql, "plans", ["id"], row, PLAN_CHANGES);

export const bodyOf = (sql: SqlStorage, { id }: PlanRow): NewPlan =>
  JSON.parse(sql.exec<{ body: string }>("SELECT body FROM plans WHERE id = ?", id).one().body) as NewPlan;
export const filledIn = ({ filled }: PlanRow): Record<string, unknown> => JSON.parse(filled) as Record<string, unknown>;
export const approvalOfPlan = ({ approved }: PlanRow): PlanApproval | null =>
  approved === null ? null : (JSON.parse(approved) as PlanApproval);
export const faultOf = ({ fault }: StepRow): PlanFault | null =>
  fault === null ? null : (JSON.parse(fault) as PlanFault);

/** The last approval of the step's call. */
export const approvalOfStep = (sql: SqlStorage, { approval }: StepRow): ApprovalRow | undefined =>
  approval === null ? undefined : findApproval(sql, approval);

/** As if no turn held it. A plan is `running` while a call of it runs. A cancelled plan stays so, whatever its steps do. */
export function statusOf(steps: readonly StepStatus[], begun: boolean): PlanStatus {
  const is = (...any: readonly StepStatus[]) => steps.some((step) => any.includes(step));
  if (steps.length === 0) return "empty";
  if (is("running")) return "running";
  if (is("failed", "unknown")) return "failed";
  if (!is("ready", "waiting", "released")) return "finished";
  return begun ? "paused" : "ready";
}

/** Nothing of it will run any more. */
export const hasEnded = (status: string): boolean =>
  status === "finished" || status === "cancelled" || status === "empty";
