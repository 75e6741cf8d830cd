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
export function forgetRunsOf(sql: SqlStorage, session: string): void {
  sql.exec("DELETE FROM runs WHERE session = ? AND status <> 'started'", session);
  sql.exec("UPDATE runs SET task = -1, arguments = '{}', extra = NULL WHERE session = ?", session);
}

export function sweepRuns(sql: SqlStorage, now: number): void {
  sql.exec(`UPDATE runs SET task = -1, arguments = '{}', extra = NULL
    WHERE status = 'started' AND task >= 0 AND session NOT IN (SELECT id FROM sessions)`);
  sql.exec(
    "DELETE FROM runs WHERE ended IS NOT NULL AND (ended < ? OR task < 0 OR session NOT IN (SELECT id FROM sessions))",
    now - SESSION_IDLE_MS,
  );
}
