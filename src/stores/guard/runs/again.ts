/** The runs of an earlier try of the same request: the turn continues from them, and runs none of them again. */
import type { OpenRequest } from "../../../ports/turns-port.ts";
import { first, RETRY_MS } from "../schema.ts";
import type { SessionRow } from "../turns/sessions.ts";
import type { RunRow } from "./rows.ts";

/**
 * Those of the last try in the session's task that holds any. It counts for RETRY_MS, from when it was opened and from when a
 * run of it ended, and as long as one is started. Where nothing was started there is nothing to go on from: it may be tried anew.
 *
 * A change since (role, mode, policy, connections, a consent) does not hide them: the run is done, and a model that does not see it
 * would run it again. They allow nothing new, and their results belong to the conversation, like those of any earlier turn. Reads
 * only.
 */
export function runsOfEarlier(sql: SqlStorage, session: SessionRow, request: OpenRequest, now: number): RunRow[] {
  const earlier = first(
    sql.exec<{ id: string }>(
      `SELECT t.id FROM turns t
       WHERE t.digest = ?1 AND t.session = ?2 AND t.task = ?3 AND t.reset = ?5 AND EXISTS (SELECT 1 FROM runs r WHERE r.holder = t.id
         AND r.status <> 'not_started' AND (r.status = 'started' OR r.ended > ?4 OR t.at > ?4))
       ORDER BY t.at DESC LIMIT 1`,
      request.digest,
      session.id,
      session.task,
      now - RETRY_MS,
      request.reset ? 1 : 0,
    ),
  );
  if (!earlier) return [];
  return sql.exec<RunRow>("SELECT * FROM runs WHERE holder = ? ORDER BY step, ordinal", earlier.id).toArray();
}

/**
 * Moves the runs to the turn, with the approvals that the earlier turn ended: the next try finds them there. Their steps come before
 * its own, which begin with 0 where it acts on a person's answer. Changes `rows`.
 */
export function moveRuns(sql: SqlStorage, rows: readonly RunRow[], turn: string): void {
  const taken = rows.filter(({ holder }) => holder !== turn);
  const last = Math.max(...taken.map(({ step }) => step));
  for (const earlier of new Set(taken.map(({ holder }) => holder))) {
    sql.exec("UPDATE approvals SET ended_turn = ? WHERE ended_turn = ?", turn, earlier);
  }
  for (const row of taken) {
    Object.assign(row, { holder: turn, step: row.step - last - 1 });
    sql.exec("UPDATE runs SET holder = ?, step = ? WHERE ordinal = ?", row.holder, row.step, row.ordinal);
  }
}
