/** Putting a plan down, and making room for it. Part of a transaction. */
import { utf8Bytes } from "../../../lib/text/characters.ts";
import { MAX_PLAN_BYTES, MAX_PLANS, type NewPlan } from "../../../ports/plans-port.ts";
import type { Owner } from "../../../session/principal.ts";
import { cancelApproval } from "../approvals/end-approvals.ts";
import { type ApprovalRow, bodyOf, findApproval } from "../approvals/rows.ts";
import { readMeta, type Transaction, writeMeta } from "../transaction.ts";
import { lapse, type Taken } from "./begin.ts";
import { noteChange, recordPlan } from "./change.ts";
import { changeStep, findPlan, hasEnded, PLAN, type PlanRow, statusOf, stepsOf } from "./rows.ts";

/** Throws where it is too large. */
export function savePlan(stores: Transaction, { tenant, user }: Owner, plan: NewPlan): Taken {
  const { sql, now } = stores;
  const known = findPlan(sql, plan.id, now);
  if (known) return { ok: true, row: known };
  const body = JSON.stringify(plan);
  if (utf8Bytes(body) > MAX_PLAN_BYTES) throw new Error("the plan is too large to keep");
  if (!makeRoom(sql)) return { ok: false, refusal: "full" };
  if (!readMeta(sql, "owner")) writeMeta(sql, "owner", { tenant, user });
  const status = statusOf(
    plan.steps.map(() => "ready"),
    false,
  );
  sql.exec(
    `INSERT INTO plans (id, session, status, begun, until, filled, keep_ms, created, updated, expires, body)
     VALUES (?1, ?2, ?3, 0, 0, '{}', ?4, ?5, ?5, ?6, ?7)`,
    plan.id,
    plan.session,
    status,
    plan.keepMs,
    now,
    now + plan.keepMs,
    body,
  );
  for (const [place, { id, tool }] of plan.steps.entries()) {
    sql.exec(
      "INSERT INTO plan_steps (plan, place, id, tool, status) VALUES (?, ?, ?, ?, 'ready')",
      plan.id,
      place,
      id,
      tool,
    );
  }
  const row = findPlan(sql, plan.id, now) as PlanRow;
  recordPlan(stores, row, plan.fault ? "planning_error" : "generated");
  return { ok: true, row };
}

/** @returns whether there is any. */
function makeRoom(sql: SqlStorage): boolean {
  const { n } = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM plans").one();
  if (n < MAX_PLANS) return true;
  const gone = sql
    .exec<{ id: string }>(
      "SELECT id FROM plans WHERE status IN ('finished', 'cancelled', 'empty') AND until = 0 ORDER BY updated, id LIMIT ?",
      n - MAX_PLANS + 1,
    )
    .toArray();
  if (gone.length <= n - MAX_PLANS) return false;
  for (const { id } of gone) forgetPlan(sql, id);
  return true;
}

function forgetPlan(sql: SqlStorage, id: string): void {
  sql.exec("DELETE FROM plan_steps WHERE plan = ?", id);
  sql.exec("DELETE FROM plans WHERE id = ?", id);
}

export function tidyPlans(stores: Transaction): void {
  const { sql, now } = stores;
  const lapsed = sql.exec<PlanRow>(`SELECT ${PLAN} FROM plans WHERE until > 0 AND until <= ?`, now).toArray();
  for (const row of lapsed) lapse(stores, row);
  const over = sql.exec<PlanRow>(`SELECT ${PLAN} FROM plans WHERE expires <= ?1 AND until = 0`, now).toArray();
  for (const row of over) {
    dropAsked(stores, row);
    forgetPlan(sql, row.id);
  }
}

/** As the user wishes: with the session that its calls are made in the plan goes. @returns whether there was one. */
export function forgetPlansOf(stores: Transaction, session: string): boolean {
  const rows = stores.sql.exec<{ id: string }>("SELECT id FROM plans WHERE session = ?", session).toArray();
  for (const { id } of rows) {
    cancelPlan(stores, id);
    forgetPlan(stores.sql, id);
  }
  return rows.length > 0;
}

/** When the next lease or the next plan is over; undefined where there is none. */
export function plansDueAt(sql: SqlStorage): number | undefined {
  const { due } = sql
    .exec<{ due: number | null }>(
      `SELECT MIN(due) AS due FROM (SELECT MIN(until) AS due FROM plans WHERE until > 0
         UNION ALL SELECT MIN(expires) FROM plans WHERE until = 0)`,
    )
    .one();
  return due ?? undefined;
}

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
function dropAsked({ sql, keys, now }: Transaction, row: PlanRow): void {
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
