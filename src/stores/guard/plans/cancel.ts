/** Ending a plan before its end. Part of a transaction. */
import { cancelApproval } from "../approvals/end-approvals.ts";
import { type ApprovalRow, bodyOf, findApproval } from "../approvals/rows.ts";
import type { Transaction } from "../transaction.ts";
import type { Taken } from "./begin.ts";
import { noteChange } from "./change.ts";
import { recordPlan } from "./record.ts";
import { changeStep, findPlan, type PlanRow, stepsOf } from "./rows.ts";
import { hasEnded } from "./status.ts";

export function cancelPlan(stores: Transaction, id: string): Taken {
  const row = findPlan(stores.sql, id, stores.now);
  if (!row) return { ok: false, refusal: "unknown" };
  if (row.status === "cancelled") return { ok: true, row };
  if (hasEnded(row.status)) return { ok: false, refusal: "ended", row };
  const { turn } = row;
  Object.assign(row, { status: "cancelled", turn: null, until: 0 });
  dropAsked(stores, row);
  noteChange(stores, row, turn);
  recordPlan(stores, row, "cancelled", { turn });
  return { ok: true, row };
}

/** What waited has not been done: its steps are ready, and nobody is asked any more. */
export function dropAsked({ sql, keys, now }: Transaction, row: PlanRow): void {
  for (const step of stepsOf(sql, row.id)) {
    if (step.status !== "waiting") continue;
    const asked = step.approval === null ? undefined : findApproval(sql, step.approval);
    changeStep(sql, Object.assign(step, { status: "ready", approval: null }));
    if (asked?.open !== 1) continue;
    if (row.status === "cancelled") noteWhy(asked);
    cancelApproval(sql, keys, asked, { turn: null, now });
  }
}

/** For whoever answers all the same. Changes `asked`, which is written as it is cancelled. */
function noteWhy(asked: ApprovalRow): void {
  const { plan, ...body } = bodyOf(asked);
  if (plan) asked.body = JSON.stringify({ ...body, plan: { ...plan, cancelled: true } });
}
