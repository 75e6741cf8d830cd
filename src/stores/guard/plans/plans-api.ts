/** A user's plans as turns and frontends reach them: changed, read whole, their progress, and page by page. */

import type { PlanStep } from "../../../plan/plan.ts";
import type {
  NewPlan,
  PlanOutcome,
  PlanProgress,
  PlanStatus,
  PlansPort,
  PlansQuery,
  StepStatus,
  StoredPlan,
  StoredStep,
} from "../../../ports/plans-port.ts";
import type { ReleasedCall } from "../../../wire/call-parts.ts";
import { selectAll, selectOne } from "../../objects/sql-rows.ts";
import type { GuardContext, Transaction } from "../transaction.ts";
import { approvePlan, beginPlan, cancelPlan, endPlan, endStep, type PlanResult } from "./begin.ts";
import {
  approvalOfPlan,
  bodyOf,
  faultOf,
  filledIn,
  findPlan,
  findStep,
  isHeld,
  PLAN,
  type PlanRow,
  type StepRow,
  stepsOf,
} from "./rows.ts";
import { savePlan } from "./save.ts";

export function plansApi(context: GuardContext): PlansPort {
  const change = async (body: (transaction: Transaction) => PlanResult): Promise<PlanOutcome> =>
    context.change((transaction) => {
      const result = body(transaction);
      if (result.ok) return { ok: true, plan: readPlan(transaction, result.row) };
      return { ok: false, refusal: result.refusal, plan: result.row && readPlan(transaction, result.row) };
    });
  return {
    save: (owner, plan) => change((transaction) => savePlan(transaction, owner, plan)),
    find: async (id) =>
      context.read((transaction) => {
        const row = findPlan(transaction.sql, id, transaction.now);
        return row && readPlan(transaction, row);
      }),
    progress: async (id, known) =>
      context.read((transaction) => {
        const row = findPlan(transaction.sql, id, transaction.now);
        return row && readProgress(transaction, row, known);
      }),
    releasedStep: async (id, step) => context.read(({ sql }) => releasedCall(sql, id, step)),
    list: async (query) => context.read((transaction) => listPlans(transaction, query)),
    approve: (id, approval, values) => change((transaction) => approvePlan(transaction, id, approval, values)),
    begin: (request) => change((transaction) => beginPlan(transaction, request)),
    endStep: async (request) => context.change((transaction) => endStep(transaction, request)),
    end: async (id, turn) => context.change((transaction) => readPlan(transaction, endPlan(transaction, id, turn))),
    cancel: (id) => change((transaction) => cancelPlan(transaction, id)),
  };
}

/** What lists leave out of a step. */
interface StepResult {
  readonly result: string | null;
  readonly recorded: string | null;
}

/** By the step's place. */
type Results = ReadonlyMap<number, StepResult>;

/** With its results, and the arguments of its calls. */
const readPlan = ({ sql, now }: Transaction, row: PlanRow): StoredPlan =>
  keptPlan(row, bodyOf(sql, row), stepsOf(sql, row.id), resultsOf(sql, row.id, []), now);

function keptPlan(row: PlanRow, body: NewPlan, steps: readonly StepRow[], results: Results, now: number): StoredPlan {
  const { steps: planned, keepMs: _, ...plan } = body;
  const held = isHeld(row, now);
  return {
    ...plan,
    steps: planned.map((step, place) => ({ ...step, ...progressOf(steps[place] as StepRow, results.get(place)) })),
    status: currentStatus(row, now),
    values: filledIn(row),
    approved: approvalOfPlan(row),
    turn: held ? row.turn : null,
    heldUntil: held ? row.until : null,
    createdAt: row.created,
    updatedAt: row.updated,
    expiresAt: row.expires,
  };
}

const currentStatus = (row: PlanRow, now: number): PlanStatus =>
  isHeld(row, now) ? "running" : (row.status as PlanStatus);

const progressOf = (row: StepRow, found: StepResult | undefined): Omit<StoredStep, keyof PlanStep> => ({
  status: row.status as StepStatus,
  decision: row.decision,
  approval: row.approval,
  recorded: found?.recorded == null ? null : (JSON.parse(found.recorded) as unknown),
  result: found?.result ?? null,
  trusted: row.trusted === 1,
  fault: faultOf(row),
  startedAt: row.started,
  endedAt: row.ended,
  tries: row.tries,
});

/** @param known ids of steps that are left out. */
function readProgress({ sql, now }: Transaction, row: PlanRow, known: readonly string[]): PlanProgress {
  const results = resultsOf(sql, row.id, known);
  const steps = stepsOf(sql, row.id, known);
  return {
    status: currentStatus(row, now),
    steps: steps.map((step) => ({ id: step.id, ...progressOf(step, results.get(step.place)) })),
  };
}

/** Arguments as they were released or run, else as in the question. @param known ids of steps that are left out. */
function resultsOf(sql: SqlStorage, plan: string, known: readonly string[]): Results {
  const rows = selectAll<StepResult & { place: number }>(
    sql,
    `SELECT s.place, s.result,
       CASE s.status WHEN 'ready' THEN NULL
         ELSE COALESCE(NULLIF(k.recorded, 'null'), json_extract(a.body, '$.recorded')) END AS recorded
     FROM plan_steps s LEFT JOIN calls k ON k.decision = s.decision LEFT JOIN approvals a ON a.id = s.approval
     WHERE s.plan = ? AND s.id NOT IN (SELECT value FROM json_each(?))`,
    plan,
    JSON.stringify(known),
  );
  return new Map(rows.map((row) => [row.place, row]));
}

/** UTF-16 units per page: an answer takes 32 MB. */
const MAX_PAGE_UNITS = 4 * 1024 * 1024;

/** By id, which begins with the time. At least one, if there are any. */
function listPlans({ sql, now }: Transaction, { status, limit, after, order }: PlansQuery) {
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
  const data: StoredPlan[] = [];
  let units = 0;
  for (const row of rows) {
    units += row.body.length + row.filled.length;
    if (data.length === limit || (units > MAX_PAGE_UNITS && data.length > 0)) return { data, hasMore: true };
    data.push(keptPlan(row, JSON.parse(row.body) as NewPlan, stepsOf(sql, row.id), new Map(), now));
  }
  return { data, hasMore: false };
}

/**
 * The call of a released step, as it was decided: a new one would hold values that were filled in since, or another policy's system
 * values, which no rule has vetted. Undefined if none waits for its result, or the consent that it may have needed was withdrawn.
 */
function releasedCall(sql: SqlStorage, plan: string, name: string): ReleasedCall | undefined {
  const step = findStep(sql, plan, name);
  if (step?.status !== "released") return undefined;
  const row = selectOne<{ id: string; tool: string; arguments: string; extra: string | null }>(
    sql,
    `SELECT c.call_id AS id, c.tool, COALESCE(c.arguments, c.recorded) AS arguments, c.extra FROM calls c JOIN plans p ON p.session = c.session
     WHERE p.id = ? AND c.decision = ? AND c.outcome IS NULL AND c.withdrawn = 0`,
    plan,
    step.decision,
  );
  if (!row) return undefined;
  return { ...row, extra: row.extra === null ? undefined : (JSON.parse(row.extra) as Record<string, unknown>) };
}
