/** How a plan moves once its steps, or who holds it, have changed. Part of the transaction that changed them. */

import type { Transaction } from "../transaction.ts";
import { recordPlan } from "./record.ts";
import { changePlan, findStep, isHeld, type PlanRow, statusesOf } from "./rows.ts";
import { statusOf } from "./status.ts";

/**
 * What a turn may be silent for and hold the plan all the same: longer than one call of this object may take. One that is
 * slower goes on as long as no other has taken the plan; a gateway that died keeps its user waiting for so long.
 */
const LEASE_MS = 20_000;
/** Between the time of a run and its outcome, or of an answer and what is done of it. */
const MARGIN_MS = 10_000;

/** The turn that holds it has said something. @param until what it waits for now. Changes `row`. */
export function renewLease(row: PlanRow, turn: string, now: number, until = 0): void {
  if (row.turn === turn) row.until = Math.max(row.until, now + LEASE_MS, until + MARGIN_MS);
}

/** Its status follows from its steps; that it has come to an end is recorded once nobody goes on from there. Changes `row`. */
export function noteChange(stores: Transaction, row: PlanRow, turn: string | null = null): void {
  const { sql, now } = stores;
  const steps = statusesOf(sql, row.id);
  if (row.status !== "cancelled")
    row.status = statusOf(
      steps.map((step) => step.status),
      row.begun === 1,
    );
  row.updated = now;
  row.expires = now + row.keep_ms;
  const { status } = row;
  const over = status === "finished" || status === "failed";
  if (!over) row.noted = null;
  else if (!isHeld(row, now) && row.noted !== status) {
    const failed = steps.find((step) => step.status === "failed" || step.status === "unknown");
    recordPlan(stores, row, status, { turn, failed: failed && findStep(sql, row.id, failed.id) });
    row.noted = status;
  }
  changePlan(sql, row);
}
