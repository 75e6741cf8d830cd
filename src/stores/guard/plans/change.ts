/** How a plan moves once its steps, or who holds it, have changed. Part of the transaction that changed them. */
import { newId } from "../../../lib/ids.ts";
import type { PlanRecord } from "../../../ports/audit-record.ts";
import type { PlanApproval } from "../../../ports/plans-port.ts";
import { appendRecord } from "../outbox/outbox.ts";
import { first } from "../schema.ts";
import { readMeta, type Transaction } from "../transaction.ts";
import {
  approvedOf,
  bodyOf,
  changePlan,
  faultOf,
  findStep,
  isHeld,
  type PlanRow,
  type StepRow,
  statusesOf,
  statusOf,
} from "./rows.ts";

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

interface Of extends Pick<PlanRecord, "changed"> {
  readonly turn?: string | null;
  /** The step at which it failed. */
  readonly failed?: StepRow | undefined;
  /** What a person had approved. */
  readonly withdrawn?: PlanApproval;
}

/** @param row as it is after the event. */
export function recordPlan(
  { sql, keys, now }: Transaction,
  row: PlanRow,
  event: PlanRecord["event"],
  { turn = null, failed, withdrawn, ...more }: Of = {},
): void {
  const owner = readMeta(sql, "owner");
  if (!owner) throw new Error("the object has no owner: nothing was planned in it");
  const body = bodyOf(sql, row);
  const planning = event === "generated" || event === "planning_error";
  const approved = event === "approved" ? approvedOf(row) : null;
  const answer = approved ?? withdrawn;
  const under = turn === null ? undefined : turnOf(sql, turn);
  appendRecord(sql, keys, {
    kind: "plan",
    id: newId("evt", now),
    plan: row.id,
    event,
    tenant: owner.tenant,
    user: owner.user,
    session: row.session,
    at: now,
    role: under?.role ?? body.role,
    status: row.status as PlanRecord["status"],
    tools: body.steps.map(({ tool }) => tool),
    fault: faultIn(event, body.fault, failed),
    digest: answer?.digest ?? null,
    via: answer?.via ?? null,
    by: answer?.by ?? null,
    ...more,
    model: planning ? body.model : null,
    modelCalls: planning ? body.modelCalls : 0,
    usage: planning ? body.usage : null,
    turn,
    policy: approved?.policy ?? under?.policy ?? body.policy,
  });
}

function faultIn(
  event: PlanRecord["event"],
  fault: ReturnType<typeof faultOf>,
  failed: StepRow | undefined,
): PlanRecord["fault"] {
  if (event === "planning_error" && fault) return { code: fault.code, step: fault.step ?? null };
  if (event !== "failed" || !failed) return null;
  return { code: faultOf(failed)?.code ?? "outcome_unknown", step: failed.id };
}

/** Where it is opened already: a plan may be taken before. */
const turnOf = (sql: SqlStorage, id: string): { role: string; policy: string } | undefined =>
  first(sql.exec<{ role: string; policy: string }>("SELECT role, policy FROM turns WHERE id = ?", id));
