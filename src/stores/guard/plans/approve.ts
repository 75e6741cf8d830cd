/** Approving a plan as a whole. Part of a transaction. */
import { utf8Bytes } from "../../../lib/text/characters.ts";
import { planDigest } from "../../../plan/plan.ts";
import { MAX_APPROVAL_BYTES, type PlanApproval } from "../../../ports/plans-port.ts";
import type { Transaction } from "../transaction.ts";
import { lapse, type Taken } from "./begin.ts";
import { noteChange } from "./change.ts";
import { fillIn, joined } from "./fill-in.ts";
import { recordPlan } from "./record.ts";
import { approvedOf, bodyOf, findPlan, isHeld } from "./rows.ts";
import { hasEnded } from "./status.ts";

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
