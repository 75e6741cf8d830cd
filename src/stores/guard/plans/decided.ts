/** Moves a step of a plan when its call is decided, and when its question is not answered in time. Parts of these transactions. */
import type { Approval, ApprovalPlan } from "../../../approvals/approval.ts";
import { canonicalJson } from "../../../lib/json/canonical-json.ts";
import type { PlanFault } from "../../../plan/plan.ts";
import type { Decision } from "../../../policy/decision.ts";
import type { CallToDecide, DecideRequest } from "../../../ports/turns/decide-request.ts";
import { type ApprovalRow, changeApproval, findApproval } from "../approvals/rows.ts";
import type { Transaction } from "../transaction.ts";
import { renewLease, updatePlan } from "./change.ts";
import {
  approvalOfPlan,
  approvalOfStep,
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

/** The step that a call belongs to. */
export interface PlannedStep {
  readonly plan: PlanRow;
  readonly step: StepRow;
}

/**
 * Undefined for a call outside plans, and for one whose approval is closed: it changes no step any more. A call that waits for a
 * person as a step stays one, whichever turn acts on the answer. Throws if the turn may not decide the step: then nothing is decided.
 */
export function stepToDecide(
  { sql, now }: Transaction,
  request: DecideRequest,
  call: CallToDecide,
): PlannedStep | undefined {
  if (!call.plan) {
    const step = call.approval && stepWaitingFor(sql, call.approval.id);
    const plan = step && findPlan(sql, step.plan, now);
    return plan && { plan, step };
  }
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

/** What the disclosure of the step's call says of its plan. */
export const approvalPlan = (sql: SqlStorage, { plan, step }: PlannedStep): ApprovalPlan => ({
  id: plan.id,
  step: step.id,
  number: step.place + 1,
  total: statusesOf(sql, plan.id).length,
});

/** Whether a person approved the plan as a whole with this very call, under this policy. */
export function isCovered(planned: PlannedStep | undefined, { plan, digest }: CallToDecide, policy: string): boolean {
  const approved = planned && approvalOfPlan(planned.plan);
  const covered = plan?.covered;
  if (!approved || !covered || approved.policy !== policy || !Object.hasOwn(approved.steps, planned.step.id))
    return false;
  if ("call" in covered && covered.call !== digest) return false;
  return canonicalJson(approved.steps[planned.step.id]) === canonicalJson(covered);
}

interface DecidedStep {
  readonly id: string;
  readonly decision: Decision;
  readonly ordinal?: number | undefined;
  readonly newApproval?: Approval | undefined;
}

/** Changes the step by the decision on its call, and renews the turn's lease. */
export function applyDecision(
  transaction: Transaction,
  { plan, step }: PlannedStep,
  turn: string,
  call: CallToDecide,
  { id, decision, ordinal, newApproval }: DecidedStep,
): void {
  const { sql, now } = transaction;
  const { run, question } = call;
  const isRunOrReleased = ordinal !== undefined;
  const deadline = run && isRunOrReleased ? run.deadline : 0;
  const answerBy = newApproval && question?.channel === "hold" ? question.expiresAt : 0;
  renewLease(plan, turn, now, Math.max(deadline, answerBy));
  // Without an answer the step keeps waiting.
  const isPending = call.approval && findApproval(sql, call.approval.id)?.status === "pending";
  if (!call.handshake && (isRunOrReleased || newApproval || !isPending)) {
    const status = isRunOrReleased ? (run ? "running" : "released") : newApproval ? "waiting" : "failed";
    const begins = step.status === "ready" ? { started: now, ended: null, tries: step.tries + 1 } : {};
    const fails = status === "failed" ? { ended: now, fault: JSON.stringify(refusalFault(step, decision)) } : {};
    const trusted = isRunOrReleased && (run ? run.trusted : call.plan?.trusted === true) ? 1 : 0;
    const approval = newApproval?.id ?? step.approval;
    changeStep(sql, step, { ...begins, status, decision: id, approval, fault: null, trusted, ...fails });
  }
  updatePlan(transaction, plan, turn);
}

function refusalFault({ id }: StepRow, { reasons }: Decision): PlanFault {
  const codes = new Set(reasons.map(({ code }) => code));
  if (codes.has("approval_denied")) return deniedFault(id);
  if (codes.has("approval_expired") || codes.has("approval_cancelled")) return unansweredFault(id);
  const message = `the call of step \`${id}\` is refused: ${[...codes].join(", ")}; run the plan again once it is allowed`;
  return { code: "refused", message, step: id };
}

const deniedFault = (step: string): PlanFault => ({
  code: "approval_denied",
  message: `the call of step \`${step}\` was denied`,
  step,
});

const unansweredFault = (step: string): PlanFault => ({
  code: "approval_expired",
  message: `nobody answered for step \`${step}\` in time, or what waited was cancelled; run the plan again to be asked again`,
  step,
});

/**
 * The approval has expired. A turn that holds the plan reports it. If none does, the step has failed, and no turn acts on the
 * approval any more. Changes `row`, which its caller stores.
 */
export function failExpired(transaction: Transaction, row: ApprovalRow): void {
  const { sql, now } = transaction;
  const step = stepWaitingFor(sql, row.id);
  const plan = step && findPlan(sql, step.plan, now);
  if (!step || (plan && isHeld(plan, now))) return;
  Object.assign(row, { open: 0, ended: now });
  failStep(transaction, step);
  if (plan) updatePlan(transaction, plan);
}

/** The approval is closed: it was cancelled, or it was denied and the conversation continued. */
export function failClosed(transaction: Transaction, row: ApprovalRow): void {
  const { sql, now } = transaction;
  const step = stepWaitingFor(sql, row.id);
  if (!step) return;
  failStep(transaction, step, row.status);
  const plan = findPlan(sql, step.plan, now);
  if (plan) updatePlan(transaction, plan);
}

/** Fails waiting steps of a plan that no turn holds, whose approval has expired or was ended by older code. @returns whether any. */
export function failUnanswered(transaction: Transaction, plan: PlanRow): boolean {
  const { sql, now } = transaction;
  let any = false;
  for (const step of stepsOf(sql, plan.id)) {
    if (step.status !== "waiting") continue;
    const row = approvalOfStep(sql, step);
    if (row?.open === 1 && row.status !== "expired") continue;
    if (row?.open === 1) changeApproval(sql, Object.assign(row, { open: 0, ended: now }));
    failStep(transaction, step, row?.status);
    any = true;
  }
  return any;
}

function failStep({ sql, now }: Transaction, step: StepRow, approvalStatus?: string): void {
  const fault = approvalStatus === "denied" ? deniedFault(step.id) : unansweredFault(step.id);
  changeStep(sql, step, { status: "failed", fault: JSON.stringify(fault), ended: now });
}
