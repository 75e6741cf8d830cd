/** Results that the client brings anew, of calls that it has run: what it brought first was of no use. Part of a transaction. */
import { referencesOf } from "../../../plan/references.ts";
import type { ReplacedResult } from "../../../ports/plans-port.ts";
import { findRun } from "../runs/rows.ts";
import { storeOutcome } from "../stored-calls.ts";
import type { Transaction } from "../transaction.ts";
import { keepResult } from "./ended.ts";
import { recordPlan } from "./record.ts";
import { bodyOf, type PlanRow, type StepRow, stepDecidedBy, stepsOf } from "./rows.ts";

/**
 * All of them or none: where a step has begun with what was brought before, that stays what was done. The same once more changes
 * nothing: the reply may have been lost.
 * @returns whether they were.
 */
export function replaceResults(
  stores: Transaction,
  row: PlanRow,
  results: readonly ReplacedResult[],
  turn: string,
): boolean {
  const { sql } = stores;
  const found = results.map(({ decision, text }) => ({
    step: stepDecidedBy(sql, decision, "succeeded"),
    decision,
    text,
  }));
  const taken = found.flatMap(({ step, ...one }) =>
    step && (isKept(sql, step, one.text) || mayReplace(sql, row, step)) ? [{ step, ...one }] : [],
  );
  if (taken.length < found.length) return false;
  const others = taken.filter(({ step, text }) => !isKept(sql, step, text));
  for (const { step, decision, text } of others) {
    keepResult(sql, step, text);
    storeOutcome(sql, decision, "succeeded", text);
  }
  const replaced = others.map(({ step, decision }) => ({ step: step.id, decision }));
  if (replaced.length > 0) recordPlan(stores, row, "results_replaced", { turn, replaced });
  return true;
}

const isKept = (sql: SqlStorage, { plan, place }: StepRow, text: string): boolean =>
  sql.exec("SELECT 1 FROM plan_steps WHERE plan = ? AND place = ? AND result = ?", plan, place, text).toArray().length >
  0;

function mayReplace(sql: SqlStorage, row: PlanRow, step: StepRow): boolean {
  // What the gateway has run itself it knows the result of.
  if (step.plan !== row.id || step.decision === null || findRun(sql, step.decision)) return false;
  const { steps } = bodyOf(sql, row);
  const kept = stepsOf(sql, row.id);
  const refers = (place: number) => steps[place] && referencesOf(steps[place]).some((one) => one.step === step.id);
  return !kept.some(({ place, decision }) => decision !== null && refers(place));
}
