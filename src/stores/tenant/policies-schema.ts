/** The ledger's tables for policies, and what is read from them. This page is their storage schema. */
import type { PolicyAction, PolicyVersion } from "../../ports/tenant-ledger-port.ts";
import { selectAll, upsertRow } from "../objects/sql-rows.ts";

export const policyTables = `
-- One row for each time that a version came into force, the newest last. digest: NULL for the embedded policy. actor:
-- NULL where nobody is known. at: ms since epoch, later in each row than in the one before.
CREATE TABLE policy_versions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT, at INTEGER NOT NULL, actor TEXT, action TEXT NOT NULL
);
CREATE INDEX policy_versions_digest ON policy_versions (digest);
-- Their documents as compact JSON, at most 1 MiB each. None where a version was adopted whose document KV did not have.
CREATE TABLE policy_documents (digest TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
-- One row: what is known of the pointer in KV. at: the latest time that a pointer carries which was put, may have been
-- put, or was adopted. state: settled where that is the newest version's; unsettled where it may be another's, so the
-- newest version's must be put again; unchecked where that was done and KV is yet to be seen to agree. due: ms since
-- epoch, when to go on with it.
CREATE TABLE policy_pointer (
  one INTEGER PRIMARY KEY CHECK (one = 1), tenant TEXT NOT NULL, at INTEGER NOT NULL, state TEXT NOT NULL, due INTEGER
);`;

/** Rows kept; the oldest are deleted first, and their documents if no row names them any more. */
const MAX_VERSIONS = 1000;

type VersionRow = { seq: number; digest: string | null; at: number; actor: string | null; action: string };

const COLUMNS = "seq, digest, at, actor, action";

const versionOf = ({ seq, digest, at, actor, action }: VersionRow): PolicyVersion => ({
  id: `pver_${seq}`,
  digest,
  at,
  by: actor,
  action: action as PolicyAction,
});

export function lastVersion(sql: SqlStorage): PolicyVersion | undefined {
  const [row] = sql.exec<VersionRow>(`SELECT ${COLUMNS} FROM policy_versions ORDER BY seq DESC LIMIT 1`);
  return row && versionOf(row);
}

export function newestOf(sql: SqlStorage, digest: string): PolicyVersion | undefined {
  const [row] = sql.exec<VersionRow>(
    `SELECT ${COLUMNS} FROM policy_versions WHERE digest = ? ORDER BY seq DESC LIMIT 1`,
    digest,
  );
  return row && versionOf(row);
}

/** Newest first; undefined if `after` names no entry. */
export function versionsAfter(
  sql: SqlStorage,
  after: string | undefined,
  limit: number,
): readonly PolicyVersion[] | undefined {
  const seq = after === undefined ? Number.MAX_SAFE_INTEGER : Number(/^pver_([1-9]\d{0,14})$/.exec(after)?.[1] ?? 0);
  const known = after === undefined || selectAll(sql, "SELECT 1 FROM policy_versions WHERE seq = ?", seq).length > 0;
  if (!known) return undefined;
  const rows = sql.exec<VersionRow>(
    `SELECT ${COLUMNS} FROM policy_versions WHERE seq < ? ORDER BY seq DESC LIMIT ?`,
    seq,
    limit,
  );
  return rows.toArray().map(versionOf);
}

export function documentText(sql: SqlStorage, digest: string): string | null {
  const [row] = sql.exec<{ text: string }>("SELECT text FROM policy_documents WHERE digest = ?", digest);
  return row?.text ?? null;
}

export function addDocument(sql: SqlStorage, digest: string, text: string): void {
  sql.exec("INSERT OR IGNORE INTO policy_documents (digest, text) VALUES (?, ?)", digest, text);
}

/** To be called in a transaction. */
export function addVersion(sql: SqlStorage, version: Omit<PolicyVersion, "id">, text: string | null): void {
  const { digest, at, by, action } = version;
  if (digest !== null && text !== null) addDocument(sql, digest, text);
  sql.exec("INSERT INTO policy_versions (digest, at, actor, action) VALUES (?, ?, ?, ?)", digest, at, by, action);
  const dropped = sql.exec(
    "DELETE FROM policy_versions WHERE seq <= (SELECT MAX(seq) FROM policy_versions) - ? RETURNING seq",
    MAX_VERSIONS,
  );
  if (dropped.toArray().length === 0) return;
  sql.exec(
    "DELETE FROM policy_documents WHERE digest NOT IN (SELECT digest FROM policy_versions WHERE digest IS NOT NULL)",
  );
}

export interface PointerNote {
  readonly tenant: string;
  readonly at: number;
  readonly state: "settled" | "unsettled" | "unchecked";
  /** Present unless settled. */
  readonly due: number | null;
}

export function readPointerNote(sql: SqlStorage): PointerNote | undefined {
  const [row] = sql.exec<{ tenant: string; at: number; state: string; due: number | null }>(
    "SELECT tenant, at, state, due FROM policy_pointer",
  );
  return row && { ...row, state: row.state as PointerNote["state"] };
}

export function savePointer(sql: SqlStorage, { tenant, at, state, due }: PointerNote): void {
  const row = { one: 1, tenant, at, state, due };
  upsertRow(sql, "policy_pointer", "one", row, ["tenant", "at", "state", "due"]);
}
