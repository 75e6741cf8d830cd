/** The status and the lease of a plan after its steps have changed, and its audit record. Part of the transaction that changed them. */
import { newId } from "../../../lib/ids.ts";
import type { PlanRecord } from "../../../ports/audit-record.ts";
import type { PlanApproval } from "../../../ports/plans-port.ts";
import { selectOne } from "../../objects/sql-rows.ts";
import { appendRecord } from "../outbox/record-chain.ts";
import type { Transaction } from "../transaction.ts";
import { readTurns } from "../turns/session-turns.ts";
import {
  approvalOfPlan,
  bodyOf,
  faultOf,
  findStep,
  isHeld,
  type PlanRow,
  type StepRow,
  statusesOf,
  statusOf,
  storePlan,
} from "./rows.ts";

/**
 * How long a turn may be silent and still hold the plan: longer than one call of this object may take. A slower turn continues until
 * another takes the plan. If a gateway died, its user waits for this time.
 */
const LEASE_MS = 20_000;
/** Between the deadline of a run and its outcome, or between an answer and the release. */
const MARGIN_MS = 10_000;

/** After a call of the turn that holds the plan. @param until the end of what it waits for now. Changes `row`. */
export function renewLease(row: PlanRow, turn: string, now: number, until = 0): void {
  if (row.turn === turn) row.until = Math.max(row.until, now + LEASE_MS, until + MARGIN_MS);
}

/** Derives the status from the steps, records the plan's end once no turn holds it, and stores `row`, which it changes. */
export function updatePlan(transaction: Transaction, row: PlanRow, turn: string | null = null): void {
  const { sql, now } = transaction;
  const steps = statusesOf(sql, row.id);
  const statuses = steps.map(({ status }) => status);
  if (row.status !== "cancelled") row.status = statusOf(statuses, row.begun === 1);
  row.updated = now;
  row.expires = now + row.keep_ms;
  const { status } = row;
  const over = status === "finished" || status === "failed";
  if (!over) row.noted = null;
  else if (!isHeld(row, now) && row.noted !== status) {
    const failed = steps.find((step) => step.status === "failed" || step.status === "unknown");
    recordPlan(transaction, row, status, { turn, failed: failed && findStep(sql, row.id, failed.id) });
    row.noted = status;
  }
  storePlan(sql, row);
}

interface EventDetails extends Pick<PlanRecord, "changed"> {
  readonly turn?: string | null;
  /** The step at which it failed. */
  readonly failed?: StepRow | undefined;
  /** The approval that is withdrawn. */
  readonly withdrawn?: PlanApproval;
}

/** @param row its state after the event. */
export function recordPlan(
  transaction: Transaction,
  row: PlanRow,
  event: PlanRecord["event"],
  { turn = null, failed, withdrawn, changed }: EventDetails = {},
): void {
  const { sql, now } = transaction;
  const body = bodyOf(sql, row);
  const planning = event === "generated" || event === "planning_error";
  const approved = event === "approved" ? approvalOfPlan(row) : null;
  const answer = approved ?? withdrawn;
  // A plan may be taken before its turn is opened.
  const opened =
    turn === null
      ? undefined
      : (readTurns(sql, row.session).find(({ id }) => id === turn) ??
        selectOne<{ role: string; policy: string }>(sql, "SELECT role, policy FROM turns WHERE id = ?", turn));
  appendRecord(transaction, {
    kind: "plan",
    id: newId("evt", now),
    plan: row.id,
    event,
    session: row.session,
    at: now,
    turn,
    changed,
    role: opened?.role ?? body.role,
    status: row.status as PlanRecord["status"],
    tools: body.steps.map(({ tool }) => tool),
    fault: recordedFault(event, body.fault, failed),
    digest: answer?.digest ?? null,
    via: answer?.via ?? null,
    by: answer?.by ?? null,
    model: planning ? body.model : null,
    modelCalls: planning ? body.modelCalls : 0,
    usage: planning ? body.usage : null,
    policy: approved?.policy ?? opened?.policy ?? body.policy,
  });
}

function recordedFault(
  event: PlanRecord["event"],
  fault: ReturnType<typeof faultOf>,
  failed: StepRow | undefined,
): PlanRecord["fault"] {
  if (event === "planning_error" && fault) return { code: fault.code, step: fault.step ?? null };
  if (event !== "failed" || !failed) return null;
  return { code: faultOf(failed)?.code ?? "outcome_unknown", step: failed.id };
}
