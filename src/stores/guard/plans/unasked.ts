/** Steps that waited for an answer which no turn will act on any more. Parts of the transactions that end approvals. */
import { type ApprovalRow, changeApproval, findApproval } from "../approvals/rows.ts";
import type { Transaction } from "../transaction.ts";
import { noteChange } from "./change.ts";
import { unanswered } from "./decided.ts";
import { changeStep, findPlan, isHeld, type PlanRow, type StepRow, stepsOf, stepWaitingFor } from "./rows.ts";

/**
 * The approval has expired. A turn that holds the plan tells so itself; where none does the step has failed, and nothing is left
 * to tell: changes `row`, which its caller writes.
 */
export function noteExpired(stores: Transaction, row: ApprovalRow): void {
  const { sql, now } = stores;
  const step = stepWaitingFor(sql, row.id);
  const plan = step && findPlan(sql, step.plan, now);
  if (!step || (plan && isHeld(plan, now))) return;
  Object.assign(row, { open: 0, ended: now });
  failUnasked(stores, step);
  if (plan) noteChange(stores, plan);
}

/** The approval is closed: it was cancelled, or denied and then overtaken. */
export function noteClosed(stores: Transaction, row: ApprovalRow): void {
  const { sql, now } = stores;
  const step = stepWaitingFor(sql, row.id);
  if (!step) return;
  failUnasked(stores, step, row.status);
  const plan = findPlan(sql, step.plan, now);
  if (plan) noteChange(stores, plan);
}

/** Of a plan that nobody holds any more: what its turn has not told, and what code that knows no plan has ended. @returns whether any. */
export function closeUnanswered(stores: Transaction, plan: PlanRow): boolean {
  const { sql, now } = stores;
  let any = false;
  for (const step of stepsOf(sql, plan.id)) {
    if (step.status !== "waiting") continue;
    const row = step.approval === null ? undefined : findApproval(sql, step.approval);
    if (row?.open === 1 && row.status !== "expired") continue;
    if (row?.open === 1) {
      Object.assign(row, { open: 0, ended: now });
      changeApproval(sql, row);
    }
    failUnasked(stores, step, row?.status);
    any = true;
  }
  return any;
}

function failUnasked({ sql, now }: Transaction, step: StepRow, status?: string): void {
  const denied = { code: "approval_denied", message: `the call of step \`${step.id}\` was denied`, step: step.id };
  const fault = JSON.stringify(status === "denied" ? denied : unanswered(step.id));
  changeStep(sql, Object.assign(step, { status: "failed", fault, ended: now }));
}
