/** Steps as their calls end: run by the gateway, settled by the client, or given up. Parts of the transactions that note it. */
import type { PlanFault, PlanFaultCode } from "../../../plan/plan.ts";
import { MAX_PLAN_RESULTS, MAX_STEP_RESULT } from "../../../ports/plans-port.ts";
import type { RunOutcome } from "../../../tools/run.ts";
import { findRun } from "../runs/rows.ts";
import { outcomeOf } from "../stored-calls.ts";
import type { Transaction } from "../transaction.ts";
import { noteChange, renewLease } from "./change.ts";
import { changeStep, findPlan, type PlanRow, type StepRow, stepDecidedBy, stepsLost, stepsOf } from "./rows.ts";

const MAX_DETAIL = 500;

type Ended = Pick<RunOutcome, "status" | "detail" | "result">;

/** @param turn that tells it; null where nobody has. */
export function noteRun(stores: Transaction, decision: string, outcome: Ended, turn: string | null): void {
  const step = stepDecidedBy(stores.sql, decision, "running");
  if (step) end(stores, step, turn, runEnd(step, outcome), outcome.result);
}

/** The client has brought the result of a released call, or gone on without. */
export function noteResult(
  stores: Transaction,
  decision: string,
  outcome: "succeeded" | "failed" | "abandoned",
  { text, turn }: { readonly text?: string | undefined; readonly turn: string | null },
): void {
  const step = stepDecidedBy(stores.sql, decision, "released");
  if (!step) return;
  if (outcome === "succeeded") end(stores, step, turn, { status: outcome, fault: null }, text);
  else end(stores, step, turn, clientEnd(step, outcome), undefined);
}

/** Whose result never came may have been done: it is not handed out again unasked. */
const clientEnd = (step: StepRow, outcome: "failed" | "abandoned"): End =>
  outcome === "failed"
    ? { status: "failed", fault: faultOf(step, "client_failed", "failed at the client") }
    : {
        status: "unknown",
        fault: faultOf(step, "abandoned", "was handed to the client, which has not brought its result"),
      };

/** It never reached the client. */
export function noteGivenBack(stores: Transaction, decision: string): void {
  const step = stepDecidedBy(stores.sql, decision, "released");
  if (step) end(stores, step, null, { status: "ready", fault: null }, undefined);
}

/** What was handed out in sessions that are gone, or was settled by code that knows no plan. */
export function settleLost(stores: Transaction): void {
  for (const { decision } of stepsLost(stores.sql)) {
    if (decision !== null) noteResult(stores, decision, outcomeOf(stores.sql, decision) ?? "abandoned", { turn: null });
  }
}

/** Runs that ended under code that knows no plan. @returns whether there were any. */
export function catchUpRuns(stores: Transaction, plan: PlanRow): boolean {
  const { sql } = stores;
  let any = false;
  for (const step of stepsOf(sql, plan.id)) {
    if (step.status !== "running") continue;
    const run = step.decision === null ? undefined : findRun(sql, step.decision);
    if (run?.status === "started") continue;
    const kept = run?.outcome == null ? undefined : (JSON.parse(run.outcome) as RunOutcome);
    const known = step.decision === null ? undefined : outcomeOf(sql, step.decision);
    const status = known === undefined || known === "abandoned" ? "unknown" : known;
    const outcome = kept ?? { status, detail: null, result: undefined };
    write(stores, step, runEnd(step, outcome), outcome.result);
    any = true;
  }
  return any;
}

interface End {
  readonly status: "succeeded" | "failed" | "unknown" | "ready";
  readonly fault: PlanFault | null;
}

function runEnd(step: StepRow, { status, detail }: Ended): End {
  const why = detail === null ? "" : `: ${detail.slice(0, MAX_DETAIL)}`;
  switch (status) {
    case "succeeded":
      return { status, fault: null };
    case "unknown":
      return { status, fault: faultOf(step, "outcome_unknown", `may have been done${why}`) };
    case "not_started":
      return { status: "failed", fault: faultOf(step, "tool_failed", `did not begin${why}`) };
    case "failed":
      return { status, fault: faultOf(step, "tool_failed", `failed${why}`) };
  }
}

const faultOf = ({ id, tool }: StepRow, code: PlanFaultCode, what: string): PlanFault => ({
  code,
  message: `\`${tool}\` in step \`${id}\` ${what}`,
  step: id,
});

function end(stores: Transaction, step: StepRow, turn: string | null, ended: End, result: string | undefined): void {
  const plan = findPlan(stores.sql, step.plan, stores.now);
  write(stores, step, ended, result);
  if (!plan) return;
  if (turn !== null) renewLease(plan, turn, stores.now);
  // Nobody has told how it ended: whoever ran it is gone, or goes no further.
  else if (ended.fault?.code === "outcome_unknown") plan.until = 0;
  noteChange(stores, plan, turn);
}

function write({ sql, now }: Transaction, step: StepRow, { status, fault }: End, result: string | undefined): void {
  Object.assign(step, { status, fault: fault && JSON.stringify(fault), ended: status === "ready" ? null : now });
  changeStep(sql, step);
  if (status === "succeeded" && result !== undefined) keepResult(sql, step, result);
}

function keepResult(sql: SqlStorage, step: StepRow, result: string): void {
  if (result.length > MAX_STEP_RESULT) return;
  const room = MAX_PLAN_RESULTS - result.length;
  // No text has more units than bytes, and these alone can be told without reading it.
  if (bytesKept(sql, step) > room && unitsKept(sql, step) > room) return;
  sql.exec("UPDATE plan_steps SET result = ? WHERE plan = ? AND place = ?", result, step.plan, step.place);
}

const bytesKept = (sql: SqlStorage, { plan }: StepRow): number =>
  sql
    .exec<{ sum: number }>("SELECT COALESCE(SUM(octet_length(result)), 0) AS sum FROM plan_steps WHERE plan = ?", plan)
    .one().sum;

/** Counted here: SQLite's `length` ends at a NUL, which anybody's text may begin with. */
function unitsKept(sql: SqlStorage, { plan }: StepRow): number {
  let units = 0;
  for (const { result } of sql.exec<{ result: string | null }>("SELECT result FROM plan_steps WHERE plan = ?", plan))
    units += result?.length ?? 0;
  return units;
}
