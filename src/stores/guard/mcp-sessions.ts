/** What MCP sessions of a user have besides: subscriptions, and an end. */
import { HOUR_MS } from "../../lib/time.ts";
import type { McpSessionsPort } from "../../ports/guard-port.ts";
import { exists, selectAll, selectOne } from "../objects/sql-rows.ts";
import { SESSION_IDLE_MS } from "./lifetimes.ts";
import type { GuardContext, Transaction } from "./transaction.ts";
import { deleteSession } from "./turns/sessions.ts";

const MAX_SESSION_SUBSCRIPTIONS = 64;
const MAX_USER_SUBSCRIPTIONS = 1_000;
/** A stream lists every few seconds: that its session is still in use is written down this seldom. */
const TOUCH_MS = HOUR_MS;

export const mcpSessionsApi = (context: GuardContext): McpSessionsPort => ({
  end: async (session) =>
    context.change((transaction) => {
      deleteSession(transaction, session);
      const { sql, now } = transaction;
      sql.exec("INSERT INTO ended_sessions (id, at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING", session, now);
    }),
  isOver: async (session) =>
    context.read(({ sql }) => exists(sql, "SELECT 1 AS one FROM ended_sessions WHERE id = ?", session)),
  subscribe: async (session, uri) => context.change((transaction) => add(transaction, session, uri)),
  unsubscribe: async (session, uri) =>
    context.read(({ sql }) => void sql.exec("DELETE FROM subscriptions WHERE session = ? AND uri = ?", session, uri)),
  subscriptions: async (session) => context.read((transaction) => list(transaction, session)),
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

/** Subscriptions of sessions that nobody has listened in for long, and ends that nobody will ask for. */
export function expireMcpSessions({ sql, now }: Transaction): void {
  sql.exec("DELETE FROM subscriptions WHERE used <= ?", now - SESSION_IDLE_MS);
  sql.exec("DELETE FROM ended_sessions WHERE at <= ?", now - SESSION_IDLE_MS);
}
