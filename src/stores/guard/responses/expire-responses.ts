/** Expires stored responses: those whose thread is unused, and the oldest if the user has too many. */
import { selectAll, selectOne } from "../../objects/sql-rows.ts";
import { KEPT_MS } from "../lifetimes.ts";
import type { Transaction } from "../transaction.ts";
import { deleteThread } from "./response-rows.ts";

/** UTF-16 units of everything that is stored for one user. */
const MAX_UNITS = 64 * 1024 * 1024;
/** Threads of one user. */
const MAX_THREADS = 10_000;
/** Threads in one transaction. */
const MAX_EXPIRED = 200;

export function expireResponses({ sql, now }: Transaction): void {
  const text = `SELECT id FROM response_threads WHERE seen <= ? ORDER BY seen LIMIT ${MAX_EXPIRED}`;
  for (const { id } of selectAll<{ id: string }>(sql, text, now - KEPT_MS)) deleteThread(sql, id);
}

/** Deletes the threads that were used longest ago. @param kept the one in use. */
export function capResponses(sql: SqlStorage, kept: string): void {
  const sums = "SELECT COUNT(*) AS threads, COALESCE(SUM(units), 0) AS units FROM response_threads";
  let { threads, units } = selectOne<{ threads: number; units: number }>(sql, sums) ?? { threads: 0, units: 0 };
  while (threads > MAX_THREADS || units > MAX_UNITS) {
    const oldest = selectOne<{ id: string; units: number }>(
      sql,
      "SELECT id, units FROM response_threads WHERE id <> ? ORDER BY seen, id LIMIT 1",
      kept,
    );
    if (!oldest) return;
    deleteThread(sql, oldest.id);
    threads -= 1;
    units -= oldest.units;
  }
}
