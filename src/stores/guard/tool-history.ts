/**
 * Which tools were called in a session, for the rules about the order and the number of calls. Stored with the session that the
 * client knows: a client that drops its history, or sends another system prompt, gets a side session of the same conversation. Each
 * function is part of its caller's transaction.
 */
import type { ToolHistory } from "../../policy/facts.ts";
import type { UseLimit } from "../../policy/tool-rules.ts";
import { rootSession } from "../../session/conversation-fingerprint.ts";
import { insertRow, selectAll } from "../objects/sql-rows.ts";

/** A result of a call that was released or run: a made-up result does not count. @param session or side session. */
export function noteResult(sql: SqlStorage, session: string, tool: string, succeeded: boolean): void {
  sql.exec(
    `INSERT INTO session_tools (session, tool, succeeded) VALUES (?, ?, ?)
       ON CONFLICT (session, tool) DO UPDATE SET succeeded = 1 WHERE succeeded < excluded.succeeded`,
    rootSession(session),
    tool,
    succeeded ? 1 : 0,
  );
}

export function readHistory(sql: SqlStorage, root: string): ToolHistory {
  const rows = selectAll<{ tool: string; succeeded: number }>(
    sql,
    "SELECT tool, succeeded FROM session_tools WHERE session = ?",
    root,
  );
  const names = (list: typeof rows) => list.map(({ tool }) => tool);
  return { succeeded: names(rows.filter(({ succeeded }) => succeeded === 1)), read: names(rows) };
}

/** A side session has none. */
export function deleteHistory(sql: SqlStorage, root: string): void {
  for (const table of ["session_tools", "limited_uses"]) sql.exec(`DELETE FROM ${table} WHERE session = ?`, root);
}

/** The place of a call in the session. */
interface UsePlace {
  /** The session or side session, and the session that the client knows. */
  readonly session: string;
  readonly root: string;
  readonly task: number;
  readonly turn: string;
}

export function countUses(sql: SqlStorage, { session, root, task, turn }: UsePlace, { key, per }: UseLimit): number {
  const count = "SELECT COUNT(*) AS n FROM limited_uses WHERE session = ? AND key = ?";
  const counting = (and: string, ...values: SqlStorageValue[]) =>
    sql.exec<{ n: number }>(count + and, root, key, ...values).one().n;
  switch (per) {
    case "turn":
      return counting(" AND turn = ?", turn);
    case "task":
      return counting(" AND thread = ? AND task = ?", session, task);
    case "session":
      return counting("");
  }
}

/** One row for each key, whatever the periods of its limits. @param ordinal as in `uses`. */
export function storeUses(
  sql: SqlStorage,
  { session, root, task, turn }: UsePlace,
  limits: readonly UseLimit[],
  ordinal: number,
): void {
  for (const key of new Set(limits.map((limit) => limit.key)))
    insertRow(sql, "limited_uses", { session: root, key, thread: session, task, turn, ordinal });
}
