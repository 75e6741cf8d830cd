/**
 * Finds tenants with records in a database that they do not belong to, and asks their ledgers to move them. One index look-up per
 * tenant.
 */
import { runWithLimit } from "../../../lib/concurrency.ts";
import { describeError, log } from "../../../lib/log.ts";
import type { TenantLedgerPort } from "../../../ports/tenant-ledger-port.ts";
import { tenantsIn } from "../trail-owners.ts";
import { homeOf } from "./shards.ts";

interface RebalanceStores {
  readonly all: ReadonlyMap<string, D1Database>;
  readonly ledgerOf: (tenant: string) => Pick<TenantLedgerPort, "trail">;
}

/** Per run: each of them may begin to move. The others come in the next runs. */
const MAX_TENANTS = 50;
const AT_ONCE = 6;

/** Rejects if a database fails: the next run finds the same. @returns whose ledgers were checked. */
export async function rebalance({ all, ledgerOf }: RebalanceStores): Promise<readonly string[]> {
  if (all.size < 2) return [];
  const shards = [...all.keys()];
  const found = new Map<string, string[]>();
  for (const [shard, database] of all)
    for (const tenant of await tenantsIn(database)) found.set(tenant, [...(found.get(tenant) ?? []), shard]);
  const odd = [...found].filter(([tenant, among]) => among.length > 1 || among[0] !== homeOf(tenant, shards));
  // Pinned tenants are always among them: they must not keep the others from their turn.
  const first = odd.length === 0 ? 0 : Math.floor(Math.random() * odd.length);
  const due = [...odd.slice(first), ...odd.slice(0, first)].slice(0, MAX_TENANTS);
  const checked = await runWithLimit(AT_ONCE, due, ([tenant, among]) => ledgerOf(tenant).trail.check(tenant, among));
  for (const one of checked)
    if (one.status === "rejected") log("error", "ledger_unreachable", describeError(one.reason));
  return due.map(([tenant]) => tenant);
}
