/**
 * Removes records from the hot index that are older than HOT_DAYS and in the archive: the beginning of each user's chain, with a
 * signed checkpoint in the same transaction. It stops at the first record that the archive does not have, or that does not follow the
 * one before it: that one waits for the archive, or for the retention of the user's object.
 */
import { log } from "../../lib/log.ts";
import { DAY_MS } from "../../lib/time.ts";
import type { ChainLink, SignedCheckpoint } from "../../ports/audit-record.ts";
import { folderOf, partitionOf } from "../archive/archive-files.ts";
import type { ArchivedHashes } from "../archive/archived-hashes.ts";
import { genesis, isSigned, signCheckpoint } from "./audit-chain.ts";
import type { AuditKeys } from "./audit-keys.ts";
import { keyList, ROWS_BY_KEY } from "./d1-audit.ts";
import { type CheckpointRow, checkpointOf, checkpointRow } from "./d1-retention.ts";
import { auditTables } from "./record-kinds.ts";
import type { TrailShards } from "./shards/shards.ts";
import { tenantsIn, usersBefore } from "./trail-owners.ts";

/** Per run and database: each takes some sixteen statements for fifty users. */
const MAX_TENANTS = 100;
const MAX_ROWS = 20_000;
const USERS_AT_ONCE = 50;
/** Per statement. */
const ROWS = 1_000;

interface HotIndex {
  readonly shards: TrailShards;
  readonly archived: ArchivedHashes;
  readonly keys: AuditKeys;
  /** The number of parts of each day of the archive. */
  readonly groups: number;
  readonly days: number;
}

/** @returns how many records were removed. Rejects if a database or the archive fails: the next run finds the same. */
export async function removeArchived(index: HotIndex, now: number, random = Math.random): Promise<number> {
  // A whole day at a time: its part of the archive is read once.
  const before = Math.floor(now / DAY_MS - index.days) * DAY_MS;
  let removed = 0;
  for (const [shard, db] of index.shards.all) {
    const tenants = await tenantsIn(db);
    const first = Math.floor(random() * tenants.length);
    let rows = 0;
    for (const tenant of [...tenants.slice(first), ...tenants.slice(0, first)].slice(0, MAX_TENANTS)) {
      const { read, isMoving } = await index.shards.placeOf(tenant);
      if (isMoving || read !== shard) continue;
      const users = await usersBefore(db, tenant, before);
      for (let at = 0; at < users.length && rows < MAX_ROWS; at += USERS_AT_ONCE)
        rows += await removeOf(index, db, { tenant, users: users.slice(at, at + USERS_AT_ONCE), before, now });
      if (rows >= MAX_ROWS) break;
    }
    removed += rows;
  }
  if (removed > 0) log("info", "archived_records_removed", { removed });
  return removed;
}

interface Removal {
  readonly tenant: string;
  readonly users: readonly string[];
  readonly before: number;
  readonly now: number;
}

interface OldRow extends ChainLink {
  readonly user: string;
  readonly id: string;
  readonly previous: string;
  readonly at: number;
}

async function removeOf(index: HotIndex, db: D1Database, { tenant, users, before, now }: Removal): Promise<number> {
  const names = JSON.stringify(users);
  const old = auditTables.map((table) =>
    db
      .prepare(
        `SELECT user, id, seq, previous, hash, at FROM ${table} INDEXED BY ${table}_by_chain
         WHERE tenant = ?1 AND user IN (SELECT value FROM json_each(?2)) AND at < ?3 ORDER BY user, seq LIMIT ${ROWS}`,
      )
      .bind(tenant, names, before),
  );
  const checkpoints = db
    .prepare("SELECT * FROM checkpoints WHERE tenant = ?1 AND user IN (SELECT value FROM json_each(?2))")
    .bind(tenant, names);
  const [known, ...found] = await db.batch<OldRow | CheckpointRow>([checkpoints, ...old]);
  const signed = ((known?.results ?? []) as CheckpointRow[]).map(checkpointOf);
  const rows = Map.groupBy(
    found.flatMap(({ results }) => results as OldRow[]),
    ({ user }) => user,
  );
  const removed: OldRow[] = [];
  const moved: SignedCheckpoint[] = [];
  for (const [user, own] of rows) {
    const checkpoint = signed.find((one) => one.user === user);
    // A record that an attacker put there, or that is not known, is left for `verify` to show.
    if (checkpoint && !isSigned(index.keys, checkpoint)) continue;
    const last: ChainLink = checkpoint ?? { seq: 0, hash: genesis(tenant, user) };
    const beginning = await archivedBeginning(index, tenant, own, last);
    const end = beginning.findLast(({ seq }) => seq > last.seq);
    removed.push(...beginning);
    if (!end) continue;
    const next = { tenant, user, seq: end.seq, hash: end.hash, gaps: checkpoint?.gaps ?? [], at: now };
    moved.push(signCheckpoint(index.keys, next));
  }
  if (removed.length === 0) return 0;
  const keys = keyList(removed);
  await db.batch([
    ...auditTables.map((table) => db.prepare(`DELETE FROM ${table} WHERE ${ROWS_BY_KEY}`).bind(tenant, keys)),
    ...moved.map((checkpoint) => checkpointRow(db, checkpoint)),
  ]);
  return removed.length;
}

/** Also records up to `last` that came again after they were removed. */
async function archivedBeginning(
  { archived, groups }: HotIndex,
  tenant: string,
  rows: readonly OldRow[],
  last: ChainLink,
): Promise<readonly OldRow[]> {
  const beginning: OldRow[] = [];
  let { seq, hash } = last;
  for (const row of rows.toSorted((one, other) => one.seq - other.seq)) {
    const hashes = await archived(folderOf(partitionOf({ tenant, at: row.at }, groups)));
    if (hashes.get(row.id) !== row.hash) break;
    if (row.seq > last.seq) {
      if (row.seq !== seq + 1 || row.previous !== hash) break;
      ({ seq, hash } = row);
    }
    beginning.push(row);
  }
  return beginning;
}
