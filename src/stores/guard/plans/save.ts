/** Putting a plan down, and making room for it. Part of a transaction. */
import { MAX_PLAN_BYTES, MAX_PLANS, type NewPlan } from "../../../turn/plans-port.ts";
import { type Owner, readMeta, writeMeta } from "../meta.ts";
import { bytesOf } from "../runs/bytes.ts";
import { recordPlan, type Stores } from "./record.ts";
import { findPlan, type PlanRow } from "./rows.ts";
import { statusOf } from "./status.ts";

/** Throws where it is too large, or there is no room. */
export function savePlan(stores: Stores, { tenant, user }: Owner, plan: NewPlan): PlanRow {
  const { sql, now } = stores;
  const known = findPlan(sql, plan.id, now);
  if (known) return known;
  const body = JSON.stringify(plan);
  if (bytesOf(body) > MAX_PLAN_BYTES) throw new Error("the plan is too large to keep");
  if (!readMeta(sql, "owner")) writeMeta(sql, "owner", { tenant, user });
  makeRoom(sql);
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
  return row;
}

function makeRoom(sql: SqlStorage): void {
  const { n } = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM plans").one();
  if (n < MAX_PLANS) return;
  const gone = sql
    .exec<{ id: string }>(
      "SELECT id FROM plans WHERE status IN ('finished', 'cancelled', 'empty') AND until = 0 ORDER BY updated, id LIMIT ?",
      n - MAX_PLANS + 1,
    )
    .toArray();
  if (gone.length <= n - MAX_PLANS) throw new Error(`the user has ${n} plans that have not ended: cancel some`);
  for (const { id } of gone) forgetPlan(sql, id);
}

export function forgetPlan(sql: SqlStorage, id: string): void {
  sql.exec("DELETE FROM plan_steps WHERE plan = ?", id);
  sql.exec("DELETE FROM plans WHERE id = ?", id);
}
