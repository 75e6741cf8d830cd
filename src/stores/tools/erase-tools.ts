/** Deletes what built-in tools have stored for a person. */
import { idTime } from "../../lib/ids.ts";
import type { Owner } from "../../session/principal.ts";

/**
 * Data older than `before`; and what a call that was decided before then has written since. Newer data stays.
 * @returns how many rows. Rejects if D1 fails.
 */
export async function eraseTools(db: D1Database, { tenant, user }: Owner, before: number): Promise<number> {
  const old = "created_at < ?3 OR substr(made_by, 1, 14) < ?4";
  const found = await db.batch([
    // Their earlier versions, and their words in the index, are deleted with them.
    db
      .prepare(`DELETE FROM notes WHERE tenant = ?1 AND user = ?2 AND (${old}) RETURNING row`)
      .bind(tenant, user, before, `dec_${idTime(before)}`),
    db
      .prepare("DELETE FROM sources WHERE tenant = ? AND user = ? AND updated_at < ? RETURNING row")
      .bind(tenant, user, before),
    db.prepare("DELETE FROM note_counts WHERE tenant = ? AND user = ? AND live <= 0").bind(tenant, user),
  ]);
  return found.reduce((sum, { results }) => sum + results.length, 0);
}
