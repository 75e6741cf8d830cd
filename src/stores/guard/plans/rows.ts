/** The plans of one user as they are stored. */
import type { PlanFault } from "../../../plan/plan.ts";
import type { NewPlan, PlanApproval, PlanStatus, StepStatus } from "../../../ports/plans-port.ts";
import { first } from "../schema.ts";

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

const STEP =
  "s.plan, s.place, s.id, s.tool, s.status, s.decision, s.approval, s.trusted, s.fault, s.started, s.ended, s.tries";

/** Not one whose time is over, though no alarm has rung yet; but a turn that holds it keeps it. */
export const findPlan = (sql: SqlStorage, id: string, now: number): PlanRow | undefined =>
  first(sql.exec<PlanRow>(`SELECT ${PLAN} FROM plans WHERE id = ?1 AND (expires > ?2 OR until > ?2)`, id, now));

export const stepsOf = (sql: SqlStorage, plan: string): StepRow[] =>
  sql.exec<StepRow>(`SELECT ${STEP} FROM plan_steps s WHERE plan = ? ORDER BY place`, plan).toArray();

/** All of them but those that are named: what is behind a long result in its row takes long to read. */
export const otherSteps = (sql: SqlStorage, plan: string, ids: readonly string[]): StepRow[] =>
  sql
    .exec<StepRow>(
      `SELECT ${STEP} FROM plan_steps s WHERE plan = ? AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY place`,
      plan,
      JSON.stringify(ids),
    )
    .toArray();

/** In order. */
export const statusesOf = (sql: SqlStorage, plan: string): { readonly id: string; readonly status: StepStatus }[] =>
  sql
    .exec<{ id: string; status: StepStatus }>("SELECT id, status FROM plan_steps WHERE plan = ? ORDER BY place", plan)
    .toArray();

export const findStep = (sql: SqlStorage, plan: string, id: string): StepRow | undefined =>
  first(sql.exec<StepRow>(`SELECT ${STEP} FROM plan_steps s WHERE plan = ? AND id = ?`, plan, id));

/** The step whose last call was so decided, where it stands there still. */
export const stepDecidedBy = (sql: SqlStorage, decision: string, status: StepStatus): StepRow | undefined =>
  first(sql.exec<StepRow>(`SELECT ${STEP} FROM plan_steps s WHERE decision = ? AND status = ?`, decision, status));

export const stepWaitingFor = (sql: SqlStorage, approval: string): StepRow | undefined =>
  first(sql.exec<StepRow>(`SELECT ${STEP} FROM plan_steps s WHERE approval = ? AND status = 'waiting'`, approval));

/** Handed to a client, in a session that knows nothing of it any more: no result can settle them. */
export const stepsLost = (sql: SqlStorage): StepRow[] =>
  sql
    .exec<StepRow>(
      `SELECT ${STEP} FROM plan_steps s JOIN plans p ON p.id = s.plan WHERE s.status = 'released' AND NOT EXISTS
         (SELECT 1 FROM calls c WHERE c.session = p.session AND c.decision = s.decision AND c.outcome IS NULL)`,
    )
    .toArray();

export const isHeld = ({ turn, until }: PlanRow, now: number): boolean => turn !== null && until > now;

/** The columns that change, but for the result. */
export function changeStep(sql: SqlStorage, row: StepRow): void {
  sql.exec(
    `UPDATE plan_steps SET status = ?, decision = ?, approval = ?, trusted = ?, fault = ?, started = ?, ended = ?, tries = ?
     WHERE plan = ? AND place = ?`,
    row.status,
    row.decision,
    row.approval,
    row.trusted,
    row.fault,
    row.started,
    row.ended,
    row.tries,
    row.plan,
    row.place,
  );
}

/** The columns that change. */
export function changePlan(sql: SqlStorage, row: PlanRow): void {
  sql.exec(
    `UPDATE plans SET status = ?, begun = ?, noted = ?, turn = ?, until = ?, filled = ?, approved = ?, updated = ?, expires = ?
     WHERE id = ?`,
    row.status,
    row.begun,
    row.noted,
    row.turn,
    row.until,
    row.filled,
    row.approved,
    row.updated,
    row.expires,
    row.id,
  );
}

export const bodyOf = (sql: SqlStorage, { id }: PlanRow): NewPlan =>
  JSON.parse(sql.exec<{ body: string }>("SELECT body FROM plans WHERE id = ?", id).one().body) as NewPlan;
export const filledIn = ({ filled }: PlanRow): Record<string, unknown> => JSON.parse(filled) as Record<string, unknown>;
export const approvedOf = ({ approved }: PlanRow): PlanApproval | null =>
  approved === null ? null : (JSON.parse(approved) as PlanApproval);
export const faultOf = ({ fault }: StepRow): PlanFault | null =>
  fault === null ? null : (JSON.parse(fault) as PlanFault);

/**
 * As if no turn held it: then it is `running` for as long as a call of it is under way. One cancelled stays so, whatever its
 * steps come to.
 */
export function statusOf(steps: readonly StepStatus[], begun: boolean): PlanStatus {
  const is = (...any: readonly StepStatus[]) => steps.some((step) => any.includes(step));
  if (steps.length === 0) return "empty";
  if (is("running")) return "running";
  if (is("failed", "unknown")) return "failed";
  if (!is("ready", "waiting", "released")) return "finished";
  return begun ? "paused" : "ready";
}

/** Nothing of it will be done any more. */
export const hasEnded = (status: string): boolean =>
  status === "finished" || status === "cancelled" || status === "empty";
