/** The background work of the trail, for `index.ts`: the queue's consumer, the archive's compaction, and moves between databases. */
import type { Deps, Env } from "./deps.ts";
import { newId } from "./lib/ids.ts";
import { describeError, log } from "./lib/log.ts";
import { DIRECT_TRAIL, readTrail } from "./settings/trail.ts";
import { archivedHashes } from "./stores/archive/archived-hashes.ts";
import { compactArchive } from "./stores/archive/compact.ts";
import { archiveBatch } from "./stores/archive/parquet-records.ts";
import { erasedBefore } from "./stores/audit/erasure/erased-users.ts";
import { removeArchived } from "./stores/audit/hot-days.ts";
import { wakeOverdue } from "./stores/audit/retention-overdue.ts";
import { rebalance } from "./stores/audit/shards/rebalance.ts";
import { shardedTrail } from "./stores/audit/shards/sharded-trail.ts";
import { trailShards } from "./stores/audit/shards/shards.ts";
import { consumeDeadLetters, consumeTrail, type TrailSinks } from "./stores/audit/trail-consumer.ts";
import type { TrailHealthPort } from "./telemetry/trail-health.ts";

/** How `deploy` names the queue of messages that were given up. */
const DEAD_QUEUE = "-dead";

/** Compactions of one run: each takes some seconds of CPU. */
const MAX_COMPACTIONS = 10;

type TrailParts = Pick<Deps, "auditKeys" | "guardOf" | "now"> & { readonly hub: () => TrailHealthPort };

/** Throws if the settings are wrong: the queue keeps the messages. */
export async function consumeQueue(batch: MessageBatch<unknown>, env: Env, parts: TrailParts): Promise<void> {
  const settings = readTrail(env);
  if (!settings.ok) throw new Error(settings.error.join("; "));
  const bucket = env.ARCHIVE;
  if (!bucket) throw new Error("the Worker has no ARCHIVE");
  if (!parts.auditKeys) throw new Error("the Worker has no AUDIT_KEY");
  const { groups } = settings.value;
  const shards = trailShards(env);
  const sinks: TrailSinks = {
    index: shardedTrail(shards),
    erasedBefore: erasedBefore(shards, parts.auditKeys),
    bucket,
    archive: (records) => archiveBatch(bucket, records, { groups, name: newId("batch", parts.now()) }),
    guardOf: parts.guardOf,
    report: ({ full }) => parts.hub().deliveryFailed(full),
  };
  if (!batch.queue.endsWith(DEAD_QUEUE)) return consumeTrail(batch, sinks);
  return consumeDeadLetters(batch, { ...sinks, report: () => parts.hub().deadLettersKept() });
}

/** Compacts the archive, if there is one. Never rejects: the next run finds the same work. */
export async function compactAll(env: Env, { auditKeys, now }: Pick<Deps, "auditKeys" | "now">): Promise<void> {
  const settings = readTrail(env);
  const { kind } = settings.ok ? settings.value : DIRECT_TRAIL;
  if (kind !== "queued" || !env.ARCHIVE || !auditKeys) return;
  try {
    for (let run = 0; run < MAX_COMPACTIONS; run++) {
      const { more, ...made } = await compactArchive({ bucket: env.ARCHIVE, keys: auditKeys }, now());
      if (made.files > 0) log("info", "archive_compacted", made);
      if (!more) break;
    }
  } catch (error) {
    log("error", "archive_not_compacted", describeError(error));
  }
}

/** Removes old records from the index that are in the archive. Never rejects: the next run finds the same work. */
export async function removeOld(env: Env, { auditKeys: keys, now }: Pick<Deps, "auditKeys" | "now">): Promise<void> {
  const settings = readTrail(env);
  const { ARCHIVE: bucket } = env;
  if (!settings.ok || settings.value.hotDays === undefined || !bucket || !keys) return;
  const { hotDays: days, groups } = settings.value;
  try {
    await removeArchived(
      { shards: trailShards(env), archived: archivedHashes(bucket, keys), keys, groups, days },
      now(),
    );
  } catch (error) {
    log("error", "archived_records_not_removed", describeError(error));
  }
}

/** Begins to move tenants to the databases that they belong to. Never rejects: the next run finds the same work. */
export async function rebalanceShards(env: Env, { ledgerOf }: Pick<Deps, "ledgerOf">): Promise<void> {
  try {
    const checked = await rebalance({ all: trailShards(env).all, ledgerOf });
    if (checked.length > 0) log("info", "shards_rebalanced", { tenants: checked.length });
  } catch (error) {
    log("error", "shards_not_rebalanced", describeError(error));
  }
}

/** Wakes the objects whose retention is overdue, in each database. Rejects if one fails. */
export async function wakeAllOverdue(
  env: Env,
  { auditKeys: keys, guardOf, ledgerOf, now }: Pick<Deps, "auditKeys" | "guardOf" | "ledgerOf" | "now">,
) {
  if (!keys) return;
  const shards = trailShards(env);
  const erased = { trail: shardedTrail(shards), keys };
  for (const db of shards.all.values()) await wakeOverdue({ db, kv: env.KV, guardOf, ledgerOf, erased }, now());
}
