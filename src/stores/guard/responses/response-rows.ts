/** The rows of kept responses. Each function is part of a transaction. */
import { selectAll, selectOne } from "../../objects/sql-rows.ts";

/** UTF-16 units of a piece: at most 1.5 MB of UTF-8; a row takes 2. */
const PIECE = 500_000;

type PartKind = "input" | "output" | "response";

export interface ThreadRow {
  readonly id: string;
  readonly session: string;
  readonly named: number;
  readonly metadata: string;
  readonly created: number;
  readonly seen: number;
  readonly units: number;
}

export interface ResponseRow {
  readonly ordinal: number;
  readonly id: string;
  readonly thread: string;
  readonly previous: string | null;
  readonly length: number;
  readonly units: number;
}

export const findThread = (sql: SqlStorage, id: string): ThreadRow | undefined =>
  selectOne<ThreadRow>(sql, "SELECT * FROM response_threads WHERE id = ?", id);

export const findResponse = (sql: SqlStorage, id: string): ResponseRow | undefined =>
  selectOne<ResponseRow>(sql, "SELECT * FROM responses WHERE id = ?", id);

export const responsesIn = (sql: SqlStorage, thread: string): ResponseRow[] =>
  selectAll<ResponseRow>(sql, "SELECT * FROM responses WHERE thread = ? ORDER BY ordinal", thread);

export function readPart(sql: SqlStorage, response: number, kind: PartKind): string {
  const pieces = selectAll<{ text: string }>(
    sql,
    "SELECT text FROM response_parts WHERE response = ? AND kind = ? ORDER BY place",
    response,
    kind,
  );
  return pieces.map(({ text }) => text).join("");
}

export function writePart(sql: SqlStorage, response: number, kind: PartKind, text: string): void {
  let place = 0;
  for (let from = 0; from < text.length; place += 1) {
    const piece = pieceAt(text, from);
    sql.exec(
      "INSERT INTO response_parts (response, kind, place, text) VALUES (?, ?, ?, ?)",
      response,
      kind,
      place,
      piece,
    );
    from += piece.length;
  }
}

export function replacePart(sql: SqlStorage, response: number, kind: PartKind, text: string): void {
  sql.exec("DELETE FROM response_parts WHERE response = ? AND kind = ?", response, kind);
  writePart(sql, response, kind, text);
}

/** Never ends within a surrogate pair: half of one could not be stored. */
function pieceAt(text: string, from: number): string {
  const end = from + PIECE;
  const isHalf = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return text.slice(from, isHalf ? end - 1 : end);
}

export function deleteResponse(sql: SqlStorage, { ordinal, thread, units }: ResponseRow): void {
  sql.exec("DELETE FROM response_items WHERE response = ?", ordinal);
  sql.exec("DELETE FROM response_parts WHERE response = ?", ordinal);
  sql.exec("DELETE FROM responses WHERE ordinal = ?", ordinal);
  sql.exec("UPDATE response_threads SET units = units - ? WHERE id = ?", units, thread);
  sql.exec(
    "DELETE FROM response_threads WHERE id = ?1 AND named = 0 AND NOT EXISTS (SELECT 1 FROM responses WHERE thread = ?1)",
    thread,
  );
}

export function deleteThread(sql: SqlStorage, id: string): void {
  for (const row of responsesIn(sql, id)) deleteResponse(sql, row);
  sql.exec("DELETE FROM response_threads WHERE id = ?", id);
}

/**
 * Deletes what a session leaves that its user deletes: the threads that it was the last in, and its responses in others. A response
 * that continues one of those is unknown from then on.
 * @returns whether there was anything.
 */
export function deleteResponsesOf(sql: SqlStorage, session: string): boolean {
  const threads = selectAll<{ id: string }>(
    sql,
    "SELECT id FROM response_threads WHERE session <> '' AND session = ?",
    session,
  );
  for (const { id } of threads) deleteThread(sql, id);
  const rows = selectAll<ResponseRow>(sql, "SELECT * FROM responses WHERE session <> '' AND session = ?", session);
  for (const row of rows) deleteResponse(sql, row);
  return threads.length + rows.length > 0;
}
