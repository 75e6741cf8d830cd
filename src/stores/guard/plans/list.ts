/** A user's plans, page by page. Reads only. */
import type { KeptPlan, NewPlan, PlansQuery } from "../../../ports/plans-port.ts";
import { PLAN, type PlanRow, stepsOf } from "./rows.ts";
import { type Told, toKept } from "./tell.ts";

/** UTF-16 units of one page: an answer takes 32 MB. */
const MAX_TOLD = 4 * 1024 * 1024;
const NO_RESULTS: ReadonlyMap<number, Told> = new Map();

/** By id, which begins with the time. At least one of those that there are. */
export function listPlans(
  sql: SqlStorage,
  { status, limit, after, order }: PlansQuery,
  now: number,
): { data: KeptPlan[]; hasMore: boolean } {
  const { beyond, direction } =
    order === "desc" ? { beyond: "<", direction: "DESC" } : { beyond: ">", direction: "ASC" };
  const is = "CASE WHEN turn IS NOT NULL AND until > ?1 THEN 'running' ELSE status END";
  const rows = sql.exec<PlanRow & { body: string }>(
    `SELECT ${PLAN}, body FROM plans WHERE (expires > ?1 OR until > ?1) AND (?2 IS NULL OR ${is} = ?2) AND (?3 IS NULL OR id ${beyond} ?3)
     ORDER BY id ${direction} LIMIT ?4`,
    now,
    status ?? null,
    after ?? null,
    limit + 1,
  );
  const data: KeptPlan[] = [];
  let units = 0;
  for (const row of rows) {
    units += row.body.length + row.filled.length;
    if (data.length === limit || (units > MAX_TOLD && data.length > 0)) return { data, hasMore: true };
    data.push(toKept(row, JSON.parse(row.body) as NewPlan, stepsOf(sql, row.id), NO_RESULTS, now));
  }
  return { data, hasMore: false };
}
