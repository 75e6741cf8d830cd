/** What is told of a user's plans. Reads only. */
import type { PlanStep } from "../../../plan/plan.ts";
import type { KeptPlan, KeptStep, NewPlan, PlanProgress, PlanStatus, StepStatus } from "../../../ports/plans-port.ts";
import {
  approvedOf,
  bodyOf,
  faultOf,
  filledIn,
  isHeld,
  otherSteps,
  type PlanRow,
  type StepRow,
  stepsOf,
} from "./rows.ts";

/** What is not told in lists. */
export interface Told {
  readonly result: string | null;
  readonly recorded: string | null;
}

/** @param results of its steps, by their place. */
export function toKept(
  row: PlanRow,
  { steps: planned, keepMs: _, mode, ...body }: NewPlan,
  steps: readonly StepRow[],
  results: ReadonlyMap<number, Told>,
  now: number,
): KeptPlan {
  const held = isHeld(row, now);
  return {
    ...body,
    mode,
    steps: planned.map((step, place) => ({ ...step, ...progressOf(steps[place] as StepRow, results.get(place)) })),
    status: statusNow(row, now),
    values: filledIn(row),
    approved: approvedOf(row),
    turn: held ? row.turn : null,
    heldUntil: held ? row.until : null,
    createdAt: row.created,
    updatedAt: row.updated,
    expiresAt: row.expires,
  };
}

const statusNow = (row: PlanRow, now: number): PlanStatus =>
  isHeld(row, now) ? "running" : (row.status as PlanStatus);

const progressOf = (row: StepRow, told: Told | undefined): Omit<KeptStep, keyof PlanStep> => ({
  status: row.status as StepStatus,
  decision: row.decision,
  approval: row.approval,
  recorded: told?.recorded == null ? null : (JSON.parse(told.recorded) as unknown),
  result: told?.result ?? null,
  trusted: row.trusted === 1,
  fault: faultOf(row),
  startedAt: row.started,
  endedAt: row.ended,
  tries: row.tries,
});

/** With its results, and the arguments of its calls. */
export const tellPlan = (sql: SqlStorage, row: PlanRow, now: number): KeptPlan =>
  toKept(row, bodyOf(sql, row), stepsOf(sql, row.id), toldOf(sql, row.id, []), now);

/** @param known ids of steps that are left out. */
export function tellProgress(sql: SqlStorage, row: PlanRow, known: readonly string[], now: number): PlanProgress {
  const told = toldOf(sql, row.id, known);
  const steps = otherSteps(sql, row.id, known);
  return {
    status: statusNow(row, now),
    steps: steps.map((step) => ({ id: step.id, ...progressOf(step, told.get(step.place)) })),
  };
}

/** Arguments as they were released or run, else as they were asked about. @param known ids of steps that are left out. */
function toldOf(sql: SqlStorage, plan: string, known: readonly string[]): ReadonlyMap<number, Told> {
  const rows = sql.exec<{ place: number; result: string | null; recorded: string | null }>(
    `SELECT s.place, s.result,
       CASE s.status WHEN 'ready' THEN NULL
         ELSE COALESCE(NULLIF(k.recorded, 'null'), json_extract(a.body, '$.recorded')) END AS recorded
     FROM plan_steps s LEFT JOIN kept_calls k ON k.decision = s.decision LEFT JOIN approvals a ON a.id = s.approval
     WHERE s.plan = ? AND s.id NOT IN (SELECT value FROM json_each(?))`,
    plan,
    JSON.stringify(known),
  );
  return new Map(rows.toArray().map(({ place, ...told }) => [place, told]));
}
