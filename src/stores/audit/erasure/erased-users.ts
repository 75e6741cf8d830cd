/**
 * The recently erased users, by keyed digests, in every database of the hot index: a late message of the queue must not bring records
 * back.
 */
import { hmacHex, lengthPrefixed } from "../../../lib/digest.ts";
import type { Owner } from "../../../session/principal.ts";
import type { AuditKeys } from "../audit-keys.ts";
import { databaseFor, type TrailShards } from "../shards/shards.ts";

const tagOf = (secret: string, { tenant, user }: Owner): string =>
  hmacHex(secret, lengthPrefixed("toolgate erased user 1", tenant, user));

/** Under every key: another one may have signed when the person was erased. */
const tagsOf = ({ secrets }: AuditKeys, owner: Owner): readonly string[] =>
  [...secrets.values()].map((secret) => tagOf(secret, owner));

export async function noteErased(db: D1Database, keys: AuditKeys, owner: Owner, before: number): Promise<void> {
  const tag = tagOf(keys.secrets.get(keys.signing) ?? "", owner);
  await db.prepare("INSERT OR IGNORE INTO erased_users (tag, before) VALUES (?, ?)").bind(tag, before).run();
}

/** Up to and including that erasure. */
export async function forgetErased(db: D1Database, keys: AuditKeys, owner: Owner, before: number): Promise<void> {
  await db
    .prepare("DELETE FROM erased_users WHERE tag IN (SELECT value FROM json_each(?)) AND before <= ?")
    .bind(JSON.stringify(tagsOf(keys, owner)), before)
    .run();
}

/** Records of an owner that are older than this time were erased. Rejects if a database is down. */
export type ErasedBefore = (owners: readonly Owner[]) => Promise<(owner: Owner) => number>;

export const erasedBefore =
  (shards: TrailShards, keys: AuditKeys): ErasedBefore =>
  async (owners) => {
    const byDatabase = new Map<D1Database, string[]>();
    for (const owner of owners) {
      const db = await databaseFor(shards, owner.tenant);
      byDatabase.set(db, [...(byDatabase.get(db) ?? []), ...tagsOf(keys, owner)]);
    }
    const before = new Map<string, number>();
    for (const [db, tags] of byDatabase) {
      const { results } = await db
        .prepare(
          `SELECT tag, MAX(before) AS before FROM erased_users
           WHERE tag IN (SELECT value FROM json_each(?)) GROUP BY tag`,
        )
        .bind(JSON.stringify(tags))
        .all<{ tag: string; before: number }>();
      for (const row of results) before.set(row.tag, row.before);
    }
    return (owner) => Math.max(...tagsOf(keys, owner).map((tag) => before.get(tag) ?? Number.NEGATIVE_INFINITY));
  };
