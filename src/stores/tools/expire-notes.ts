/** Notes that were deleted long enough ago are gone for good, with their versions. */
import { DELETED_KEPT_DAYS } from "../../tools/builtin/note.ts";

const DAY_MS = 24 * 3600_000;
/** Of one run: what is left is found by the next. */
const MAX_EXPIRED = 5_000;
const BATCH = 500;

/** @returns how many. Rejects where D1 fails: the next run finds the same. */
export async function expireNotes(db: D1Database, now: number): Promise<number> {
  for (let swept = 0; ; ) {
    const { results } = await db
      .prepare(DELETE_OLD)
      .bind(now - DELETED_KEPT_DAYS * DAY_MS, BATCH)
      .all();
    swept += results.length;
    if (results.length < BATCH || swept >= MAX_EXPIRED) return swept;
  }
}

/** Of every user: the only statement that names none. */
const DELETE_OLD = `
  DELETE FROM notes WHERE row IN (
    SELECT row FROM notes WHERE deleted_at IS NOT NULL AND deleted_at < ? ORDER BY deleted_at LIMIT ?)
  RETURNING row`;
