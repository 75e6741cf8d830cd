/** Takes a plan for a turn, approves it as a whole, cancels it, and releases it. Parts of a transaction. */
import { canonicalJson } from "../../../lib/json/canonical-json.ts";
import { utf8Bytes } from "../../../lib/text/characters.ts";
import { planDigest } from "../../../plan/plan.ts";
import {
  type BeginPlan,
  type EndStep,
  MAX_APPROVAL_BYTES,
  MAX_VALUES_BYTES,
  type PlanApproval,
  type PlanRefusal,
  type StepStatus,
} from "../../../ports/plans-port.ts";
import { cancelApproval } from "../approvals/end-approvals.ts";
import { type ApprovalRow, bodyOf as approvalBody } from "../approvals/rows.ts";
import { settleMissedRuns } from "../compat/missed-runs.ts";
import type { Transaction } from "../transaction.ts";
import { recordPlan, renewLease, updatePlan } from "./change.ts";
import { failUnanswered } from "./decided.ts";
import { settleLostSteps } from "./ended.ts";
import {
  approvalOfPlan,
  approvalOfStep,
  bodyOf,
  changeStep,
  filledIn,
  findPlan,
  findStep,
  hasEnded,
  isHeld,
  type PlanRow,
  stepsOf,
} from "./rows.ts";

type Values = Readonly<Record<string, unknown>>;

export type PlanResult =
  | { readonly ok: true; readonly row: PlanRow }
  | { readonly ok: false; readonly refusal: PlanRefusal; readonly row?: PlanRow };

/** The plan, if no turn holds it and it has not ended. */
function findFree(transaction: Transaction, id: string): PlanResult {
  const { sql, now } = transaction;
  const row = findPlan(sql, id, now);
  if (!row) return { ok: false, refusal: "unknown" };
  if (isHeld(row, now)) return { ok: false, refusal: "running", row };
  expireLease(transaction, row);
  if (hasEnded(row.status)) return { ok: false, refusal: "ended", row };
  if (row.status === "running") return { ok: false, refusal: "running", row };
  return { ok: true, row };
}

export function beginPlan(transaction: Transaction, { id, turn, values, repeatUnknown }: BeginPlan): PlanResult {
  const { sql, now } = transaction;
  settleLostSteps(transaction);
  const held = findPlan(sql, id, now);
  if (held && held.turn === turn && isHeld(held, now)) return { ok: true, row: held };
  const found = findFree(transaction, id);
  if (!found.ok) return found;
  const { row } = found;
  const steps = stepsOf(sql, row.id);
  if (!repeatUnknown && steps.some(({ status }) => status === "unknown"))
    return { ok: false, refusal: "unknown_step", row };
  const begins = row.begun === 0;
  fillIn(transaction, row, values, turn);
  for (const step of steps) {
    // The turn may release its call once more: the failure of the earlier reply returns no uses from now on.
    if (step.status === "released")
      sql.exec("UPDATE calls SET replayed = 1 WHERE session = ? AND decision = ?", row.session, step.decision);
    if (step.status === "failed" || step.status === "unknown")
      changeStep(sql, step, { status: "ready", approval: null, fault: null });
  }
  Object.assign(row, { turn, begun: 1, until: 0 });
  renewLease(row, turn, now);
  updatePlan(transaction, row, turn);
  if (begins) recordPlan(transaction, { ...row, status: "running" }, "started", { turn });
  return { ok: true, row };
}

/** No turn holds it any more: what its last turn left open ends. That turn may continue until another takes the plan. Changes `row`. */
export function expireLease(transaction: Transaction, row: PlanRow): void {
  const settled = settleMissedRuns(transaction, row);
  const failed = failUnanswered(transaction, row);
  if (row.until === 0 && !settled && !failed) return;
  row.until = 0;
  updatePlan(transaction, row);
}

/** The digest is computed again from what is stored: an answer counts only for what the person saw. */
export function approvePlan(transaction: Transaction, id: string, approval: PlanApproval, values: Values): PlanResult {
  const found = findFree(transaction, id);
  if (!found.ok) return found;
  const { row } = found;
  const current = { id: row.id, steps: bodyOf(transaction.sql, row).steps, values: { ...filledIn(row), ...values } };
  if (planDigest(current, approval.policy) !== approval.digest) return { ok: false, refusal: "changed", row };
  const before = approvalOfPlan(row);
  fillIn(transaction, row, values, null);
  row.approved = JSON.stringify(approval);
  if (utf8Bytes(row.approved) > MAX_APPROVAL_BYTES) throw new Error("the approval is too large to keep");
  updatePlan(transaction, row);
  // The same answer twice is recorded once.
  if (before?.digest !== approval.digest || before.policy !== approval.policy || before.by !== approval.by)
    recordPlan(transaction, row, "approved");
  return { ok: true, row };
}

/**
 * Later values replace earlier ones. The person who approved the plan has seen other values, so the approval is withdrawn. The
 * question about a step that uses a changed value is cancelled. Changes `row`; throws if the values are too large.
 * @param turn that brings them; null if none does.
 */
function fillIn(transaction: Transaction, row: PlanRow, values: Values, turn: string | null): void {
  const before = filledIn(row);
  const changed = Object.keys(values).filter(
    (name) => !Object.hasOwn(before, name) || canonicalJson(before[name]) !== canonicalJson(values[name]),
  );
  if (changed.length === 0) return;
  row.filled = JSON.stringify({ ...before, ...values });
  // A turn that was silent for longer than its lease has read the earlier values, and only once: it loses the plan.
  if (row.turn !== turn) row.turn = null;
  if (utf8Bytes(row.filled) > MAX_VALUES_BYTES) throw new Error("what was filled in is too large to keep");
  const withdrawn = approvalOfPlan(row);
  row.approved = null;
  if (withdrawn) recordPlan(transaction, row, "approval_withdrawn", { turn, withdrawn, changed });
  const placeholders = bodyOf(transaction.sql, row).placeholders.filter(({ name }) => changed.includes(name));
  stopAsking(transaction, row, new Set(placeholders.flatMap(({ places }) => places.map(({ step }) => step))));
}

/** Waiting steps are ready again, and their questions are withdrawn. @param only ids of steps; absent: all. */
export function stopAsking(transaction: Transaction, row: PlanRow, only?: ReadonlySet<string>): void {
  const { sql } = transaction;
  for (const step of stepsOf(sql, row.id)) {
    if (step.status !== "waiting" || only?.has(step.id) === false) continue;
    const approval = approvalOfStep(sql, step);
    changeStep(sql, step, { status: "ready", approval: null });
    if (approval?.open !== 1) continue;
    if (row.status === "cancelled") markCancelled(approval);
    cancelApproval(transaction, approval, null);
  }
}

/** For a person who answers nevertheless. Changes `approval`, which is stored as it is cancelled. */
function markCancelled(approval: ApprovalRow): void {
  const { plan, ...body } = approvalBody(approval);
  if (plan) approval.body = JSON.stringify({ ...body, plan: { ...plan, cancelled: true } });
}

export function cancelPlan(transaction: Transaction, id: string): PlanResult {
  const row = findPlan(transaction.sql, id, transaction.now);
  if (!row) return { ok: false, refusal: "unknown" };
  if (row.status === "cancelled") return { ok: true, row };
  if (hasEnded(row.status)) return { ok: false, refusal: "ended", row };
  const { turn } = row;
  Object.assign(row, { status: "cancelled", turn: null, until: 0 });
  stopAsking(transaction, row);
  updatePlan(transaction, row, turn);
  recordPlan(transaction, row, "cancelled", { turn });
  return { ok: true, row };
}

/** Throws if the turn does not hold the plan. @returns the step's status then. */
export function endStep(transaction: Transaction, { id, turn, step: name, fault }: EndStep): StepStatus {
  const { sql, now } = transaction;
  const row = findPlan(sql, id, now);
  if (row?.turn !== turn)
    throw new Error("the turn does not hold the plan: it was cancelled, or another turn has taken it");
  const step = findStep(sql, id, name);
  if (!step) throw new Error("the plan has no such step");
  // Ended before, or a conversation in the plan's session acts on its question: it ends without this call.
  if (step.status !== "ready" && step.status !== "waiting") return step.status as StepStatus;
  const begins = step.status === "ready" ? { started: now, tries: step.tries + 1 } : {};
  changeStep(sql, step, { ...begins, status: "failed", fault: JSON.stringify(fault), ended: now });
  const approval = approvalOfStep(sql, step);
  if (approval?.open === 1) cancelApproval(transaction, approval, turn);
  renewLease(row, turn, now);
  updatePlan(transaction, row, turn);
  return "failed";
}

/** Throws if there is no such plan. */
export function endPlan(transaction: Transaction, id: string, turn: string): PlanRow {
  const row = findPlan(transaction.sql, id, transaction.now);
  if (!row) throw new Error("there is no such plan");
  if (row.turn !== turn) return row;
  Object.assign(row, { turn: null, until: 0 });
  failUnanswered(transaction, row);
  updatePlan(transaction, row, turn);
  return row;
}
