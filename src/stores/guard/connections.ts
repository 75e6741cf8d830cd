/** The providers that a user has linked, as operators set them. Each function is part of a transaction. */
import type { Connection, ConnectionToSet } from "../../turn/connections-port.ts";
import { first } from "./schema.ts";

interface ConnectionRow extends Record<string, SqlStorageValue> {
  provider: string;
  since: number;
  hosts: string;
  expires: number | null;
  token: string | null;
}

const rowsOf = (sql: SqlStorage): ConnectionRow[] =>
  sql.exec<ConnectionRow>("SELECT * FROM connections ORDER BY provider").toArray();

/** With those that have expired. */
export const listConnections = (sql: SqlStorage): Connection[] => rowsOf(sql).map(connectionOf);

const connectionOf = ({ provider, since, hosts, expires, token }: ConnectionRow): Connection => ({
  provider,
  since,
  hosts: JSON.parse(hosts) as string[],
  hasToken: token !== null,
  expiresAt: expires,
});

export const linkedNow = (sql: SqlStorage, now: number): Connection[] =>
  listConnections(sql).filter(({ expiresAt }) => isLive(expiresAt, now));

const isLive = (expiresAt: number | null, now: number): boolean => expiresAt === null || expiresAt > now;

/** One that stays as it was keeps the time since when it is set: nothing that was decided under it need be decided anew. */
export function replaceConnections(
  sql: SqlStorage,
  connections: readonly ConnectionToSet[],
  now: number,
): Connection[] {
  const before = new Map(rowsOf(sql).map((row) => [row.provider, row]));
  sql.exec("DELETE FROM connections");
  for (const { provider, sealedToken, hosts, expiresAt } of connections) {
    const known = before.get(provider);
    // A token goes nowhere that it was not set for.
    const sameHosts = known && sameNames(JSON.parse(known.hosts) as string[], hosts);
    const same = sameHosts && sealedToken === undefined && known.expires === expiresAt;
    sql.exec(
      "INSERT OR REPLACE INTO connections (provider, since, hosts, expires, token) VALUES (?, ?, ?, ?, ?)",
      provider,
      same ? known.since : now,
      JSON.stringify(hosts),
      expiresAt,
      sealedToken ?? (sameHosts ? known.token : null),
    );
  }
  return listConnections(sql);
}

const sameNames = (one: readonly string[], other: readonly string[]): boolean => {
  const names = new Set(one);
  return names.size === new Set(other).size && other.every((name) => names.has(name));
};

export const removeConnection = (sql: SqlStorage, provider: string): boolean =>
  sql.exec("DELETE FROM connections WHERE provider = ?", provider).rowsWritten > 0;

/** Where it may not go to that host, has expired, or there is none: undefined. */
export function tokenFor(sql: SqlStorage, provider: string, host: string, now: number): string | undefined {
  const row = first(sql.exec<ConnectionRow>("SELECT * FROM connections WHERE provider = ?", provider));
  if (row?.token == null || !isLive(row.expires, now)) return undefined;
  return (JSON.parse(row.hosts) as string[]).includes(host) ? row.token : undefined;
}
