/** The steps that store a turn in fewer rows: a row that is written costs far more than one that is read. */
import { exists } from "../../objects/sql-rows.ts";

/**
 * Version 20. Fewer rows a turn: records that are delivered in order are noted in one row of meta (\`delivered\`), the chain's head is the
 * last row of the outbox, and calls of a turn are found by their session and task.
 */
export const FEWER_ROWS = `
DROP INDEX outbox_waiting;
DROP INDEX outbox_delivered;
CREATE INDEX outbox_refused ON outbox (refused, seq) WHERE refused > 0;
DROP INDEX calls_turn;
INSERT INTO meta (key, value)
SELECT 'delivered', json_object('seq', seq, 'at', COALESCE((SELECT MAX(delivered) FROM outbox), 0), 'marks', json('[]'))
FROM (SELECT COALESCE(
  (SELECT MIN(seq) - 1 FROM outbox WHERE delivered IS NULL AND refused = 0),
  (SELECT json_extract(value, '$.seq') FROM meta WHERE key = 'head')) AS seq) WHERE seq IS NOT NULL;
`;

/**
 * Version 22. Fewer rows a turn: a session's turns are in its own row, with the pair that its client is found by. `turns` has those whose
 * session was deleted while they were open, `pairs` a second pair of a session.
 */
export function turnsIntoSessions(sql: SqlStorage): void {
  const has = (table: string) => exists(sql, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table);
  sql.exec("DROP INDEX IF EXISTS turns_digest");
  if (has("sessions"))
    // pair: digest, NULL where it has none. turn_list: JSON list of `SessionTurn`. opened: when the oldest of them that is open was opened.
    sql.exec(`
      ALTER TABLE sessions ADD COLUMN pair TEXT;
      ALTER TABLE sessions ADD COLUMN turn_list TEXT NOT NULL DEFAULT '[]';
      ALTER TABLE sessions ADD COLUMN opened INTEGER;
    `);
  if (!has("turns")) return;
  const flag = (column: string) => `json(CASE ${column} WHEN 1 THEN 'true' ELSE 'false' END)`;
  if (has("sessions"))
    sql.exec(`
      UPDATE sessions SET opened = (SELECT MIN(at) FROM turns t WHERE t.session = sessions.id AND t.open = 1 AND t.task >= 0),
        turn_list = (SELECT json_group_array(json_object('id', id, 'task', task, 'epoch', epoch, 'digest', digest, 'at', at, 'model', model,
          'role', role, 'grants', grants, 'mode', mode, 'policy', policy, 'open', ${flag("open")}, 'settled', json(settled),
          'reset', ${flag("reset")}, 'cleared', ${flag("cleared")})) FROM turns t WHERE t.session = sessions.id AND t.task >= 0)
      WHERE id IN (SELECT session FROM turns WHERE task >= 0);
      DELETE FROM turns WHERE task >= 0 AND session IN (SELECT id FROM sessions);
    `);
  sql.exec("DELETE FROM turns WHERE open = 0");
}

/**
 * Version 23. One row for a released call, which had two: `kept_calls` kept it for 30 days, `calls` as long as its session lived. A run
 * has a row too, for the list and its undo. `tables.ts` has the columns:
 *  - ordinal: of a run it is below zero. session, task, turn: those that released it; task and turn are NULL in a row of a run.
 *  - session_created: of the session at that time, so that no other session of the same id takes the call for its own; NULL: of none.
 *  - recorded: JSON, as in the audit record. arguments: compact JSON; NULL where `recorded` says the same, or they are no longer needed.
 *  - keeps: 1 where the arguments stay, since the call can be undone, or is an undo; else they go once the call is settled.
 *  - extra, soft, epoch, families, replayed, withdrawn: as before in `calls`. undoable, result, undoes, undone_by, undo_key, asked: as in
 *    `kept_calls`. outcome: NULL until it is settled.
 */
export function callsInOneTable(sql: SqlStorage): void {
  const has = (table: string) => exists(sql, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table);
  const [released, kept] = [has("calls"), has("kept_calls")];
  if (!released && !kept) return;
  const created = has("sessions") ? "(SELECT created FROM sessions s WHERE s.id = c.session)" : "NULL";
  for (const index of ["calls_session", "calls_soft", "calls_pending"]) sql.exec(`DROP INDEX IF EXISTS ${index}`);
  if (released) sql.exec("ALTER TABLE calls RENAME TO released_calls");
  sql.exec(`
    CREATE TABLE calls (
      ordinal INTEGER PRIMARY KEY, decision TEXT NOT NULL, session TEXT NOT NULL, session_created INTEGER, task INTEGER, turn TEXT,
      call_id TEXT NOT NULL, tool TEXT NOT NULL, at INTEGER NOT NULL, recorded TEXT NOT NULL, arguments TEXT, keeps INTEGER NOT NULL,
      undoable INTEGER NOT NULL, extra TEXT, soft INTEGER NOT NULL DEFAULT 0, epoch INTEGER, families TEXT NOT NULL DEFAULT '[]',
      replayed INTEGER NOT NULL DEFAULT 0, withdrawn INTEGER NOT NULL DEFAULT 0, outcome TEXT, result TEXT, undoes TEXT, undone_by TEXT,
      undo_key TEXT, asked TEXT
    )`);
  const columns = `ordinal, decision, session, session_created, task, turn, call_id, tool, at, recorded, arguments, keeps, undoable, extra,
    soft, epoch, families, replayed, withdrawn, outcome, result, undoes, undone_by, undo_key, asked`;
  const ofKept = kept
    ? "k.result, k.undoes, k.undone_by, k.undo_key, k.asked FROM released_calls c LEFT JOIN kept_calls k ON k.decision = c.decision"
    : "NULL, NULL, NULL, NULL, NULL FROM released_calls c";
  const keptOr = (column: string, other: string) => (kept ? `COALESCE(k.${column}, ${other})` : other);
  const keptArguments = kept ? "k.arguments" : "NULL";
  if (released)
    sql.exec(`
      INSERT INTO calls (${columns})
      SELECT c.ordinal, c.decision, c.session, ${created}, c.task, c.turn, c.call_id, c.tool, c.at, ${keptOr("recorded", "'null'")},
        CASE WHEN c.outcome IS NULL THEN c.arguments ELSE ${keptArguments} END, ${keptArguments} IS NOT NULL, ${keptOr("undoable", "0")},
        c.extra, c.soft, c.epoch, c.families, c.replayed, c.withdrawn, c.outcome, ${ofKept};
      DROP TABLE released_calls`);
  if (!kept) return;
  // Of calls whose session is gone, and of runs. No use is found by these ordinals any more.
  sql.exec(`
    INSERT INTO calls (${columns})
    SELECT -ROW_NUMBER() OVER (ORDER BY decision), decision, session, NULL, NULL, NULL, call_id, tool, at, recorded, arguments,
      arguments IS NOT NULL, undoable, NULL, 0, NULL, '[]', 0, 0, outcome, result, undoes, undone_by, undo_key, asked
    FROM kept_calls WHERE decision NOT IN (SELECT decision FROM calls);
    DROP TABLE kept_calls`);
}
