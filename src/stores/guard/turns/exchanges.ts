/** Exchanges that the client never saw, kept for the length of a task or, within bounds, of the session. Parts of a transaction. */

import { utf8Bytes } from "../../../lib/text/characters.ts";
import type { HiddenExchange, KeepRequest } from "../../../ports/guard-port.ts";
import { rootSession } from "../../../session/thread.ts";
import { first } from "../schema.ts";
import { readHeld, type SessionRow } from "./sessions.ts";

/** UTF-16 units of one hidden exchange; a row takes 2 MB, and one that does not fit would take the record with it. */
const MAX_EXCHANGE = 512 * 1024;
/** Of all that a task keeps: each of its requests is told the whole, in an answer of at most 32 MB. */
const MAX_EXCHANGES = 4 * 1024 * 1024;

/** UTF-8 bytes of one that lasts, and of all that a session keeps. */
const MAX_LASTING = 32 * 1024;
const MAX_ALL_LASTING = 256 * 1024;

/** Those of the task, and those that last in the conversation, in the order that they were kept in. */
export function readHidden(sql: SqlStorage, session: SessionRow): HiddenExchange[] {
  const rows = sql.exec<{ anchors: string; place: number; messages: string; lasting: number }>(
    `SELECT anchors, place, messages, lasting FROM exchanges
     WHERE (session = ?1 AND task = ?2 AND lasting = 0) OR (session = ?3 AND lasting = 1) ORDER BY ordinal`,
    session.id,
    session.task,
    rootSession(session.id),
  );
  return rows.toArray().map(({ anchors, place, messages, lasting }) => ({
    anchors: JSON.parse(anchors) as string[],
    place,
    messages: JSON.parse(messages) as unknown[],
    ...(lasting === 1 ? { lasting: true as const } : {}),
  }));
}

/** Of a turn that is still open, in the task that it was opened in. */
export function keepHidden(sql: SqlStorage, { turn, session, hidden, reminded }: KeepRequest): void {
  const row = first(
    sql.exec<SessionRow>(
      `SELECT s.* FROM turns t JOIN sessions s ON s.id = t.session AND s.task = t.task
       WHERE t.id = ? AND t.session = ? AND t.open = 1`,
      turn,
      session,
    ),
  );
  if (!row) return;
  if (reminded) {
    const standing = { ...readHeld(row).standing, reminded };
    sql.exec("UPDATE sessions SET standing = ? WHERE id = ?", JSON.stringify(standing), session);
  }
  for (const exchange of hidden) if (!exchange.lasting) keepForTask(sql, row, exchange);
  // The oldest go first: what the model tried before them it is least likely to try again.
  sql.exec(
    `DELETE FROM exchanges WHERE session = ?1 AND lasting = 0 AND ordinal NOT IN (
       SELECT ordinal FROM (SELECT ordinal, SUM(length(messages)) OVER (ORDER BY ordinal DESC) AS units
                            FROM exchanges WHERE session = ?1 AND lasting = 0) WHERE units <= ?2)`,
    session,
    MAX_EXCHANGES,
  );
  keepLasting(
    sql,
    row,
    hidden.filter(({ lasting }) => lasting),
  );
}

function keepForTask(sql: SqlStorage, session: SessionRow, exchange: HiddenExchange): void {
  const kept = JSON.stringify(exchange.messages);
  // Without it the model does not see what it tried before: it may try again, and is judged again.
  if (kept.length <= MAX_EXCHANGE) insert(sql, session, exchange, kept);
}

/** What the model was told by tools, beyond the task. One that is too large is left out; the oldest make room. */
export function keepLasting(sql: SqlStorage, session: SessionRow, exchanges: readonly HiddenExchange[]): void {
  if (exchanges.length === 0) return;
  const root = rootSession(session.id);
  // The same request, answered twice with the same words from the same runs, is one answer.
  for (const { anchors, place } of exchanges) {
    const before = "DELETE FROM exchanges WHERE session = ? AND lasting = 1 AND anchors = ? AND place = ?";
    sql.exec(before, root, JSON.stringify(anchors), place);
  }
  for (const exchange of exchanges) {
    const kept = JSON.stringify(exchange.messages);
    if (utf8Bytes(kept) <= MAX_LASTING)
      insert(sql, { id: root, task: session.task }, { ...exchange, lasting: true }, kept);
  }
  sql.exec(
    `DELETE FROM exchanges WHERE session = ?1 AND lasting = 1 AND ordinal NOT IN (
       SELECT ordinal FROM (SELECT ordinal, SUM(length(CAST(messages AS BLOB))) OVER (ORDER BY ordinal DESC) AS bytes
                            FROM exchanges WHERE session = ?1 AND lasting = 1) WHERE bytes <= ?2)`,
    root,
    MAX_ALL_LASTING,
  );
}

type Owner = Pick<SessionRow, "id" | "task">;

function insert(sql: SqlStorage, session: Owner, { anchors, place, lasting }: HiddenExchange, kept: string): void {
  sql.exec(
    "INSERT INTO exchanges (session, task, anchors, place, messages, lasting) VALUES (?, ?, ?, ?, ?, ?)",
    session.id,
    session.task,
    JSON.stringify(anchors),
    place,
    kept,
    lasting ? 1 : 0,
  );
}

/** The task is over. */
export const forgetExchanges = (sql: SqlStorage, session: string): void =>
  void sql.exec("DELETE FROM exchanges WHERE session = ? AND lasting = 0", session);

/** A reset trusts the session again: of what tools have told nothing may come back, not even by a turn that is still open. */
export function clearLasting(sql: SqlStorage, session: string): void {
  sql.exec("DELETE FROM exchanges WHERE session = ? AND lasting = 1", session);
  sql.exec("UPDATE turns SET cleared = 1 WHERE session = ? AND open = 1", session);
}
