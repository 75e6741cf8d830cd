/** Moves steps when their calls end: run by the gateway, settled by the client, or given up. Parts of these transactions. */
import type { PlanFault, PlanFaultCode } from "../../../plan/plan.ts";
import { MAX_PLAN_RESULTS, MAX_STEP_RESULT } from "../../../ports/plans-port.ts";
import type { RunOutcome } from "../../../tools/run.ts";
import { selectAll } from "../../objects/sql-rows.ts";
import { outcomeOf } from "../stored-calls.ts";
import type { Transaction } from "../transaction.ts";
import { renewLease, updatePlan } from "./change.ts";
import { changeStep, findPlan, lostSteps, type StepRow, stepDecidedBy } from "./rows.ts";

const MAX_DETAIL = 500;

export type RunResult = Pick<RunOutcome, "status" | "detail" | "result">;

interface PlanStepEnd {
  readonly status: "succeeded" | "failed" | "unknown" | "ready";
  readonly fault: PlanFault | null;
  readonly result?: string | undefined;
}

/** @param turn that reports it; null if none does. */
export function settleRun(transaction: Transaction, decision: string, outcome: RunResult, turn: string | null): void {
  const step = stepDecidedBy(transaction.sql, decision, "running");
  if (step) endStep(transaction, step, turn, runEnd(step, outcome));
}

/** The client has sent the result of a released call, or has continued without it. */
export function settleResult(
  transaction: Transaction,
  decision: string,
  outcome: "succeeded" | "failed" | "abandoned",
  { text, turn }: { readonly text?: string | undefined; readonly turn: string | null },
): void {
  const step = stepDecidedBy(transaction.sql, decision, "released");
  if (step) endStep(transaction, step, turn, resultEnd(step, outcome, text));
}

function resultEnd(step: StepRow, outcome: "succeeded" | "failed" | "abandoned", result?: string): PlanStepEnd {
  switch (outcome) {
    case "succeeded":
      return { status: outcome, fault: null, result };
    case "failed":
      return { status: outcome, fault: faultFor(step, "client_failed", "failed at the client") };
    case "abandoned": {
      // It may have been done: it is not released again unless the user asks for it.
      const fault = faultFor(step, "abandoned", "was handed to the client, which has not brought its result");
      return { status: "unknown", fault };
    }
  }
}

/** It never reached the client. */
export function giveStepBack(transaction: Transaction, decision: string): void {
  const step = stepDecidedBy(transaction.sql, decision, "released");
  if (step) endStep(transaction, step, null, { status: "ready", fault: null });
}

/** Steps that were released in sessions which are gone, or settled by older code, which knows no plan. */
export function settleLostSteps(transaction: Transaction): void {
  const { sql } = transaction;
  for (const { decision } of lostSteps(sql)) {
    if (decision !== null) settleResult(transaction, decision, outcomeOf(sql, decision) ?? "abandoned", { turn: null });
  }
}

export function runEnd(step: StepRow, { status, detail, result }: RunResult): PlanStepEnd {
  const why = detail === null ? "" : `: ${detail.slice(0, MAX_DETAIL)}`;
  switch (status) {
    case "succeeded":
      return { status, fault: null, result };
    case "unknown":
      return { status, fault: faultFor(step, "outcome_unknown", `may have been done${why}`) };
    case "not_started":
      return { status: "failed", fault: faultFor(step, "tool_failed", `did not begin${why}`) };
    case "failed":
      return { status, fault: faultFor(step, "tool_failed", `failed${why}`) };
  }
}

const faultFor = ({ id, tool }: StepRow, code: PlanFaultCode, what: string): PlanFault => ({
  code,
  message: `\`${tool}\` in step \`${id}\` ${what}`,
  step: id,
});

function endStep(transaction: Transaction, step: StepRow, turn: string | null, end: PlanStepEnd): void {
  const plan = findPlan(transaction.sql, step.plan, transaction.now);
  storeEnd(transaction, step, end);
  if (!plan) return;
  if (turn !== null) renewLease(plan, turn, transaction.now);
  // No turn reports its outcome: the one that ran it is gone, or has stopped.
  else if (end.fault?.code === "outcome_unknown") plan.until = 0;
  updatePlan(transaction, plan, turn);
}

export function storeEnd({ sql, now }: Transaction, step: StepRow, { status, fault, result }: PlanStepEnd): void {
  const ended = status === "ready" ? null : now;
  changeStep(sql, step, { status, fault: fault && JSON.stringify(fault), ended });
  if (result === undefined || result.length > MAX_STEP_RESULT) return;
  const room = MAX_PLAN_RESULTS - result.length;
  // No text has more units than bytes, which are known without reading it.
  if (storedBytes(sql, step) > room && storedUnits(sql, step) > room) return;
  sql.exec("UPDATE plan_steps SET result = ? WHERE plan = ? AND place = ?", result, step.plan, step.place);
}

function storedBytes(sql: SqlStorage, { plan }: StepRow): number {
  const sum = "SELECT COALESCE(SUM(octet_length(result)), 0) AS sum FROM plan_steps WHERE plan = ?";
  return sql.exec<{ sum: number }>(sum, plan).one().sum;
}

/** Counted here: SQLite's `length` ends at a NUL, which any text may contain. */
const storedUnits = (sql: SqlStorage, { plan }: StepRow): number =>
  selectAll<{ result: string | null }>(sql, "SELECT result FROM plan_steps WHERE plan = ?", plan).reduce(
    (units, { result }) => units + (result?.length ?? 0),
    0,
  );
