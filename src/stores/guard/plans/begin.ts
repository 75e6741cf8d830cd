/** Taking a plan for a turn, and letting go of it. Parts of a transaction. */
import { utf8Bytes } from "../../../lib/text/characters.ts";
import { planDigest } from "../../../plan/plan.ts";
import {
  type BeginPlan,
  type EndStep,
  MAX_APPROVAL_BYTES,
  type PlanApproval,
  type PlanRefusal,
  type StepStatus,
} from "../../../ports/plans-port.ts";
import { cancelApproval } from "../approvals/end-approvals.ts";
import { findApproval } from "../approvals/rows.ts";
import type { Transaction } from "../transaction.ts";
import { noteChange, recordPlan, renewLease } from "./change.ts";
import { closeUnanswered } from "./decided.ts";
import { catchUpRuns, settleLost } from "./ended.ts";
import { fillIn, joined } from "./fill-in.ts";
import {
  approvedOf,
  bodyOf,
  changeStep,
  findPlan,
  findStep,
  hasEnded,
  isHeld,
  type PlanRow,
  type StepRow,
  stepsOf,
} from "./rows.ts";

export type Taken =
  | { readonly ok: true; readonly row: PlanRow }
  | { readonly ok: false; readonly refusal: PlanRefusal; readonly row?: PlanRow };

export function beginPlan(stores: Transaction, { id, turn, values, repeatUnknown }: BeginPlan): Taken {
  const { sql, now } = stores;
  settleLost(stores);
  const row = findPlan(sql, id, now);
  if (!row) return { ok: false, refusal: "unknown" };
  if (row.turn === turn && isHeld(row, now)) return { ok: true, row };
  if (isHeld(row, now)) return { ok: false, refusal: "running", row };
  lapse(stores, row);
  if (hasEnded(row.status)) return { ok: false, refusal: "ended", row };
  if (row.status === "running") return { ok: false, refusal: "running", row };
  const steps = stepsOf(sql, row.id);
  if (!repeatUnknown && steps.some(({ status }) => status === "unknown"))
    return { ok: false, refusal: "unknown_step", row };
  const begins = row.begun === 0;
  fillIn(stores, row, values, turn);
  for (const step of steps) {
    if (step.status === "released") noteToldAgain(sql, row, step);
    if (step.status !== "failed" && step.status !== "unknown") continue;
    changeStep(sql, Object.assign(step, { status: "ready", approval: null, fault: null }));
  }
  Object.assign(row, { turn, begun: 1, until: 0 });
  renewLease(row, turn, now);
  noteChange(stores, row, turn);
  if (begins) recordPlan(stores, { ...row, status: "running" }, "started", { turn });
  return { ok: true, row };
}

/** The turn may hand its call out once more: that the earlier reply was lost gives nothing back from now on. */
function noteToldAgain(sql: SqlStorage, { session }: PlanRow, { decision }: StepRow): void {
  sql.exec("UPDATE calls SET replayed = 1 WHERE session = ? AND decision = ?", session, decision);
}

/** Nobody holds it any more: what its last turn left untold is noted. The turn may go on until another takes it. Changes `row`. */
export function lapse(stores: Transaction, row: PlanRow): void {
  const caughtUp = catchUpRuns(stores, row);
  const closed = closeUnanswered(stores, row);
  if (row.until === 0 && !caughtUp && !closed) return;
  row.until = 0;
  noteChange(stores, row);
}

/** Throws where the turn does not hold it. @returns what the step is then. */
export function endStep(stores: Transaction, { id, turn, step: name, fault }: EndStep): StepStatus {
  const { sql, keys, now } = stores;
  const row = findPlan(sql, id, now);
  if (row?.turn !== turn)
    throw new Error("the turn does not hold the plan: it was cancelled, or another turn has taken it");
  const step = findStep(sql, id, name);
  if (!step) throw new Error("the plan has no such step");
  // Told twice, or a conversation in the plan's own session has taken up what it waited for: it ends by itself.
  if (step.status !== "ready" && step.status !== "waiting") return step.status as StepStatus;
  const begins = step.status === "ready" ? { started: now, tries: step.tries + 1 } : {};
  changeStep(sql, Object.assign(step, begins, { status: "failed", fault: JSON.stringify(fault), ended: now }));
  const asked = step.approval === null ? undefined : findApproval(sql, step.approval);
  if (asked?.open === 1) cancelApproval(sql, keys, asked, { turn, now });
  renewLease(row, turn, now);
  noteChange(stores, row, turn);
  return "failed";
}

/** Throws where there is no such plan. */
export function endPlan(stores: Transaction, id: string, turn: string): PlanRow {
  const row = findPlan(stores.sql, id, stores.now);
  if (!row) throw new Error("there is no such plan");
  if (row.turn !== turn) return row;
  Object.assign(row, { turn: null, until: 0 });
  closeUnanswered(stores, row);
  noteChange(stores, row, turn);
  return row;
}

/** The digest is taken anew, from what is kept: an answer is to what the person saw, or it is none. */
export function approvePlan(
  stores: Transaction,
  id: string,
  approval: PlanApproval,
  values: Readonly<Record<string, unknown>>,
): Taken {
  const { sql, now } = stores;
  const row = findPlan(sql, id, now);
  if (!row) return { ok: false, refusal: "unknown" };
  if (isHeld(row, now)) return { ok: false, refusal: "running", row };
  lapse(stores, row);
  if (hasEnded(row.status)) return { ok: false, refusal: "ended", row };
  if (row.status === "running") return { ok: false, refusal: "running", row };
  const stands = { id: row.id, steps: bodyOf(sql, row).steps, values: joined(row, values) };
  if (planDigest(stands, approval.policy) !== approval.digest) return { ok: false, refusal: "changed", row };
  const before = approvedOf(row);
  fillIn(stores, row, values);
  row.approved = JSON.stringify(approval);
  if (utf8Bytes(row.approved) > MAX_APPROVAL_BYTES) throw new Error("the approval is too large to keep");
  noteChange(stores, row);
  // Sent twice, it is one answer.
  if (before?.digest !== approval.digest || before.policy !== approval.policy || before.by !== approval.by)
    recordPlan(stores, row, "approved");
  return { ok: true, row };
}
