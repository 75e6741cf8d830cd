/**
 * What sessions of MCP clients have beside what every session has: subscriptions, and an end. They are stored, since one isolate may
 * get a request, and another its answer.
 */
import { HOUR_MS } from "../../lib/time.ts";
import { exists, selectAll, selectOne } from "../objects/sql-rows.ts";
import { SESSION_IDLE_MS } from "./lifetimes.ts";
import type { GuardContext, Transaction } from "./transaction.ts";
import { deleteSession } from "./turns/sessions.ts";

const MAX_SESSION_SUBSCRIPTIONS = 64;
const MAX_USER_SUBSCRIPTIONS = 1_000;
/** A stream lists every few seconds: its use is stored only this often. */
const TOUCH_MS = HOUR_MS;

export const mcpSessionsApi = (context: GuardContext) => ({
  /** Deletes the session, and remembers for a day that it is over. */
  end: async (session: string) =>
    context.change((transaction) => {
      deleteSession(transaction, session);
      const { sql, now } = transaction;
      sql.exec("INSERT INTO ended_sessions (id, at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING", session, now);
    }),
  isOver: async (session: string) =>
    context.read(({ sql }) => exists(sql, "SELECT 1 AS one FROM ended_sessions WHERE id = ?", session)),
  /**
   * Notifies the session of changes of a resource of a relayed server.
   * @returns false if the session, or the user, has as many subscriptions as are stored.
   */
  subscribe: async (session: string, uri: string) => context.change((transaction) => add(transaction, session, uri)),
  unsubscribe: async (session: string, uri: string) =>
    context.read(({ sql }) => void sql.exec("DELETE FROM subscriptions WHERE session = ? AND uri = ?", session, uri)),
  /** The URIs. They are forgotten a day after they were last read. */
  subscriptions: async (session: string) => context.read((transaction) => list(transaction, session)),
});

function add({ sql, now }: Transaction, session: string, uri: string): boolean {
  if (exists(sql, "SELECT 1 AS one FROM subscriptions WHERE session = ? AND uri = ?", session, uri)) return true;
  const count = selectOne<{ own: number; total: number }>(
    sql,
    "SELECT COALESCE(SUM(session = ?), 0) AS own, COUNT(*) AS total FROM subscriptions",
    session,
  );
  if (!count || count.own >= MAX_SESSION_SUBSCRIPTIONS || count.total >= MAX_USER_SUBSCRIPTIONS) return false;
  sql.exec("INSERT INTO subscriptions (session, uri, used) VALUES (?, ?, ?)", session, uri, now);
  return true;
}

function list({ sql, now }: Transaction, session: string): readonly string[] {
  sql.exec("UPDATE subscriptions SET used = ? WHERE session = ? AND used < ?", now, session, now - TOUCH_MS);
  return selectAll<{ uri: string }>(sql, "SELECT uri FROM subscriptions WHERE session = ? ORDER BY uri", session).map(
    ({ uri }) => uri,
  );
}

/** Deletes subscriptions of sessions without a listener for a long time, and ends that no client will ask about. */
export function expireMcpSessions({ sql, now }: Transaction): void {
  sql.exec("DELETE FROM subscriptions WHERE used <= ?", now - SESSION_IDLE_MS);
  sql.exec("DELETE FROM ended_sessions WHERE at <= ?", now - SESSION_IDLE_MS);
}
