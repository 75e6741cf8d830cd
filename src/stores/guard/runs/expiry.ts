/** When runs are deleted, and when the object must wake for one. Parts of a transaction. */
import { SESSION_IDLE_MS } from "../schema.ts";

/** When the next one is over its time; undefined where none is started. */
export function runsDueAt(sql: SqlStorage): number | undefined {
  const { due } = sql
    .exec<{ due: number | null }>("SELECT MIN(deadline) AS due FROM runs WHERE status = 'started'")
    .one();
  return due === null ? undefined : due + 1;
}

/** A started run stays for its record, without what else it holds of the deleted session. */
export function deleteRunsOf(sql: SqlStorage, session: string): void {
  sql.exec("DELETE FROM runs WHERE session = ? AND status <> 'started'", session);
  sql.exec("UPDATE runs SET task = -1, arguments = '{}', extra = NULL WHERE session = ?", session);
}

/** Also runs of deleted sessions that have ended since. */
export function expireRuns(sql: SqlStorage, now: number): void {
  sql.exec("DELETE FROM runs WHERE ended < ?", now - SESSION_IDLE_MS);
  sql.exec("DELETE FROM runs INDEXED BY runs_forgotten WHERE task < 0 AND ended IS NOT NULL");
}

/** When the first that has ended expires. */
export function endedRunsDueAt(sql: SqlStorage): number | undefined {
  const { ended } = sql
    .exec<{ ended: number | null }>("SELECT MIN(ended) AS ended FROM runs WHERE ended IS NOT NULL")
    .one();
  return ended === null ? undefined : ended + SESSION_IDLE_MS + 1;
}
