/** Rows of an object's tables. Statements, tables and columns are constants of the code: nothing of a request is in them. */
type Row = Readonly<Record<string, SqlStorageValue>>;
type Values = readonly SqlStorageValue[];

export const selectAll = <Stored extends object>(sql: SqlStorage, text: string, ...values: Values): Stored[] =>
  sql.exec(text, ...values).toArray() as Stored[];

export const selectOne = <Stored extends object>(
  sql: SqlStorage,
  text: string,
  ...values: Values
): Stored | undefined => selectAll<Stored>(sql, text, ...values)[0];

/** Whether the statement has a row. */
export const exists = (sql: SqlStorage, text: string, ...values: Values): boolean =>
  selectOne(sql, text, ...values) !== undefined;

export const insertRow = (sql: SqlStorage, table: string, row: Row): void =>
  void sql.exec(insertion(table, row), ...Object.values(row));

/**
 * Reading back the whole row of a call takes as long as writing it.
 * @returns the columns as stored, with defaults and generated keys.
 */
export const insertReturning = <Stored extends object>(
  sql: SqlStorage,
  table: string,
  row: Row,
  columns = "*",
): Stored => sql.exec(`${insertion(table, row)} RETURNING ${columns}`, ...Object.values(row)).one() as Stored;

function insertion(table: string, row: Row): string {
  const columns = Object.keys(row);
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
}

/** Inserts the row; if its key exists, updates the columns. */
export function upsertRow(sql: SqlStorage, table: string, key: string, row: Row, updated: readonly string[]): void {
  const columns = Object.keys(row);
  const places = columns.map(() => "?").join(", ");
  const changes = updated.map((column) => `${column} = excluded.${column}`).join(", ");
  sql.exec(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places}) ON CONFLICT (${key}) DO UPDATE SET ${changes}`,
    ...Object.values(row),
  );
}

/** Stores the columns of the row that has its values in the columns of the key. */
export function updateRow(
  sql: SqlStorage,
  table: string,
  key: readonly string[],
  row: Row,
  columns: readonly string[],
): void {
  const equal = (names: readonly string[]) => names.map((name) => `${name} = ?`);
  const text = `UPDATE ${table} SET ${equal(columns).join(", ")} WHERE ${equal(key).join(" AND ")}`;
  sql.exec(text, ...[...columns, ...key].map((column) => row[column] ?? null));
}

/** A page of a table of an object: by a column that follows time, each page after the last row of the one before. */
interface SqlPageRequest {
  readonly limit: number;
  /** The value of the key that the page begins after. */
  readonly after?: string | number | undefined;
  readonly order: "asc" | "desc";
}

interface SqlPageQuery<Row> {
  readonly table: string;
  /** Absent: all. */
  readonly columns?: string;
  readonly key: string;
  /** Constants with their values; undefined ones do not filter. */
  readonly conditions: readonly (readonly [text: string, ...values: SqlStorageValue[]] | undefined)[];
  /** UTF-16 units of a row. */
  readonly sizeOf?: (row: Row) => number;
}

/** UTF-16 units of one page, which has at most 32 MB; a longer row is a page of its own. */
const MAX_UNITS = 4 * 1024 * 1024;

export function readSqlPage<Row extends Record<string, SqlStorageValue>>(
  sql: SqlStorage,
  { table, columns = "*", key, conditions, sizeOf = () => 0 }: SqlPageQuery<Row>,
  { limit, after, order }: SqlPageRequest,
): { readonly rows: readonly Row[]; readonly hasMore: boolean } {
  const [direction, beyond] = order === "asc" ? ["ASC", ">"] : ["DESC", "<"];
  const all = [...conditions, after === undefined ? undefined : ([`${key} ${beyond} ?`, after] as const)].filter(
    (condition) => condition !== undefined,
  );
  const where = all.length === 0 ? "" : `WHERE ${all.map(([text]) => text).join(" AND ")}`;
  const found = sql.exec<Row>(
    `SELECT ${columns} FROM ${table} ${where} ORDER BY ${key} ${direction} LIMIT ?`,
    ...all.flatMap(([, ...values]) => values),
    limit + 1,
  );
  const rows: Row[] = [];
  let units = 0;
  for (const row of found) {
    units += sizeOf(row);
    if (rows.length === limit || (rows.length > 0 && units > MAX_UNITS)) return { rows, hasMore: true };
    rows.push(row);
  }
  return { rows, hasMore: false };
}
