/** The turns that a user's object holds, as its rows have them. */
import { type SessionTurn, storeTurns, turnsIn } from "../../../src/stores/guard/turns/session-turns.ts";

const rows = (sql: SqlStorage) =>
  sql.exec<{ id: string; turn_list: string }>("SELECT id, turn_list FROM sessions").toArray();

export const turnsOf = (sql: SqlStorage): SessionTurn[] => rows(sql).flatMap(turnsIn);

export function changeTurns(sql: SqlStorage, change: (turn: SessionTurn) => SessionTurn): void {
  for (const row of rows(sql)) storeTurns(sql, row.id, turnsIn(row).map(change));
}

export const anHourOlder = (turn: SessionTurn): SessionTurn => ({ ...turn, at: turn.at - 3600_000 });
