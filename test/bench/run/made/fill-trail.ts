/**
 * Fills the trail's database, a file of local stores, with made records, while no gateway runs on it. What SQLite computes of each record
 * for the stored columns is known already, and indexes are made faster in one go: so the rows go into tables without either, whose
 * definitions are then put back. A row is the same in the file.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { drawFrom } from "../../../../src/cli/seed/draw.ts";
import { idTime } from "../../../../src/lib/ids.ts";
import { type AuditTable, auditTables, recordKinds } from "../../../../src/stores/audit/record-kinds.ts";
import { digestText, type MadeRecord } from "./records.ts";

const CACHE_KIB = 2 * 2 ** 20;
const COMPUTED = /(\w+) (TEXT|INTEGER)( NOT NULL)? GENERATED ALWAYS AS \(json_extract\(record, '\$\.(\w+)'\)\) STORED/g;
const CHECKED = / CHECK \(id = json_extract\(record, '\$\.id'\)\)/;
/** So long the first five digits of an id's time stay the same: nine hours. */
const WINDOW_MS = 32 ** 5;
/** A week. */
const WINDOWS = 18;
/** What a turn records later stays within its window. */
const LAST_MS = 120_000;

export interface FillOptions {
  readonly file: string;
  readonly records: number;
  /** The records of a turn at that time. */
  readonly make: (at: number) => readonly MadeRecord[];
}

/**
 * Rows as the gateway writes them, of the last week, with what is indexed of them; their hashes are random. Those of the first nine hours are
 * made; SQLite copies them to later hours, with other ids and for other users.
 */
export function fillTrail({ file, records, make }: FillOptions): void {
  const definitions = simplify(file);
  const db = open(file);
  const tables = auditTables.map((table) => new TrailTable(db, table, definitions.get(table) ?? ""));
  const reason = db.prepare(
    "INSERT OR IGNORE INTO decision_reasons (tenant, code, at, decision_id) VALUES (?, ?, ?, ?)",
  );
  const first = (Math.floor(Date.now() / WINDOW_MS) - WINDOWS) * WINDOW_MS;
  const draw = drawFrom(10);
  const seqs = new Map<string, number>();
  const wanted = Math.ceil(records / WINDOWS);
  db.exec("BEGIN");
  for (let made = 0; made < wanted; ) {
    for (const one of make(first + Math.floor(((WINDOW_MS - LAST_MS) * made) / wanted))) {
      const { record } = one;
      const owner = `${record.tenant} ${record.user}`;
      const seq = (seqs.get(owner) ?? 0) + 1;
      seqs.set(owner, seq);
      const table = tables.find(({ name }) => name === recordKinds[record.kind].table);
      table?.insert(one, [record.id, seq, digestText(draw), digestText(draw), "bench"]);
      if (record.kind === "decision")
        for (const { code } of record.reasons) reason.run(record.tenant, code, record.at, record.id);
      made += 1;
    }
  }
  db.exec("COMMIT; CREATE TEMP TABLE first_reasons AS SELECT * FROM decision_reasons");
  const rows = new Map(tables.map((table) => [table, table.lastRow()]));
  for (let window = 1; window < WINDOWS; window += 1) {
    db.exec("BEGIN");
    const ids = [idTime(first), idTime(first + window * WINDOW_MS)].map((time) => `_${time.slice(0, 5)}`);
    for (const [table, upTo] of rows) table.copy(window, ids, upTo);
    db.prepare(
      `INSERT INTO decision_reasons (tenant, code, at, decision_id)
       SELECT tenant, code, at + ?, replace(decision_id, ?, ?) FROM first_reasons`,
    ).run(window * WINDOW_MS, ...ids);
    db.exec("COMMIT");
    process.stderr.write(`${window + 1} of ${WINDOWS}\n`);
  }
  db.close();
  restore(file, definitions);
}

class TrailTable {
  readonly name: AuditTable;
  private readonly db: DatabaseSync;
  /** With the member of the record that each is. */
  private readonly computed: readonly { readonly column: string; readonly member: string }[];
  private readonly statement: StatementSync;

  /** @param definition with what is computed. */
  constructor(db: DatabaseSync, name: AuditTable, definition: string) {
    this.db = db;
    this.name = name;
    this.computed = [...definition.matchAll(COMPUTED)].map(([, column = "", , , member = ""]) => ({ column, member }));
    this.statement = db.prepare(
      `INSERT INTO ${name} (${this.columns.join(", ")}) VALUES (${this.columns.map(() => "?").join(", ")})`,
    );
  }

  private get columns(): readonly string[] {
    return ["id", "seq", "previous", "hash", "key_id", "record", ...this.computed.map(({ column }) => column)];
  }

  insert({ record, text }: MadeRecord, link: readonly (string | number)[]): void {
    const members = record as unknown as Readonly<Record<string, string | number | null | undefined>>;
    this.statement.run(...link, text, ...this.computed.map(({ member }) => members[member] ?? null));
  }

  lastRow(): number {
    return Number(this.db.prepare(`SELECT MAX(rowid) AS last FROM ${this.name}`).get()?.last ?? 0);
  }

  /** @param ids how ids of the first window begin, and those of this one. */
  copy(window: number, [before = "", now = ""]: readonly string[], upTo: number): void {
    const later = window * WINDOW_MS;
    const user = `user || '-${window}'`;
    const times = this.name === "turns" ? ["at", "endedAt"] : this.name === "approvals" ? ["at", "expiresAt"] : ["at"];
    const replaced = times.reduce((text, time) => {
      const value = time === "at" ? "at" : time === "expiresAt" ? "expires_at" : `json_extract(record, '$.${time}')`;
      return `replace(${text}, '"${time}":' || ${value}, '"${time}":' || (${value} + ${later}))`;
    }, `replace(replace(record, '${before}', '${now}'), '"user":"' || user || '"', '"user":"' || ${user} || '"')`);
    const cellOf = (column: string): string => {
      if (column === "record") return replaced;
      if (column === "user") return user;
      if (column === "at" || column === "expires_at") return `${column} + ${later}`;
      if (column === "previous" || column === "hash") return "lower(hex(randomblob(32)))";
      return column === "seq" || column === "tenant" ? column : `replace(${column}, '${before}', '${now}')`;
    };
    this.db.exec(
      `INSERT INTO ${this.name} (${this.columns.join(", ")})
       SELECT ${this.columns.map(cellOf).join(", ")} FROM ${this.name} WHERE rowid <= ${upTo}`,
    );
  }
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
