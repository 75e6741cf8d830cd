/**
 * Fills the trail's database, a file of local stores, with made records, while no gateway runs on it. What SQLite computes of each record
 * for the stored columns is known already, and indexes are made faster in one go: so the rows go into tables without either, whose
 * definitions are then put back. A row is the same in the file.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { drawFrom } from "../../../src/cli/seed/draw.ts";
import { type AuditTable, auditTables, recordKinds } from "../../../src/stores/audit/record-kinds.ts";
import { digestText, type MadeRecord } from "./made-records.ts";

/** Rows of one transaction. */
const ROWS = 100_000;
const CACHE_KIB = 2 * 2 ** 20;
const COMPUTED = /(\w+) (TEXT|INTEGER)( NOT NULL)? GENERATED ALWAYS AS \(json_extract\(record, '\$\.(\w+)'\)\) STORED/g;
const CHECKED = / CHECK \(id = json_extract\(record, '\$\.id'\)\)/;

export interface FillOptions {
  readonly file: string;
  readonly records: number;
  /** Milliseconds since the epoch: the records are spread from the one to the other. */
  readonly from: number;
  readonly to: number;
  /** The records of a turn at that time. */
  readonly make: (at: number) => readonly MadeRecord[];
}

/** Rows as the gateway writes them, with what is indexed of them; their hashes are random. */
export function fillTrail({ file, records, from, to, make }: FillOptions): void {
  const definitions = simplify(file);
  const db = open(file);
  const inserts = new Map(auditTables.map((table) => [table, insertInto(db, table, definitions.get(table) ?? "")]));
  const reason = db.prepare(
    "INSERT OR IGNORE INTO decision_reasons (tenant, code, at, decision_id) VALUES (?, ?, ?, ?)",
  );
  const draw = drawFrom(10);
  const seqs = new Map<string, number>();
  const insert = (made: MadeRecord): void => {
    const { record } = made;
    const owner = `${record.tenant} ${record.user}`;
    const seq = (seqs.get(owner) ?? 0) + 1;
    seqs.set(owner, seq);
    inserts.get(recordKinds[record.kind].table)?.(made, [record.id, seq, digestText(draw), digestText(draw), "bench"]);
    if (record.kind !== "decision") return;
    for (const { code } of record.reasons) reason.run(record.tenant, code, record.at, record.id);
  };
  for (let made = 0; made < records; ) {
    db.exec("BEGIN");
    for (const end = Math.min(records, made + ROWS); made < end; ) {
      const turn = make(from + Math.floor(((to - from) * made) / records));
      for (const one of turn) insert(one);
      made += turn.length;
    }
    db.exec("COMMIT");
    if (made % 1_000_000 < ROWS) process.stderr.write(`${made} rows\n`);
  }
  db.close();
  restore(file, definitions);
}

function open(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  // Nothing is lost that could not be made again.
  for (const pragma of ["journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF", `cache_size = -${CACHE_KIB}`])
    db.exec(`PRAGMA ${pragma}`);
  return db;
}

/** The definitions of tables and indexes, by their names. */
type Definitions = ReadonlyMap<string, string>;

/** @returns what is to be put back. */
function simplify(file: string): Definitions {
  const db = open(file);
  const all = db.prepare("SELECT type, name, tbl_name AS owner, sql FROM sqlite_master WHERE sql IS NOT NULL").all();
  const isTrail = (name: unknown) => auditTables.some((table) => table === name);
  // An index of a few rows costs more to make afterwards: the whole table is read for it.
  const mine = all.filter(
    ({ type, owner, sql }) => isTrail(owner) && !(type === "index" && / WHERE /.test(String(sql))),
  );
  for (const { type, name } of mine) if (type === "index") db.exec(`DROP INDEX ${name}`);
  const plain = new Map(
    mine.flatMap(({ type, name, sql }) =>
      type === "table" ? [[String(name), String(sql).replace(COMPUTED, "$1 $2").replace(CHECKED, "")] as const] : [],
    ),
  );
  define(db, plain);
  db.close();
  return new Map(mine.map(({ name, sql }) => [String(name), String(sql)]));
}

function define(db: DatabaseSync, tables: Definitions): void {
  db.enableDefensive(false);
  db.exec("PRAGMA writable_schema = ON");
  const change = db.prepare("UPDATE sqlite_master SET sql = ? WHERE type = 'table' AND name = ?");
  for (const [name, sql] of tables) change.run(sql, name);
}

function restore(file: string, definitions: Definitions): void {
  const tables = new Map([...definitions].filter(([, sql]) => sql.startsWith("CREATE TABLE")));
  const changed = open(file);
  define(changed, tables);
  changed.close();
  // Opened anew: a connection goes by the definitions that it has read.
  const db = open(file);
  for (const [name, sql] of definitions) {
    if (tables.has(name)) continue;
    db.exec(sql);
    process.stderr.write(`${name}\n`);
  }
  db.exec("PRAGMA journal_mode = WAL");
  db.close();
}

type Insert = (made: MadeRecord, link: readonly (string | number)[]) => void;

/** With the columns that are computed of the record. */
function insertInto(db: DatabaseSync, table: AuditTable, definition: string): Insert {
  const computed = [...definition.matchAll(COMPUTED)].map(([, column = "", , , member = ""]) => ({ column, member }));
  const columns = ["id", "seq", "previous", "hash", "key_id", "record", ...computed.map(({ column }) => column)];
  const statement: StatementSync = db.prepare(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  return ({ record, text }, link) => {
    const members = record as unknown as Readonly<Record<string, string | number | null | undefined>>;
    statement.run(...link, text, ...computed.map(({ member }) => members[member] ?? null));
  };
}
