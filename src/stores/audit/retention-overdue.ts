/**
 * The nightly check. It reads each tenant's retention; if that is shorter than before, the tenant's ledger wakes every user's object
 * once. It also wakes the objects whose records are overdue. An object removes its own records in time, so overdue ones come from an
 * object that has lost its storage, or from a database that was restored.
 */
import defaultPolicy from "../../../policies/default.json" with { type: "json" };
import { isObject } from "../../lib/json/json-value.ts";
import { describeError, log } from "../../lib/log.ts";
import { isErasure } from "../../lib/names.ts";
import { DAY_MS } from "../../lib/time.ts";
import { auditSettings } from "../../policy/document/document-schema.ts";
import type { KvPort } from "../../ports/kv-port.ts";
import type { TenantLedgerPort } from "../../ports/tenant-ledger-port.ts";
import type { Owner } from "../../session/principal.ts";
import { kvWithDeadline, type PolicySource, policyDigest, policySource } from "../policies/policy-source.ts";
import { type ErasedChains, type ExpiryTimes, expireErased } from "./erasure/expire-erased.ts";
import { type AuditTable, namesInTables, TENANTS_OF_TABLES, tablesOfEveryUser } from "./record-kinds.ts";
import { usersBefore } from "./trail-owners.ts";

/** Leaves an object time to try again if D1 or KV failed when its record expired. */
const SLACK_MS = 2 * DAY_MS;
/** Per night: the others come first in the next one. */
const MAX_TENANTS = 300;
const MAX_USERS = 300;

interface OverdueStores {
  readonly db: D1Database;
  readonly kv: KvPort;
  readonly guardOf: (owner: Owner) => {
    readonly chain: { checkRetention(owner: Owner, why: "overdue"): Promise<void> };
  };
  readonly ledgerOf: (tenant: string) => Pick<TenantLedgerPort, "retention">;
  readonly erased: ErasedChains;
}

/** @returns whose objects were woken. Rejects if D1 fails: the next run finds the same. */
export async function wakeOverdue(stores: OverdueStores, now: number): Promise<readonly Owner[]> {
  const { db, kv } = stores;
  const woken: Owner[] = [];
  for (const known of await tenantsToRead(db, now)) {
    if (woken.length >= MAX_USERS) break;
    const { tenant, oldest } = known;
    const days = await retentionDays(kv, tenant, now);
    if (days === undefined || !(await followShorter(stores, known, days))) continue;
    const before = now - SLACK_MS - days * DAY_MS;
    const users = oldest < before ? await usersBefore(db, tenant, before) : [];
    for (const user of users.slice(0, MAX_USERS - woken.length)) {
      const owner = { tenant, user };
      if (isErasure(user)) await expire(stores, owner, { before: before + SLACK_MS, now });
      else if (await wake(stores, owner)) woken.push(owner);
    }
    await noteRead(db, tenant, days, now);
  }
  return woken;
}

interface KnownTenant {
  readonly tenant: string;
  readonly oldest: number;
  /** The retention as it was last read; null if it never was. */
  readonly days: number | null;
}

/** @returns false if the ledger cannot be reached: the next run tries again. */
async function followShorter(
  { ledgerOf }: OverdueStores,
  { tenant, days: before }: KnownTenant,
  days: number,
): Promise<boolean> {
  if (before === null || days >= before) return true;
  try {
    await ledgerOf(tenant).retention.shortened(tenant);
    return true;
  } catch (error) {
    log("error", "retention_not_shortened", { tenant, ...describeError(error) });
    return false;
  }
}

async function wake({ guardOf }: OverdueStores, owner: Owner): Promise<boolean> {
  try {
    await guardOf(owner).chain.checkRetention(owner, "overdue");
    return true;
  } catch (error) {
    log("error", "object_not_woken", { tenant: owner.tenant, ...describeError(error) });
    return false;
  }
}

/** The next night tries again. */
async function expire({ erased }: OverdueStores, owner: Owner, times: ExpiryTimes): Promise<void> {
  try {
    await expireErased(erased, owner, times);
  } catch (error) {
    log("error", "erased_records_not_removed", { tenant: owner.tenant, ...describeError(error) });
  }
}

/**
 * Tenants with records. First come those whose oldest record is overdue under the retention that was last read, and those whose
 * retention was never read; then those that were read longest ago. Reads a few rows per tenant, by index.
 */
async function tenantsToRead(db: D1Database, now: number): Promise<readonly KnownTenant[]> {
  const oldest = (table: AuditTable) =>
    `IFNULL((SELECT MIN(at) FROM ${table} t WHERE t.tenant = tenants.tenant), ${Number.MAX_SAFE_INTEGER})`;
  const { results } = await db
    .prepare(
      `WITH RECURSIVE ${TENANTS_OF_TABLES},
       tenants AS (${namesInTables("tenant")}),
       known AS (SELECT tenants.tenant, MIN(${tablesOfEveryUser.map(oldest).join(", ")}) AS oldest, r.days, r.read_at
                 FROM tenants LEFT JOIN tenant_retention r ON r.tenant = tenants.tenant WHERE tenants.tenant IS NOT NULL)
       SELECT tenant, oldest, days FROM known
       ORDER BY days IS NULL OR oldest < ?1 - days * ${DAY_MS} DESC, read_at, tenant LIMIT ?2`,
    )
    .bind(now - SLACK_MS, MAX_TENANTS)
    .all<KnownTenant>();
  return results;
}

async function noteRead(db: D1Database, tenant: string, days: number, now: number): Promise<void> {
  await db
    .prepare(
      `INSERT INTO tenant_retention (tenant, days, read_at) VALUES (?, ?, ?)
       ON CONFLICT (tenant) DO UPDATE SET days = excluded.days, read_at = excluded.read_at`,
    )
    .bind(tenant, days, now)
    .run();
}

const sources = new WeakMap<KvPort, PolicySource>();

/** Undefined if the policy or its `audit` cannot be read: then nothing is removed. */
export async function retentionDays(kv: KvPort, tenant: string, now: number): Promise<number | undefined> {
  const source =
    sources.get(kv) ??
    policySource(kvWithDeadline(kv), { document: defaultPolicy, digest: policyDigest(defaultPolicy) });
  sources.set(kv, source);
  const loaded = await source.load(tenant, now);
  // A stale policy may promise less time than the one in force.
  if (!loaded.ok || loaded.value.stale) return undefined;
  const { document } = loaded.value;
  if (!isObject(document)) return undefined;
  const audit = auditSettings().safeParse("audit" in document ? document.audit : {});
  return audit.success ? audit.data.retentionDays : undefined;
}
