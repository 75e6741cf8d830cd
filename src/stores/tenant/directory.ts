/**
 * The settings of all tenants, in one object: an issuer's tokens may count for only one tenant, which only one place can
 * decide. Writes are rare. Every isolate reads the settings from KV:
 *
 *   tenant:<name>               { at, jurisdiction, sealed }: the tenant's variables, sealed
 *   issuer:<digest>             the tenant for which tokens of this issuer and audience count
 *
 * A write is a row first, and KV follows: the alarm repeats what KV refused, and it checks once more after KV shows writes
 * everywhere, since KV may apply a put late that it reported as failed.
 */
import { runWithLimit, serial } from "../../lib/concurrency.ts";
import { describeError, log } from "../../lib/log.ts";
import type { KvPort } from "../../ports/kv-port.ts";
import type {
  DirectoryEntry,
  TenantDirectoryPort,
  TenantWrite,
  TenantWriteResult,
} from "../../ports/tenant-directory-port.ts";
import { selectAll, selectOne, upsertRow } from "../objects/sql-rows.ts";
import { issuerKey, tenantKey } from "./tenant-keys.ts";

/** Used only in the directory's object; in those of tenants they stay empty. */
export const directoryTables = `
-- digest: of the settings before they were sealed. at: ms since epoch. actor: who wrote them.
CREATE TABLE tenants (
  tenant TEXT PRIMARY KEY, digest TEXT NOT NULL, at INTEGER NOT NULL, actor TEXT NOT NULL, jurisdiction TEXT, sealed TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE tenant_issuers (digest TEXT PRIMARY KEY, tenant TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX tenant_issuers_tenant ON tenant_issuers (tenant);
-- What KV must hold under a key; value: NULL for nothing. put: KV has taken it, and is yet to be seen to hold it; then the
-- row goes. due: ms since epoch.
CREATE TABLE tenant_projections (key TEXT PRIMARY KEY, value TEXT, put INTEGER NOT NULL, due INTEGER NOT NULL) WITHOUT ROWID;`;

/** By then KV shows a put everywhere, and a put that failed has been applied or never will be. */
const CHECK_AFTER_MS = 65_000;
const RETRY_AFTER_MS = 30_000;

interface EntryRow {
  readonly tenant: string;
  readonly digest: string;
  readonly at: number;
  readonly actor: string;
  readonly jurisdiction: string | null;
  readonly sealed: string;
}

const entryOf = ({ actor, ...row }: EntryRow): DirectoryEntry => ({ ...row, by: actor });

export interface TenantDirectory extends TenantDirectoryPort {
  /** Puts into KV what is due. Never throws. */
  settle(now: number): Promise<void>;
  /** When the alarm must ring at the latest. */
  next(): number | undefined;
}

/** @param schedule is called after each change: the object may die before KV has taken it. */
export function tenantDirectory(storage: DurableObjectStorage, kv: KvPort, schedule: () => void): TenantDirectory {
  const { sql } = storage;
  const oneByOne = serial();
  const find = (tenant: string) => selectOne<EntryRow>(sql, "SELECT * FROM tenants WHERE tenant = ?", tenant);

  return {
    find: async (tenant) => {
      const row = find(tenant);
      return row && entryOf(row);
    },
    list: async (limit, after) =>
      selectAll<EntryRow>(sql, "SELECT * FROM tenants WHERE tenant > ? ORDER BY tenant LIMIT ?", after, limit).map(
        entryOf,
      ),
    write: (write) =>
      oneByOne(async () => {
        const result = storage.transactionSync(() => store(sql, write, find(write.tenant)));
        if (result.kind !== "written") return result;
        schedule();
        const settled = await project(sql, kv, Date.now());
        schedule();
        return { ...result, settled };
      }),
    settle: (now) => oneByOne(async () => void (await project(sql, kv, now))),
    next: () =>
      selectOne<{ due: number | null }>(sql, "SELECT MIN(due) AS due FROM tenant_projections")?.due ?? undefined,
  };
}

type StoredWrite = Exclude<TenantWriteResult, { kind: "written" }> | { readonly kind: "written"; readonly at: number };

function store(sql: SqlStorage, write: TenantWrite, before: EntryRow | undefined): StoredWrite {
  const { tenant, next, issuers, condition, now } = write;
  const inForce = before?.digest ?? null;
  const among = (tags: readonly string[] | "any") => inForce !== null && (tags === "any" || tags.includes(inForce));
  if ((condition.match && !among(condition.match)) || (condition.noneMatch && among(condition.noneMatch)))
    return { kind: "changed", digest: inForce };
  const taken = issuers.find((digest) => {
    const owner = selectOne<{ tenant: string }>(
      sql,
      "SELECT tenant FROM tenant_issuers WHERE digest = ?",
      digest,
    )?.tenant;
    return owner !== undefined && owner !== tenant;
  });
  if (taken !== undefined) return { kind: "issuer_taken", issuer: issuers.indexOf(taken) };
  const at = Math.max(now, (before?.at ?? 0) + 1);
  const project = (key: string, value: string | null) =>
    upsertRow(sql, "tenant_projections", "key", { key, value, put: 0, due: now }, ["value", "put", "due"]);
  for (const { digest } of selectAll<{ digest: string }>(
    sql,
    "SELECT digest FROM tenant_issuers WHERE tenant = ?",
    tenant,
  ))
    if (!issuers.includes(digest)) project(issuerKey(digest), null);
  sql.exec("DELETE FROM tenant_issuers WHERE tenant = ?", tenant);
  sql.exec("DELETE FROM tenants WHERE tenant = ?", tenant);
  if (next) {
    const { digest, sealed, jurisdiction, by } = next;
    const row = { tenant, digest, at, actor: by, jurisdiction, sealed };
    upsertRow(sql, "tenants", "tenant", row, ["digest", "at", "actor", "jurisdiction", "sealed"]);
    for (const issuer of issuers) {
      sql.exec("INSERT INTO tenant_issuers (digest, tenant) VALUES (?, ?)", issuer, tenant);
      project(issuerKey(issuer), tenant);
    }
  }
  project(
    tenantKey(tenant),
    next ? JSON.stringify({ at, jurisdiction: next.jurisdiction, sealed: next.sealed }) : null,
  );
  return { kind: "written", at };
}

interface Projection {
  readonly key: string;
  readonly value: string | null;
  readonly put: number;
  readonly due: number;
}

/** @returns whether KV has taken everything that is due. */
async function project(sql: SqlStorage, kv: KvPort, now: number): Promise<boolean> {
  const rows = selectAll<Projection>(
    sql,
    "SELECT * FROM tenant_projections WHERE due <= ? ORDER BY due LIMIT 100",
    now,
  );
  const taken = await runWithLimit(6, rows, (row) => projectOne(sql, kv, row, now));
  return taken.every((one) => one.status === "fulfilled" && one.value);
}

/** Writes come one by one, and so does this: no row changes meanwhile. */
async function projectOne(sql: SqlStorage, kv: KvPort, { key, value, put }: Projection, now: number): Promise<boolean> {
  const note = (taken: number, due: number) =>
    sql.exec("UPDATE tenant_projections SET put = ?, due = ? WHERE key = ?", taken, due, key);
  try {
    if (put === 1 && (await kv.get(key)) === value) {
      sql.exec("DELETE FROM tenant_projections WHERE key = ?", key);
      return true;
    }
    await (value === null ? kv.delete(key) : kv.put(key, value));
    note(1, now + CHECK_AFTER_MS);
    return true;
  } catch (error) {
    log("error", "tenant_settings_not_in_kv", { key, ...describeError(error) });
    note(0, now + RETRY_AFTER_MS);
    return false;
  }
}
