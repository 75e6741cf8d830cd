/** How long the ledger keeps a run, and when the object must wake for one. Parts of a transaction. */
import { SESSION_IDLE_MS } from "../schema.ts";

/** When the next one is over its time; undefined where none is started. */
export function runsDueAt(sql: SqlStorage): number | undefined {
  const { due } = sql
    .exec<{ due: number | null }>("SELECT MIN(deadline) AS due FROM runs WHERE status = 'started'")
    .one();
  return due === null ? undefined : due + 1;
}

/** What is started has yet to get its record: of a session that is gone nothing else of it is kept. */
export function deleteRunsOf(sql: SqlStorage, session: string): void {
  sql.exec("DELETE FROM runs WHERE session = ? AND status <> 'started'", session);
  sql.exec("UPDATE runs SET task = -1, arguments = '{}', extra = NULL WHERE session = ?", session);
}

/** Of a session that is gone, what was started then has ended since. */
export function expireRuns(sql: SqlStorage, now: number): void {
  sql.exec("DELETE FROM runs WHERE ended < ?", now - SESSION_IDLE_MS);
  sql.exec("DELETE FROM runs INDEXED BY runs_forgotten WHERE task < 0 AND ended IS NOT NULL");
}

/** When the first that has ended is swept. */
export function endedRunsDueAt(sql: SqlStorage): number | undefined {
  const { ended } = sql
    .exec<{ ended: number | null }>("SELECT MIN(ended) AS ended FROM runs WHERE ended IS NOT NULL")
    .one();
  return ended === null ? undefined : ended + SESSION_IDLE_MS + 1;
}
