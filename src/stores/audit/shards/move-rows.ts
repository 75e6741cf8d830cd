/**
 * Moves the rows of one tenant from one database of the hot index to another, a few at a time. The text of each record is moved
 * unchanged: an altered record stays altered, and is detected. Nothing is removed unless it was just found in the other database.
 */
import { insertStored, type KeyedRow, keyList, ROWS_BY_KEY, readPageOf, type StoredRow } from "../d1-audit.ts";
import { type AuditTable, auditTables } from "../record-kinds.ts";

/** The position of the next rows, in the table at this index of `auditTables`. */
export interface MoveCursor {
  readonly table: number;
  readonly at: number;
  readonly id: string;
}

export const FIRST_ROWS: MoveCursor = { table: 0, at: Number.MIN_SAFE_INTEGER, id: "" };

/** Per page: D1 takes 100 bound values a statement, and some dozen statements a batch. */
const ROWS = 128;
const CHECKPOINTS = 500;

interface Databases {
  readonly from: D1Database;
  readonly to: D1Database;
  readonly tenant: string;
}

interface Page {
  readonly table: AuditTable;
  readonly rows: readonly KeyedRow[];
  readonly next: MoveCursor;
}

/** @returns the position of the next page; undefined after the last. Rejects if a database fails. */
export async function copyPage(databases: Databases, cursor: MoveCursor): Promise<MoveCursor | undefined> {
  const page = await readRows(databases, cursor);
  if (page === undefined) return undefined;
  await insertStored(databases.to, databases.tenant, page.table, page.rows);
  return page.next;
}

type ComparedPage = { readonly next: MoveCursor | undefined; readonly missing: number };

/** Whether the other database has this page, each record with the hash of its chain and the same text. */
export async function checkPage(databases: Databases, cursor: MoveCursor): Promise<ComparedPage> {
  const page = await readRows(databases, cursor);
  if (page === undefined) return { next: undefined, missing: 0 };
  const there = await rowsThere(databases, page);
  return { next: page.next, missing: page.rows.length - there.length };
}

/** Copies a page's rows to the new database, then removes from the old one those that are there. @returns whether there may be more. */
export async function removePage(databases: Databases): Promise<boolean> {
  const { from, to, tenant } = databases;
  const page = await readRows(databases, FIRST_ROWS);
  if (page === undefined) {
    await from.batch(
      ["checkpoints", "tenant_retention"].map((table) =>
        from.prepare(`DELETE FROM ${table} WHERE tenant = ?`).bind(tenant),
      ),
    );
    return false;
  }
  await insertStored(to, tenant, page.table, page.rows);
  const there = await rowsThere(databases, page);
  if (there.length === 0)
    throw new Error(`${page.rows.length} records of \`${page.table}\` differ from those in the other database`);
  await from.prepare(`DELETE FROM ${page.table} WHERE ${ROWS_BY_KEY}`).bind(tenant, keyList(there)).run();
  return true;
}

/** Nothing is removed while a tenant is moved, so its checkpoints do not change. */
export async function copyCheckpoints({ from, to, tenant }: Databases): Promise<void> {
  for (let after = ""; ; ) {
    const { results } = await from
      .prepare("SELECT * FROM checkpoints WHERE tenant = ? AND user > ? ORDER BY user LIMIT ?")
      .bind(tenant, after, CHECKPOINTS)
      .all<Record<string, string | number>>();
    const last = results.at(-1);
    if (!last) break;
    // A checkpoint that is already there belongs to a removal that was made there.
    await to
      .prepare(
        `INSERT OR IGNORE INTO checkpoints (tenant, user, seq, hash, gaps, at, key_id, signature)
         SELECT value ->> 'tenant', value ->> 'user', value ->> 'seq', value ->> 'hash', value ->> 'gaps', value ->> 'at',
           value ->> 'key_id', value ->> 'signature' FROM json_each(?)`,
      )
      .bind(JSON.stringify(results))
      .run();
    after = String(last.user);
  }
  const known = await from
    .prepare("SELECT * FROM tenant_retention WHERE tenant = ?")
    .bind(tenant)
    .first<{ days: number; read_at: number }>();
  if (known)
    await to
      .prepare("INSERT OR IGNORE INTO tenant_retention (tenant, days, read_at) VALUES (?, ?, ?)")
      .bind(tenant, known.days, known.read_at)
      .run();
}

export async function hasRecords(db: D1Database, tenant: string): Promise<boolean> {
  const found = await db.batch(
    auditTables.map((table) => db.prepare(`SELECT 1 AS one FROM ${table} WHERE tenant = ? LIMIT 1`).bind(tenant)),
  );
  return found.some(({ results }) => results.length > 0);
}

/** From the first table that has more. */
async function readRows({ from, tenant }: Databases, cursor: MoveCursor): Promise<Page | undefined> {
  let after = cursor;
  for (let place = cursor.table; place < auditTables.length; place++) {
    const table = auditTables[place] as AuditTable;
    const sized = from
      .prepare(
        `SELECT id, at, LENGTH(record) AS units FROM ${table} INDEXED BY ${table}_by_time
         WHERE tenant = ? AND (at, id) > (?, ?) ORDER BY at, id LIMIT ${ROWS}`,
      )
      .bind(tenant, after.at, after.id);
    const { rows, last } = await readPageOf(from, table, tenant, sized);
    if (last) return { table, rows, next: { table: place, at: last.at, id: last.id } };
    after = { ...FIRST_ROWS, table: place + 1 };
  }
  return undefined;
}

async function rowsThere({ to, tenant }: Databases, { table, rows }: Page): Promise<readonly KeyedRow[]> {
  const { results } = await to
    .prepare(`SELECT id, seq, hash, record FROM ${table} WHERE ${ROWS_BY_KEY}`)
    .bind(tenant, keyList(rows))
    .all<Pick<StoredRow, "id" | "seq" | "hash" | "record">>();
  const found = new Map(results.map((row) => [row.id, row]));
  return rows.filter(({ id, seq, hash, record }) => {
    const other = found.get(id);
    return other?.seq === seq && other.hash === hash && other.record === record;
  });
}
