/**
 * The object's alarm erases its user in all stores, one piece at a time. Each piece may be done twice, so it may die at any point.
 * Work that was under way when the object forgot (a message of the queue, a compaction, a tenant's move) is over two hours later:
 * then all stores are searched once more, until nothing is found.
 */
import { backOffMs } from "../../../lib/back-off.ts";
import { newId } from "../../../lib/ids.ts";
import { describeError, log } from "../../../lib/log.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/time.ts";
import type { SealedRecord } from "../../../ports/audit-record.ts";
import { readTrail } from "../../../settings/trail.ts";
import {
  type ErasedArchive,
  type ErasedPiece,
  eraseCompacted,
  eraseIncoming,
  eraseLetters,
} from "../../archive/erase-files.ts";
import { archiveBatch } from "../../archive/parquet-records.ts";
import type { AuditKeys } from "../../audit/audit-keys.ts";
import { type ErasedRecords, eraseRows } from "../../audit/erasure/erase-rows.ts";
import { forgetErased, noteErased } from "../../audit/erasure/erased-users.ts";
import { shardedTrail } from "../../audit/shards/sharded-trail.ts";
import { trailShards } from "../../audit/shards/shards.ts";
import type { TrailEnv } from "../../audit/trail-of.ts";
import { selectAll } from "../../objects/sql-rows.ts";
import { eraseTools } from "../../tools/erase-tools.ts";
import { deleteMeta, readMeta, writeMeta } from "../transaction.ts";
import { type Erasure, type StoreStep, storeSteps } from "./erasure.ts";
import { readErasures, storeErasure } from "./erasures.ts";
import { hasAny } from "./forget.ts";

/** Longer than a consumer and a page of a move take, and than the next compaction takes to end. */
const LOOK_AGAIN_MS = 2 * HOUR_MS;
/** How long the object reports that its user was erased, and late messages are dropped: no queue keeps one so long. */
const REMEMBERED_MS = 30 * DAY_MS;
const BACK_OFF = { firstMs: 60_000, longestMs: HOUR_MS };
/** Per piece. */
const LEFT_ROWS = 100;

export interface ErasureEnv extends TrailEnv {
  /** What built-in tools store. */
  readonly TOOLS_DB?: D1Database;
}

interface ErasureParts {
  readonly sql: SqlStorage;
  readonly env: ErasureEnv;
  readonly keys: AuditKeys;
  readonly now: number;
}

/** Does the next piece of each erasure that is due. Never throws. */
export async function eraseSome(parts: ErasureParts): Promise<void> {
  const { sql, now } = parts;
  const owner = readMeta(sql, "owner");
  for (const erasure of readErasures(sql)) {
    const { id, after, before, step, due, completedAt, failures } = erasure;
    if (!owner || before === null || due > now) continue;
    const erased = { ...owner, erasure: id, after, before };
    try {
      if (completedAt !== null) await forgetErasure(parts, erased);
      else {
        const piece = await pieces[step](parts, erased, erasure);
        if (isAt(sql, erasure)) storeErasure(sql, nextState(erasure, piece, now));
      }
    } catch (error) {
      log("error", "erasure_failed", { tenant: owner.tenant, erasure: id, step, ...describeError(error) });
      const waits = Math.ceil(backOffMs(failures, Math.random(), BACK_OFF));
      if (isAt(sql, erasure)) update(sql, id, { failures: failures + 1, due: now + waits });
    }
  }
}

/**
 * If a store answers after minutes, the object has begun the piece anew meanwhile, and may be further: a late answer counts for
 * nothing.
 */
function isAt(sql: SqlStorage, { id, step, cursors, looks, failures, completedAt }: Erasure): boolean {
  const placeOf = (one: Pick<Erasure, "step" | "cursors" | "looks" | "failures" | "completedAt">) =>
    JSON.stringify([one.step, one.cursors, one.looks, one.failures, one.completedAt]);
  const current = readErasures(sql).find((one) => one.id === id);
  return current !== undefined && placeOf(current) === placeOf({ step, cursors, looks, failures, completedAt });
}

function update(sql: SqlStorage, id: string, change: Partial<Erasure>): void {
  const current = readErasures(sql).find((one) => one.id === id);
  if (current) storeErasure(sql, { ...current, ...change });
}

function nextState(erasure: Erasure, { found: more, cursor, more: goesOn }: ErasedPiece, now: number): Erasure {
  const found = erasure.found + more;
  const { step } = erasure;
  const cursors = { ...erasure.cursors, [step]: cursor };
  const after: Erasure = { ...erasure, found, cursors, failures: 0, due: now };
  if (goesOn) return after;
  const next = storeSteps[storeSteps.indexOf(step) + 1];
  if (next) return { ...after, step: next };
  const looks = erasure.looks + 1;
  if (looks > 1 && found === 0) {
    log("info", "erasure_completed", { erasure: erasure.id });
    return { ...after, looks, completedAt: now, due: now + REMEMBERED_MS };
  }
  // Older manifests have nothing of the person any more.
  const { compacted } = cursors;
  const again = compacted === undefined ? {} : { compacted };
  return { ...after, step: "left", cursors: again, found: 0, looks, due: now + LOOK_AGAIN_MS };
}

type DoPiece = (parts: ErasureParts, erased: ErasedRecords, erasure: Erasure) => Promise<ErasedPiece>;

const NOTHING: ErasedPiece = { found: 0, cursor: "", more: false };

const pieces: Readonly<Record<StoreStep, DoPiece>> = {
  left: storeLeft,

  async index({ env, keys }, erased, { cursors }) {
    const place = Number(cursors.index ?? 0);
    const databases = [...trailShards(env).all.values()];
    const db = databases[place];
    const found = db ? await eraseRows(db, keys, erased) : 0;
    const next = found > 0 ? place : place + 1;
    return { found, cursor: String(next), more: next < databases.length };
  },

  tools: async ({ env: { TOOLS_DB: db } }, erased) =>
    db ? { ...NOTHING, found: await eraseTools(db, erased, erased.before) } : NOTHING,

  incoming: (parts, erased, { cursors }) =>
    inArchive(parts, erased, (archive) => eraseIncoming(archive, cursors.incoming ?? "")),

  compacted: (parts, erased, erasure) =>
    inArchive(parts, erased, (archive) =>
      eraseCompacted(archive, erasure.cursors.compacted ?? "", {
        replaced: erasure.replaced,
        note(files) {
          if (!isAt(parts.sql, erasure)) throw new Error("the piece was begun anew meanwhile");
          update(parts.sql, erasure.id, { replaced: files });
        },
      }),
    ),

  letters: (parts, erased, { cursors }) =>
    inArchive(parts, erased, (archive) => eraseLetters(archive, cursors.letters ?? "")),
};

const inArchive = async (
  { env: { ARCHIVE: bucket }, keys }: ErasureParts,
  erased: ErasedRecords,
  erase: (archive: ErasedArchive) => Promise<ErasedPiece>,
): Promise<ErasedPiece> => (bucket ? erase({ bucket, keys, erased }) : NOTHING);

/** First late messages are dropped from now on; then the trail gets what is left of records that it may never have got. */
async function storeLeft(
  { sql, env, keys, now }: ErasureParts,
  { tenant, user, before }: ErasedRecords,
): Promise<ErasedPiece> {
  const shards = trailShards(env);
  for (const db of shards.all.values()) await noteErased(db, keys, { tenant, user }, before);
  const rows = selectAll<{ ordinal: number; sealed: string }>(
    sql,
    `SELECT ordinal, sealed FROM left_records ORDER BY ordinal LIMIT ${LEFT_ROWS}`,
  );
  const last = rows.at(-1);
  if (!last) return NOTHING;
  const records = rows.map(({ sealed }) => JSON.parse(sealed) as SealedRecord);
  const taken = await shardedTrail(shards).deliver(records);
  if (!taken.ok) throw new Error(`the index refuses what is left of a record: ${taken.error.reason}`);
  const settings = readTrail(env);
  const { ARCHIVE: bucket } = env;
  if (bucket && settings.ok && settings.value.kind === "queued")
    await archiveBatch(bucket, records, { groups: settings.value.groups, name: newId("batch", now) });
  sql.exec("DELETE FROM left_records WHERE ordinal <= ?", last.ordinal);
  return { ...NOTHING, more: rows.length === LEFT_ROWS };
}

/** Nothing identifies the erased person any more. */
async function forgetErasure(
  { sql, env, keys }: ErasureParts,
  { erasure, before, ...owner }: ErasedRecords,
): Promise<void> {
  for (const db of trailShards(env).all.values()) await forgetErased(db, keys, owner, before);
  const others = readErasures(sql).filter(({ id }) => id !== erasure);
  writeMeta(sql, "erasures", others);
  // Nor the owner of the object.
  if (others.length === 0 && !hasAny(sql)) deleteMeta(sql);
}
