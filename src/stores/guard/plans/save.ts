/** Stores a new plan, makes room for it, and deletes plans. Parts of a transaction. */
import { utf8Bytes } from "../../../lib/text/characters.ts";
import { MAX_PLAN_BYTES, MAX_PLANS, type NewPlan } from "../../../ports/plans-port.ts";
import type { Owner } from "../../../session/principal.ts";
import { insertReturning, insertRow, selectAll } from "../../objects/sql-rows.ts";
import { noteOwner, type Transaction } from "../transaction.ts";
import { cancelPlan, expireLease, type PlanResult, stopAsking } from "./begin.ts";
import { recordPlan } from "./change.ts";
import { findPlan, PLAN, type PlanRow, statusOf } from "./rows.ts";

/** Throws if it is too large. */
export function savePlan(transaction: Transaction, owner: Owner, plan: NewPlan): PlanResult {
  const { sql, now } = transaction;
  const { id, session, steps, keepMs, fault } = plan;
  const known = findPlan(sql, id, now);
  if (known) return { ok: true, row: known };
  const body = JSON.stringify(plan);
  if (utf8Bytes(body) > MAX_PLAN_BYTES) throw new Error("the plan is too large to keep");
  if (!makeRoom(sql)) return { ok: false, refusal: "full" };
  noteOwner(sql, owner);
  const statuses = steps.map(() => "ready" as const);
  const row = insertReturning<PlanRow>(sql, "plans", {
    id,
    session,
    status: statusOf(statuses, false),
    begun: 0,
    until: 0,
    filled: "{}",
    body,
    keep_ms: keepMs,
    created: now,
    updated: now,
    expires: now + keepMs,
  });
  for (const [place, { id: step, tool }] of steps.entries())
    insertRow(sql, "plan_steps", { plan: id, place, id: step, tool, status: "ready" });
  recordPlan(transaction, row, fault ? "planning_error" : "generated");
  return { ok: true, row };
}

/** @returns whether there is any. */
function makeRoom(sql: SqlStorage): boolean {
  const { n } = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM plans").one();
  if (n < MAX_PLANS) return true;
  const ended = selectAll<{ id: string }>(
    sql,
    "SELECT id FROM plans WHERE status IN ('finished', 'cancelled', 'empty') AND until = 0 ORDER BY updated, id LIMIT ?",
    n - MAX_PLANS + 1,
  );
  if (ended.length <= n - MAX_PLANS) return false;
  for (const { id } of ended) deletePlan(sql, id);
  return true;
}

export function expirePlans(transaction: Transaction): void {
  const { sql, now } = transaction;
  const plans = (where: string) => selectAll<PlanRow>(sql, `SELECT ${PLAN} FROM plans WHERE ${where}`, now);
  for (const row of plans("until > 0 AND until <= ?")) expireLease(transaction, row);
  for (const row of plans("expires <= ? AND until = 0")) {
    stopAsking(transaction, row);
    deletePlan(sql, row.id);
  }
}

/** The plan is deleted with the session that its calls are made in. @returns whether there was one. */
export function deletePlansOf(transaction: Transaction, session: string): boolean {
  const { sql } = transaction;
  const rows = selectAll<{ id: string }>(sql, "SELECT id FROM plans WHERE session = ?", session);
  for (const { id } of rows) {
    cancelPlan(transaction, id);
    deletePlan(sql, id);
  }
  return rows.length > 0;
}

function deletePlan(sql: SqlStorage, id: string): void {
  sql.exec("DELETE FROM plan_steps WHERE plan = ?", id);
  sql.exec("DELETE FROM plans WHERE id = ?", id);
}
