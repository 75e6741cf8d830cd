/** Putting a plan down, and making room for it. Part of a transaction. */
import { utf8Bytes } from "../../../lib/text/characters.ts";
import { MAX_PLAN_BYTES, MAX_PLANS, type NewPlan } from "../../../ports/plans-port.ts";
import type { Owner } from "../../../session/principal.ts";
import { readMeta, writeMeta } from "../meta.ts";
import type { Transaction } from "../transaction.ts";
import type { Taken } from "./begin.ts";
import { recordPlan } from "./record.ts";
import { findPlan, type PlanRow } from "./rows.ts";
import { statusOf } from "./status.ts";

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

export function forgetPlan(sql: SqlStorage, id: string): void {
  sql.exec("DELETE FROM plan_steps WHERE plan = ?", id);
  sql.exec("DELETE FROM plans WHERE id = ?", id);
}
