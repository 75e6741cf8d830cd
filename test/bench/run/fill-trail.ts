/** Fills the trail's database, a file of local stores, with made records: the gateway is not running meanwhile. */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { drawFrom } from "../../../src/cli/seed/draw.ts";
import { type AuditTable, auditTables, recordKinds } from "../../../src/stores/audit/record-kinds.ts";
import { digestText, type MadeRecord } from "./made-records.ts";

/** Rows of one transaction. */
const ROWS = 100_000;
/** For the indexes, most of whose entries go to some place in their middle. */
const CACHE_KIB = 4 * 2 ** 20;

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
  const db = new DatabaseSync(file);
  // Nothing is lost that could not be made again.
  for (const pragma of ["journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF", `cache_size = -${CACHE_KIB}`])
    db.exec(`PRAGMA ${pragma}`);
  const inserts = new Map<AuditTable, StatementSync>(
    auditTables.map((table) => [
      table,
      db.prepare(`INSERT INTO ${table} (id, seq, previous, hash, key_id, record) VALUES (?, ?, ?, ?, 'bench', ?)`),
    ]),
  );
  const reason = db.prepare(
    "INSERT OR IGNORE INTO decision_reasons (tenant, code, at, decision_id) VALUES (?, ?, ?, ?)",
  );
  const draw = drawFrom(10);
  const seqs = new Map<string, number>();
  const insert = ({ record, text }: MadeRecord): void => {
    const owner = `${record.tenant} ${record.user}`;
    const seq = (seqs.get(owner) ?? 0) + 1;
    seqs.set(owner, seq);
    const { table } = recordKinds[record.kind];
    inserts.get(table)?.run(record.id, seq, digestText(draw), digestText(draw), text);
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
  db.exec("PRAGMA journal_mode = WAL");
  db.close();
}
