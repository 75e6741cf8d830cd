/** What is told of a user's plans. Reads only. */
import type { PlanStep } from "../../../plan/plan.ts";
import type {
  KeptPlan,
  KeptStep,
  NewPlan,
  PlanProgress,
  PlanStatus,
  PlansQuery,
  StepStatus,
} from "../../../ports/plans-port.ts";
import type { ReleasedCall } from "../../../ports/turns-port.ts";
import { first } from "../schema.ts";
import {
  approvedOf,
  bodyOf,
  faultOf,
  filledIn,
  findStep,
  isHeld,
  otherSteps,
  PLAN,
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
function toKept(
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

/** UTF-16 units of one page: an answer takes 32 MB. */
const MAX_TOLD = 4 * 1024 * 1024;
const NO_RESULTS: ReadonlyMap<number, Told> = new Map();

/** By id, which begins with the time. At least one of those that there are. */
export function listPlans(
  sql: SqlStorage,
  { status, limit, after, order }: PlansQuery,
  now: number,
): { data: KeptPlan[]; hasMore: boolean } {
  const { beyond, direction } =
    order === "desc" ? { beyond: "<", direction: "DESC" } : { beyond: ">", direction: "ASC" };
  const is = "CASE WHEN turn IS NOT NULL AND until > ?1 THEN 'running' ELSE status END";
  const rows = sql.exec<PlanRow & { body: string }>(
    `SELECT ${PLAN}, body FROM plans WHERE (expires > ?1 OR until > ?1) AND (?2 IS NULL OR ${is} = ?2) AND (?3 IS NULL OR id ${beyond} ?3)
     ORDER BY id ${direction} LIMIT ?4`,
    now,
    status ?? null,
    after ?? null,
    limit + 1,
  );
  const data: KeptPlan[] = [];
  let units = 0;
  for (const row of rows) {
    units += row.body.length + row.filled.length;
    if (data.length === limit || (units > MAX_TOLD && data.length > 0)) return { data, hasMore: true };
    data.push(toKept(row, JSON.parse(row.body) as NewPlan, stepsOf(sql, row.id), NO_RESULTS, now));
  }
  return { data, hasMore: false };
}

interface ReleasedRow extends Record<string, SqlStorageValue> {
  call_id: string;
  tool: string;
  arguments: string;
  extra: string | null;
}

/**
 * As it was decided: made anew it would hold what was filled in since, or what another policy fills in, which nobody has
 * judged. Undefined where none waits for its result, or the consent that it may have needed was withdrawn.
 */
export function toldAgain(sql: SqlStorage, plan: string, name: string): ReleasedCall | undefined {
  const step = findStep(sql, plan, name);
  if (step?.status !== "released") return undefined;
  const row = first(
    sql.exec<ReleasedRow>(
      `SELECT c.call_id, c.tool, c.arguments, c.extra FROM calls c JOIN plans p ON p.session = c.session
       WHERE p.id = ? AND c.decision = ? AND c.outcome IS NULL AND c.withdrawn = 0`,
      plan,
      step.decision,
    ),
  );
  if (!row) return undefined;
  const extra = row.extra === null ? undefined : (JSON.parse(row.extra) as Record<string, unknown>);
  return { id: row.call_id, tool: row.tool, arguments: row.arguments, extra };
}
