/** How long plans are kept, and when the object must wake for one. Parts of a transaction. */

import type { Transaction } from "../transaction.ts";
import { lapse } from "./begin.ts";
import { cancelPlan, dropAsked } from "./cancel.ts";
import { PLAN, type PlanRow } from "./rows.ts";
import { forgetPlan } from "./save.ts";

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
