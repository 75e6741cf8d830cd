/** The trail over the databases that share the hot index: each record goes to its tenant's, and to two while the tenant is moved. */
import { ok, type Result } from "../../../lib/result.ts";
import type { SealedRecord } from "../../../ports/audit-record.ts";
import type { Refusal, TrailPort } from "../../../ports/trail-port.ts";
import type { Owner } from "../../../session/principal.ts";
import { directTrail } from "../direct-trail.ts";
import { databaseFor, shardNamed, type TrailShards } from "./shards.ts";

export function shardedTrail(shards: TrailShards): TrailPort {
  const [only] = shards.all.values();
  if (only && shards.all.size === 1) return directTrail(only);
  const trailOf = async ({ tenant }: Owner) => directTrail(await databaseFor(shards, tenant));
  const settledTrailOf = async (owner: Owner) => {
    if ((await shards.placeOf(owner.tenant)).isMoving)
      throw new Error("the tenant is on the move to another database: nothing of it is removed meanwhile");
    return trailOf(owner);
  };
  return {
    deliver: (records) => deliver(shards, records),
    readCheckpoint: async (owner) => (await trailOf(owner)).readCheckpoint(owner),
    readChain: async (owner, page) => (await trailOf(owner)).readChain(owner, page),
    moveCheckpoint: async (checkpoint, before) => (await settledTrailOf(checkpoint)).moveCheckpoint(checkpoint, before),
    removeStray: async (owner, bounds) => (await settledTrailOf(owner)).removeStray(owner, bounds),
  };
}

/** If one database refuses a record or fails, the others may have theirs: a repeated record changes nothing. */
async function deliver(
  { all, placeOf }: TrailShards,
  records: readonly SealedRecord[],
): Promise<Result<"stored" | "sent", Refusal>> {
  const byShard = new Map<string, SealedRecord[]>();
  for (const [tenant, own] of Map.groupBy(records, ({ record }) => record.tenant)) {
    const { write } = await placeOf(tenant);
    for (const name of write) byShard.set(name, [...(byShard.get(name) ?? []), ...own]);
  }
  const written = await Promise.allSettled(
    [...byShard].map(([name, some]) => directTrail(shardNamed(all, name)).deliver(some)),
  );
  const failed = written.find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
  const refused = written.find((one) => one.status === "fulfilled" && !one.value.ok);
  return refused?.status === "fulfilled" ? refused.value : ok("stored");
}
