/** Exchanges that the client never saw, stored for the length of a task or, within bounds, of the session. Parts of a transaction. */
import { utf8Bytes } from "../../../lib/text/characters.ts";
import { type ExchangeAnchor, type HiddenExchange, outlastsTask } from "../../../ports/turns/hidden-exchange.ts";
import type { SaveHiddenRequest } from "../../../ports/turns/turns-port.ts";
import { rootSession } from "../../../session/conversation-fingerprint.ts";
import { insertRow } from "../../objects/sql-rows.ts";
import { formerAnchor } from "../compat/former-anchor.ts";
import { readTurns, storeTurns, turnsIn } from "./session-turns.ts";
import { readHeld, readOpened, type SessionRow, saveTaskState } from "./sessions.ts";

/** UTF-16 units of one hidden exchange; a row takes 2 MB, and one that does not fit would take the record with it. */
const MAX_EXCHANGE = 512 * 1024;
/** All exchanges of a task: each of its requests gets them, in an answer of at most 32 MB. */
const MAX_EXCHANGES = 4 * 1024 * 1024;

/** UTF-8 bytes of a lasting exchange, and of all that a session keeps. */
const MAX_LASTING = 32 * 1024;
const MAX_ALL_LASTING = 256 * 1024;

/** Those of the task, and those that outlast it in the conversation, in the order they were stored. */
export function readHidden(sql: SqlStorage, session: SessionRow): HiddenExchange[] {
  const rows = sql.exec<{ anchors: string; place: number; messages: string; lasting: number }>(
    `SELECT anchors, place, messages, lasting FROM exchanges
     WHERE (session = ?1 AND task = ?2 AND lasting = 0) OR (session = ?3 AND lasting = 1) ORDER BY ordinal`,
    session.id,
    session.task,
    rootSession(session.id),
  );
  return rows.toArray().map(({ anchors, place, messages, lasting }) => {
    const anchor = JSON.parse(anchors) as ExchangeAnchor | string[];
    return {
      anchor: Array.isArray(anchor) ? formerAnchor(anchor, place, lasting === 1) : anchor,
      messages: JSON.parse(messages) as unknown[],
    };
  });
}

/** Of a turn that is still open, in the task that it was opened in. */
export function saveHidden(sql: SqlStorage, { turn, session, hidden, reminded }: SaveHiddenRequest): void {
  const row = readOpened(sql, session);
  const isOpen = row && turnsIn(row).some(({ id, open, task }) => open && id === turn && task === row.task);
  if (!isOpen) return;
  if (reminded) {
    saveTaskState(sql, { id: session }, { ...readHeld(row).taskState, reminded });
  }
  for (const exchange of hidden) {
    const messages = JSON.stringify(exchange.messages);
    // Without it the model does not see what it tried before: it may try again, and is judged again.
    if (messages.length <= MAX_EXCHANGE) insert(sql, row, exchange, messages);
  }
  // The oldest are dropped first: the model is least likely to try those calls again.
  sql.exec(
    `DELETE FROM exchanges WHERE session = ?1 AND lasting = 0 AND ordinal NOT IN (
       SELECT ordinal FROM (SELECT ordinal, SUM(length(messages)) OVER (ORDER BY ordinal DESC) AS units
                            FROM exchanges WHERE session = ?1 AND lasting = 0) WHERE units <= ?2)`,
    session,
    MAX_EXCHANGES,
  );
}

/** Exchanges with results of tools, beyond the task. One that is too large is left out; the oldest are dropped. */
export function saveRetained(sql: SqlStorage, session: SessionTask, exchanges: readonly HiddenExchange[]): void {
  if (exchanges.length === 0) return;
  const root = rootSession(session.id);
  // The same request, answered twice with the same text from the same runs, is one answer.
  for (const { anchor } of exchanges) {
    const before = "DELETE FROM exchanges WHERE session = ? AND lasting = 1 AND anchors = ?";
    sql.exec(before, root, JSON.stringify(anchor));
  }
  for (const exchange of exchanges) {
    const kept = JSON.stringify(exchange.messages);
    if (utf8Bytes(kept) <= MAX_LASTING) insert(sql, { id: root, task: session.task }, exchange, kept);
  }
  sql.exec(
    `DELETE FROM exchanges WHERE session = ?1 AND lasting = 1 AND ordinal NOT IN (
       SELECT ordinal FROM (SELECT ordinal, SUM(length(CAST(messages AS BLOB))) OVER (ORDER BY ordinal DESC) AS bytes
                            FROM exchanges WHERE session = ?1 AND lasting = 1) WHERE bytes <= ?2)`,
    root,
    MAX_ALL_LASTING,
  );
}

type SessionTask = Pick<SessionRow, "id" | "task">;

function insert(sql: SqlStorage, session: SessionTask, exchange: HiddenExchange, kept: string): void {
  const { anchor } = exchange;
  insertRow(sql, "exchanges", {
    session: session.id,
    task: session.task,
    anchors: JSON.stringify(anchor),
    messages: kept,
    place: "position" in anchor ? anchor.position : 0,
    lasting: outlastsTask(exchange) ? 1 : 0,
  });
}

/** The task is over. */
export const deleteExchanges = (sql: SqlStorage, session: string): void =>
  void sql.exec("DELETE FROM exchanges WHERE session = ? AND lasting = 0", session);

/** A reset trusts the session again: no result of a tool may return, not even from a turn that is still open. */
export function clearRetained(sql: SqlStorage, session: string): void {
  sql.exec("DELETE FROM exchanges WHERE session = ? AND lasting = 1", session);
  const turns = readTurns(sql, session);
  if (turns.some(({ open }) => open))
    storeTurns(
      sql,
      session,
      turns.map((turn) => ({ ...turn, cleared: turn.open })),
    );
}
