/** The audit record of what happened to a plan. */
import { newId } from "../../../lib/ids.ts";
import type { PlanRecord } from "../../../ports/audit-record.ts";
import type { PlanApproval } from "../../../ports/plans-port.ts";
import { readMeta } from "../meta.ts";
import { appendRecord } from "../outbox/outbox.ts";
import { first } from "../schema.ts";
import type { Transaction } from "../transaction.ts";
import { approvedOf, bodyOf, faultOf, type PlanRow, type StepRow } from "./rows.ts";

interface Of extends Pick<PlanRecord, "changed" | "replaced"> {
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
