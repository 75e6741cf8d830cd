/** Checkpoints in D1, and the removal of records older than them: in one transaction, so that neither is there without the other. */
import type { ChainLink, SignedCheckpoint } from "../../ports/audit-record.ts";
import type { StrayBounds } from "../../ports/trail-port.ts";
import type { Owner } from "../../session/principal.ts";
import { type AuditTable, auditTables } from "./record-kinds.ts";

export interface CheckpointRow extends Owner, ChainLink {
  readonly gaps: string;
  readonly at: number;
  readonly key_id: string;
  readonly signature: string;
}

/** As D1 has it: the caller checks the signature. */
export async function readCheckpoint(db: D1Database, { tenant, user }: Owner): Promise<SignedCheckpoint | undefined> {
  const statement = db.prepare("SELECT * FROM checkpoints WHERE tenant = ? AND user = ?").bind(tenant, user);
  const row = await statement.first<CheckpointRow>();
  return row === null ? undefined : checkpointOf(row);
}

export function checkpointOf({ key_id: keyId, gaps, ...checkpoint }: CheckpointRow): SignedCheckpoint {
  return { ...checkpoint, gaps: JSON.parse(gaps) as SignedCheckpoint["gaps"], keyId };
}

/** Replaces the one before. */
export function checkpointRow(db: D1Database, checkpoint: SignedCheckpoint): D1PreparedStatement {
  const { tenant, user, seq, hash, gaps, at, keyId, signature } = checkpoint;
  return db
    .prepare(
      `INSERT INTO checkpoints (tenant, user, seq, hash, gaps, at, key_id, signature) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (tenant, user) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, gaps = excluded.gaps,
         at = excluded.at, key_id = excluded.key_id, signature = excluded.signature`,
    )
    .bind(tenant, user, seq, hash, JSON.stringify(gaps), at, keyId, signature);
}

/** @param before a second check: no younger record is removed, whatever the checkpoint says. */
export async function moveCheckpoint(db: D1Database, checkpoint: SignedCheckpoint, before: number): Promise<void> {
  const { tenant, user, seq } = checkpoint;
  const remove = (table: AuditTable) =>
    db
      .prepare(`DELETE FROM ${table} WHERE tenant = ? AND user = ? AND seq <= ? AND at < ?`)
      .bind(tenant, user, seq, before);
  // Removal first: in a full database the checkpoint's row may need a page that it frees.
  await db.batch([
    // The reasons of decisions are removed with them.
    ...auditTables.map(remove),
    checkpointRow(db, checkpoint),
  ]);
}

/** Records per removal of strays, of each kind. */
const STRAYS = 500;

/**
 * Removes old records that the chain does not have: those below its checkpoint, which a restored database has again, and those beyond
 * its head, from a chain whose object has lost its storage.
 * @returns whether there may be more.
 */
export async function removeStray(
  db: D1Database,
  { tenant, user }: Owner,
  { upToSeq, afterSeq, olderThan }: StrayBounds,
): Promise<boolean> {
  const remove = (table: AuditTable) =>
    db
      .prepare(
        `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} INDEXED BY ${table}_by_chain
         WHERE tenant = ? AND user = ? AND (seq <= ? OR seq > ?) AND at < ? LIMIT ${STRAYS}) RETURNING id`,
      )
      .bind(tenant, user, upToSeq, afterSeq, olderThan);
  const removed = await db.batch(auditTables.map(remove));
  return removed.some(({ results }) => results.length === STRAYS);
}
