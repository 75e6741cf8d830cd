/** A step of a plan as its call is decided: whether it may be, by this turn, and what it is from then on. Parts of that transaction. */
import type { Approval, ApprovalPlan } from "../../../approvals/approval.ts";
import { canonicalJson } from "../../../lib/json/canonical-json.ts";
import type { PlanFault } from "../../../plan/plan.ts";
import type { Decision } from "../../../policy/decision.ts";
import type { CallToDecide, DecideRequest } from "../../../ports/turns-port.ts";
import { type ApprovalRow, changeApproval, findApproval } from "../approvals/rows.ts";
import type { Transaction } from "../transaction.ts";
import { noteChange, renewLease } from "./change.ts";
import {
  approvedOf,
  changeStep,
  findPlan,
  findStep,
  isHeld,
  type PlanRow,
  type StepRow,
  statusesOf,
  stepsOf,
  stepWaitingFor,
} from "./rows.ts";

/** The step that a call is of. */
export interface Planned {
  readonly plan: PlanRow;
  readonly step: StepRow;
}

/**
 * Undefined for a call that is of no plan, and for one whose approval is closed: it moves no step any more. What waits for a
 * person as a step stays one, whoever takes it up. Throws where the step is not this turn's to decide: then nothing is decided.
 */
export function stepToDecide(
  { sql, now }: Transaction,
  request: DecideRequest,
  call: CallToDecide,
): Planned | undefined {
  if (!call.plan) return call.approval && waitingElsewhere(sql, call.approval.id, now);
  const plan = findPlan(sql, call.plan.id, now);
  if (plan?.turn !== request.turn || plan.session !== request.session)
    throw new Error("the turn does not hold the plan: it was cancelled, or another turn has taken it");
  const step = findStep(sql, plan.id, call.plan.step);
  if (!step) throw new Error("the plan has no such step");
  if (call.handshake) return { plan, step };
  if (step.tool !== call.tool) throw new Error("the call is not that of the step");
  const due = call.approval ? step.status === "waiting" && step.approval === call.approval.id : step.status === "ready";
  if (due) return { plan, step };
  if (call.approval && findApproval(sql, call.approval.id)?.open === 0) return undefined;
  throw new Error(`the step is ${step.status}: it is not decided again`);
}

/** The step, as whoever is asked about its call is told of it. */
export const shownOf = (sql: SqlStorage, { plan, step }: Planned): ApprovalPlan => ({
  id: plan.id,
  step: step.id,
  number: step.place + 1,
  total: statusesOf(sql, plan.id).length,
});

function waitingElsewhere(sql: SqlStorage, approval: string, now: number): Planned | undefined {
  const step = stepWaitingFor(sql, approval);
  const plan = step && findPlan(sql, step.plan, now);
  return plan && { plan, step };
}

/** Whether the plan was approved as a whole, and the call is what was approved: under the policy of then. */
export function isCovered(planned: Planned | undefined, { plan, digest }: CallToDecide, policy: string): boolean {
  const approved = planned && approvedOf(planned.plan);
  const covered = plan?.covered;
  if (!approved || !covered || approved.policy !== policy || !Object.hasOwn(approved.steps, planned.step.id))
    return false;
  if ("call" in covered && covered.call !== digest) return false;
  return canonicalJson(approved.steps[planned.step.id]) === canonicalJson(covered);
}

/** What the call came to. */
interface Came {
  readonly id: string;
  readonly decision: Decision;
  readonly ordinal?: number | undefined;
  readonly asked?: Approval | undefined;
}

export function noteDecided(
  stores: Transaction,
  { plan, step }: Planned,
  turn: string,
  call: CallToDecide,
  came: Came,
): void {
  const { sql, now } = stores;
  const { run, question } = call;
  const runs = run && came.ordinal !== undefined ? run.deadline : 0;
  const holds = came.asked && question?.channel === "hold" ? question.expiresAt : 0;
  renewLease(plan, turn, now, Math.max(runs, holds));
  const status = call.handshake ? undefined : statusAfter(stores, call, came);
  if (status !== undefined) {
    const begins = step.status === "ready" ? { started: now, ended: null, tries: step.tries + 1 } : {};
    Object.assign(step, begins, { status, decision: came.id, approval: came.asked?.id ?? step.approval, fault: null });
    step.trusted = (run ? run.trusted : call.plan?.trusted === true) && came.ordinal !== undefined ? 1 : 0;
    if (status === "failed") Object.assign(step, { ended: now, fault: JSON.stringify(faultFor(step, came.decision)) });
    changeStep(sql, step);
  }
  noteChange(stores, plan, turn);
}

/** Undefined where it goes on waiting: nobody has answered. */
function statusAfter({ sql }: Transaction, call: CallToDecide, { ordinal, asked }: Came): string | undefined {
  if (ordinal !== undefined) return call.run ? "running" : "released";
  if (asked) return "waiting";
  const waits = call.approval && findApproval(sql, call.approval.id)?.status === "pending";
  return waits ? undefined : "failed";
}

function faultFor({ id }: StepRow, { reasons }: Decision): PlanFault {
  const codes = new Set(reasons.map(({ code }) => code));
  if (codes.has("approval_denied")) {
    return { code: "approval_denied", message: `the call of step \`${id}\` was denied`, step: id };
  }
  if (codes.has("approval_expired") || codes.has("approval_cancelled")) return unanswered(id);
  const message = `the call of step \`${id}\` is refused: ${[...codes].join(", ")}; run the plan again once it is allowed`;
  return { code: "refused", message, step: id };
}

const unanswered = (step: string): PlanFault => ({
  code: "approval_expired",
  message: `nobody answered for step \`${step}\` in time, or what waited was cancelled; run the plan again to be asked again`,
  step,
});

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
