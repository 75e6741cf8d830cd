/** The providers that a user has linked, as operators set them. Each function is part of a transaction. */
import { newId } from "../../lib/ids.ts";
import { isSameSet } from "../../lib/unique.ts";
import type { Connection, ConnectionToSet } from "../../ports/connections-port.ts";
import type { ConnectionRecord } from "../../ports/operator-records.ts";
import type { Owner } from "../../session/principal.ts";
import { selectAll, selectOne } from "../objects/sql-rows.ts";
import { appendRecord } from "./outbox/record-chain.ts";
import { type GuardContext, noteOwner, type Transaction } from "./transaction.ts";

export const connectionsApi = (context: GuardContext) => ({
  list: async () => listConnections(context.sql),
  /**
   * Replaces all connections. A connection without a new token keeps its token if its hosts are the same. Each change and each
   * removal is recorded. The same call once more changes nothing.
   * @param by who sets them.
   */
  replace: async (owner: Owner, connections: readonly ConnectionToSet[], by: string) =>
    context.change((transaction) => replaceConnections(transaction, owner, connections, by)),
  /** @returns false if there was none. */
  remove: async (provider: string, by: string) =>
    context.change((transaction) => removeConnection(transaction, provider, by)),
  token: async (provider: string, host: string) => tokenFor(context.sql, provider, host, context.now()),
});

interface ConnectionRow extends Record<string, SqlStorageValue> {
  provider: string;
  since: number;
  hosts: string;
  expires: number | null;
  token: string | null;
}

const rowsOf = (sql: SqlStorage): ConnectionRow[] =>
  selectAll<ConnectionRow>(sql, "SELECT * FROM connections ORDER BY provider");

/** With those that have expired. */
const listConnections = (sql: SqlStorage): Connection[] => rowsOf(sql).map(connectionOf);

const connectionOf = ({ provider, since, hosts, expires, token }: ConnectionRow): Connection => ({
  provider,
  since,
  hosts: JSON.parse(hosts) as string[],
  hasToken: token !== null,
  expiresAt: expires,
});

export interface LiveLink extends Record<string, SqlStorageValue> {
  readonly provider: string;
  readonly since: number;
}

/** Those that have not expired, without their tokens: each open reads them. */
export const liveLinks = (sql: SqlStorage, now: number): LiveLink[] =>
  selectAll<LiveLink>(
    sql,
    "SELECT provider, since FROM connections WHERE expires IS NULL OR expires > ? ORDER BY provider",
    now,
  );

const isLive = (expiresAt: number | null, now: number): boolean => expiresAt === null || expiresAt > now;

/** An unchanged connection keeps its time, so nothing that was decided under it needs a new decision. */
function replaceConnections(
  transaction: Transaction,
  owner: Owner,
  connections: readonly ConnectionToSet[],
  by: string,
): Connection[] {
  const { sql, now } = transaction;
  noteOwner(sql, owner);
  const before = new Map(rowsOf(sql).map((row) => [row.provider, row]));
  const changed = new Set<string>();
  sql.exec("DELETE FROM connections");
  for (const { provider, sealedToken, hosts, expiresAt } of connections) {
    const known = before.get(provider);
    // A token is sent to no host that it was not set for.
    const sameHosts = known && isSameSet(JSON.parse(known.hosts) as string[], hosts);
    // No two seals are alike: the same one is from a repeated call.
    const sameToken = sealedToken === undefined || sealedToken === known?.token;
    const same = sameHosts && sameToken && known.expires === expiresAt;
    if (!same) changed.add(provider);
    sql.exec(
      "INSERT OR REPLACE INTO connections (provider, since, hosts, expires, token) VALUES (?, ?, ?, ?, ?)",
      provider,
      same ? known.since : now,
      JSON.stringify(hosts),
      expiresAt,
      sealedToken ?? (sameHosts ? known.token : null),
    );
  }
  const after = listConnections(sql);
  const kept = new Set(after.map(({ provider }) => provider));
  for (const row of before.values()) if (!kept.has(row.provider)) record(transaction, "removed", connectionOf(row), by);
  for (const one of after) if (changed.has(one.provider)) record(transaction, "set", one, by);
  return after;
}

function removeConnection(transaction: Transaction, provider: string, by: string): boolean {
  const { sql } = transaction;
  const row = selectOne<ConnectionRow>(sql, "DELETE FROM connections WHERE provider = ? RETURNING *", provider);
  if (row) record(transaction, "removed", connectionOf(row), by);
  return row !== undefined;
}

function record(transaction: Transaction, event: ConnectionRecord["event"], changed: Connection, by: string): void {
  const { provider, hosts, hasToken, expiresAt } = changed;
  const { now: at } = transaction;
  const id = newId("evt", at);
  appendRecord(transaction, { kind: "connection", id, event, at, provider, hosts, hasToken, expiresAt, by });
}

function tokenFor(sql: SqlStorage, provider: string, host: string, now: number): string | undefined {
  const row = selectOne<ConnectionRow>(sql, "SELECT * FROM connections WHERE provider = ?", provider);
  if (row?.token == null || !isLive(row.expires, now)) return undefined;
  return (JSON.parse(row.hosts) as string[]).includes(host) ? row.token : undefined;
}
