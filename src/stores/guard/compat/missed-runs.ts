/** Steps of plans that older code left running: it knew no plan. */
import type { RunOutcome } from "../../../tools/run.ts";
import { type RunResult, runEnd, storeEnd } from "../plans/ended.ts";
import { type PlanRow, stepsOf } from "../plans/rows.ts";
import { findRun } from "../runs/rows.ts";
import { outcomeOf } from "../stored-calls.ts";
import type { Transaction } from "../transaction.ts";

/** @returns whether there were any. */
export function settleMissedRuns(transaction: Transaction, plan: PlanRow): boolean {
  const { sql } = transaction;
  let any = false;
  for (const step of stepsOf(sql, plan.id)) {
    if (step.status !== "running") continue;
    const run = step.decision === null ? undefined : findRun(sql, step.decision);
    if (run?.status === "started") continue;
    const known = step.decision === null ? undefined : outcomeOf(sql, step.decision);
    const status = known === undefined || known === "abandoned" ? "unknown" : known;
    const outcome: RunResult =
      run?.outcome == null ? { status, detail: null, result: undefined } : (JSON.parse(run.outcome) as RunOutcome);
    storeEnd(transaction, step, runEnd(step, outcome));
    any = true;
  }
  return any;
}
