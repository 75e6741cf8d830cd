/** Reads the audit trail in D1: pages by time across a tenant's users, and one user's chain in order. */
import { timeOfId } from "../../lib/ids.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type {
  ApprovalRecord,
  AuditRecord,
  DecisionRecord,
  PlanRecord,
  RunRecord,
  SealedRecord,
  TurnRecord,
} from "../../ports/audit-record.ts";
import type { Owner } from "../../session/principal.ts";
import type { StoredRow } from "./d1-audit.ts";
import {
  type AuditTable,
  auditTables,
  columnOf,
  type FilterName,
  type RecordKind,
  type RecordOf,
  recordKinds,
} from "./record-kinds.ts";
import type { AuditReader } from "./shards/shards.ts";

/** An absent member does not filter. Times are milliseconds since the epoch: `from` ≤ at < `to`. */
export type RecordFilter<K extends RecordKind> = { readonly [Name in FilterName<K>]?: string | undefined } & {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
};

export interface RecordPage<R extends AuditRecord> {
  readonly rows: readonly SealedRecord<R>[];
  readonly hasMore: boolean;
}

export async function queryRecords<K extends RecordKind>(
  db: AuditReader,
  kind: K,
  tenant: string,
  filter: RecordFilter<K>,
  page: PageRequest,
): Promise<Result<RecordPage<RecordOf<K>>, UnknownCursor>> {
  const { from, to, reason, ...named } = filter as RecordFilter<"decision">;
  const { table, filters } = recordKinds[kind];
  const given = filters.flatMap((name: string) => {
    const value = (named as Readonly<Record<string, string | undefined>>)[name];
    return value === undefined ? [] : [{ ...columnOf(kind, name, value), value }];
  });
  // SQLite keeps the order of the tables of a CROSS JOIN. Otherwise it takes a bounded time for more selective than a user, and
  // would read a whole tenant's month: hence the index of the most selective filter.
  const [first] = given;
  const isRefused = given.some(({ column, without }) => column === "effect" && without !== undefined);
  const refusedTool = kind === "decision" && first?.column === "tool" && isRefused;
  const index = refusedTool ? "decisions_by_tool_effect" : first ? first.index : `${table}_by_time`;
  // A person, a session or a turn has few decisions, a reason may have very many.
  const isNarrow = first !== undefined && !["tool", "made_by", "effect"].includes(first.column);
  const source =
    reason === undefined || isNarrow
      ? { from: index ? `${table} t INDEXED BY ${index}` : `${table} t`, tenant: "t.tenant", at: "t.at", id: "t.id" }
      : { from: reasonsWith(index ?? `${table}_by_time`), tenant: "r.tenant", at: "r.at", id: "r.decision_id" };
  const conditions: readonly (Sql | undefined)[] = [
    [`${source.tenant} = ?`, tenant],
    // No chain begins below 1: such a row was not written by the gateway.
    ["t.seq > 0"],
    ...given.map(
      ({ column, value, without }): Sql => [
        `t.${column} = ?${without === undefined ? "" : ` AND t.${column} <> '${without}'`}`,
        value,
      ],
    ),
    reason === undefined ? undefined : [isNarrow ? HAS_REASON : "r.code = ?", reason],
    from === undefined ? undefined : [`${source.at} >= ?`, from],
    to === undefined ? undefined : [`${source.at} < ?`, to],
  ];
  const found = await readPage<AuditRow>(
    db,
    {
      select: `SELECT ${LINK} FROM ${source.from}`,
      conditions: conditions.filter((condition) => condition !== undefined),
      at: source.at,
      id: source.id,
      // A decision's id begins with its time; without it the search would read all decisions of the tenant.
      cursor: (after) =>
        kind === "decision"
          ? [`SELECT at, id FROM ${table} WHERE tenant = ? AND at = ? AND id = ?`, tenant, timeOfId(after) ?? -1, after]
          : [`SELECT at, id FROM ${table} WHERE tenant = ? AND id = ?`, tenant, after],
    },
    page,
  );
  if (!found.ok) return found;
  return ok({ ...found.value, rows: found.value.rows.map((row) => readRow<RecordOf<K>>(row)) });
}

/** The columns of a sealed record. */
const LINK = "t.seq, t.previous, t.hash, t.key_id, t.record";

const HAS_REASON = `EXISTS
  (SELECT 1 FROM decision_reasons r WHERE r.tenant = t.tenant AND r.code = ? AND r.at = t.at AND r.decision_id = t.id)`;
/** The index also shows whether a decision fits the other filter: no row is read of those that do not. */
const reasonsWith = (index: string): string =>
  `decision_reasons r CROSS JOIN decisions t INDEXED BY ${index}
    ON t.tenant = r.tenant AND t.at = r.at AND t.id = r.decision_id`;

/** D1 takes no more in one statement. */
const TABLES_AT_ONCE = 5;

/** One user's records of every kind, ascending by `seq`, from the one after `afterSeq`, to check whether they are intact. */
export async function readChain(
  db: AuditReader,
  owner: Owner,
  { afterSeq, limit }: { readonly afterSeq: number; readonly limit: number },
): Promise<readonly SealedRecord[]> {
  const found = await fromAllTables<AuditRow>(db, owner, `SELECT ${LINK}`, ["seq >", afterSeq, limit]);
  return found.slice(0, limit).map(readLink);
}

/** The first record at `seq` or below, if the user's chain has none there. */
export async function firstUpTo(db: AuditReader, owner: Owner, seq: number): Promise<number | undefined> {
  const [found] = await fromAllTables<{ seq: number }>(db, owner, "SELECT seq", ["seq <=", seq, 1]);
  return found?.seq;
}

/** Ascending by `seq`; up to `limit` rows of each statement. In one transaction: no record comes between them. */
async function fromAllTables<R extends { readonly seq: number }>(
  db: AuditReader,
  { tenant, user }: Owner,
  select: string,
  [beyond, seq, limit]: readonly [beyond: "seq >" | "seq <=", seq: number, limit: number],
): Promise<readonly R[]> {
  const parts = auditTables.map(
    (table) => `${select} FROM ${table} t WHERE tenant = ?1 AND user = ?2 AND ${beyond} ?3`,
  );
  const statements: D1PreparedStatement[] = [];
  for (let at = 0; at < parts.length; at += TABLES_AT_ONCE) {
    const statement = `${parts.slice(at, at + TABLES_AT_ONCE).join(" UNION ALL ")} ORDER BY seq LIMIT ?4`;
    statements.push(db.prepare(statement).bind(tenant, user, seq, limit));
  }
  const found = (await db.batch<R>(statements)).flatMap(({ results }) => results);
  return found.sort((one, other) => one.seq - other.seq);
}

type AuditRow = Omit<StoredRow, "id">;

/** The record is the writer's own canonical JSON, so its shape is taken as given; the chain checks whether it was altered. */
function readRow<R extends AuditRecord>({ seq, previous, hash, key_id, record }: AuditRow): SealedRecord<R> {
  return { seq, previous, hash, keyId: key_id, record: JSON.parse(record) as R };
}

/**
 * For the chain, a text that is not byte for byte what the writer wrote is no record of any user: a text with a duplicate key means
 * one thing to us and another to the columns that lists are filtered by.
 */
function readLink(row: AuditRow): SealedRecord {
  try {
    const sealed = readRow<AuditRecord>(row);
    if (canonicalJson(sealed.record) === row.record) return sealed;
  } catch {
    // SQLite reads JSON5 too.
  }
  return readRow({ ...row, record: "{}" });
}

/** Records of one kind; the lists have the rest of a longer turn. */
const MAX_ROWS = 200;

export interface TurnTrail {
  /** Undefined until the turn has ended, and is delivered. */
  readonly turn: SealedRecord<TurnRecord> | undefined;
  /** In the order in which they were sealed, as the others. */
  readonly decisions: readonly SealedRecord<DecisionRecord>[];
  readonly approvals: readonly SealedRecord<ApprovalRecord>[];
  /** By the id of their decision. */
  readonly runs: ReadonlyMap<string, SealedRecord<RunRecord>>;
  /** Records of the plan that it ran. */
  readonly plans: readonly SealedRecord<PlanRecord>[];
  /** Whether some of its records were left out. */
  readonly hasMore: boolean;
}

/** @returns undefined if this tenant has no such turn. */
export async function readTrail(db: AuditReader, tenant: string, turn: string): Promise<TurnTrail | undefined> {
  const ofTurn = (table: AuditTable) =>
    `SELECT ${LINK} FROM ${table} t INDEXED BY ${table}_by_turn WHERE t.tenant = ? AND t.turn = ? AND t.seq > 0 ORDER BY t.seq LIMIT ?`;
  const statements = [
    `SELECT ${LINK} FROM turns t WHERE t.tenant = ? AND t.id = ? AND t.seq > 0 LIMIT ?`,
    ofTurn("decisions"),
    ofTurn("approvals"),
    ofTurn("plans"),
    // By the decision, not by the run's own turn: a later turn may have recorded the outcome.
    `SELECT ${LINK} FROM decisions d INDEXED BY decisions_by_turn
     CROSS JOIN runs t INDEXED BY runs_by_decision ON t.tenant = d.tenant AND t.decision = d.id
     WHERE d.tenant = ? AND d.turn = ? AND d.seq > 0 AND t.seq > 0 ORDER BY t.seq LIMIT ?`,
  ].map((sql) => db.prepare(sql).bind(tenant, turn, MAX_ROWS + 1));
  const found = await db.batch<AuditRow>(statements);
  const read = <R extends AuditRecord>(statement: number) =>
    (found[statement]?.results ?? []).slice(0, MAX_ROWS).map((row) => readRow<R>(row));
  const [ended] = read<TurnRecord>(0);
  const [decisions, approvals, plans] = [read<DecisionRecord>(1), read<ApprovalRecord>(2), read<PlanRecord>(3)];
  if (!ended && decisions.length + approvals.length + plans.length === 0) return undefined;
  const runs = new Map(read<RunRecord>(4).map((run) => [run.record.decision, run]));
  const hasMore = found.some(({ results }) => results.length > MAX_ROWS);
  return { turn: ended, decisions, approvals, runs, plans, hasMore };
}

export interface PageRequest {
  /** 1 to 100; 20 if absent. */
  readonly limit?: number | undefined;
  /** Id of the row that the page begins after. */
  readonly after?: string | undefined;
  /** By time, then id; the newest first if absent. */
  readonly order?: "asc" | "desc" | undefined;
}

/** The tenant has no row of the id in `after` (any more): an empty page would read as the end of the list. */
export type UnknownCursor = "unknown_cursor";

/** A piece of a statement with its values. The text has only constants: nothing of a request is in it. */
export type Sql = readonly [text: string, ...values: (string | number)[]];

interface PageQuery {
  /** `SELECT … FROM …` */
  readonly select: string;
  readonly conditions: readonly Sql[];
  /** The columns that the list is ordered by. */
  readonly at: string;
  readonly id: string;
  /** Selects these two of the row that `after` names. */
  readonly cursor: (after: string) => Sql;
}

export async function readPage<Row>(
  db: AuditReader,
  { select, conditions, at, id, cursor }: PageQuery,
  { limit = 20, after, order = "desc" }: PageRequest,
): Promise<Result<{ readonly rows: readonly Row[]; readonly hasMore: boolean }, UnknownCursor>> {
  const [direction, beyond] = order === "asc" ? ["ASC", ">"] : ["DESC", "<"];
  const [cursorText, ...cursorValues] = after === undefined ? [""] : cursor(after);
  const all: readonly Sql[] =
    after === undefined ? conditions : [...conditions, [`(${at}, ${id}) ${beyond} (${cursorText})`, ...cursorValues]];
  const where = all.map(([text]) => text).join(" AND ");
  const text = `${select} WHERE ${where} ORDER BY ${at} ${direction}, ${id} ${direction} LIMIT ?`;
  const statements = [db.prepare(text).bind(...all.flatMap(([, ...values]) => values), limit + 1)];
  if (after !== undefined) statements.push(db.prepare(cursorText).bind(...cursorValues));
  const [found, cursorRow] = await db.batch<Row>(statements);
  if (cursorRow?.results.length === 0) return err("unknown_cursor");
  const rows = found?.results ?? [];
  return ok({ rows: rows.slice(0, limit), hasMore: rows.length > limit });
}

export const hasTurns = async (db: AuditReader, tenant: string): Promise<boolean> =>
  (await db.prepare("SELECT 1 AS one FROM turns WHERE tenant = ? LIMIT 1").bind(tenant).first()) !== null;
