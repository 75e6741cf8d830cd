/** Rows of an object's tables, written by their columns. Tables and columns are constants of the code. */
type Row = Readonly<Record<string, SqlStorageValue>>;

/** @returns the row as stored, with defaults and generated keys. */
export function insertRow<Stored extends Record<string, SqlStorageValue>>(
  sql: SqlStorage,
  table: string,
  row: Row,
): Stored {
  const columns = Object.keys(row);
  const places = columns.map(() => "?").join(", ");
  const text = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places}) RETURNING *`;
  return sql.exec<Stored>(text, ...Object.values(row)).one();
}

/** Inserts the row; where its key exists, updates the columns. */
export function upsertRow(sql: SqlStorage, table: string, key: string, row: Row, updated: readonly string[]): void {
  const columns = Object.keys(row);
  const places = columns.map(() => "?").join(", ");
  const changes = updated.map((column) => `${column} = excluded.${column}`).join(", ");
  sql.exec(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places}) ON CONFLICT (${key}) DO UPDATE SET ${changes}`,
    ...Object.values(row),
  );
}

/** Stores the columns of the row that has this key. */
export function updateRow(sql: SqlStorage, table: string, key: string, row: Row, columns: readonly string[]): void {
  const changes = columns.map((column) => `${column} = ?`).join(", ");
  const values = [...columns, key].map((column) => row[column] ?? null);
  sql.exec(`UPDATE ${table} SET ${changes} WHERE ${key} = ?`, ...values);
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
  readonly key: string;
  /** Constants with their values; undefined ones do not filter. */
  readonly conditions: readonly (readonly [text: string, ...values: SqlStorageValue[]] | undefined)[];
  /** UTF-16 units of a row. */
  readonly sizeOf?: (row: Row) => number;
}

/** UTF-16 units of one page, which has at most 32 MB; a longer row is a page by itself. */
const MAX_UNITS = 4 * 1024 * 1024;

export function readSqlPage<Row extends Record<string, SqlStorageValue>>(
  sql: SqlStorage,
  { table, key, conditions, sizeOf = () => 0 }: SqlPageQuery<Row>,
  { limit, after, order }: SqlPageRequest,
): { readonly rows: readonly Row[]; readonly hasMore: boolean } {
  const [direction, beyond] = order === "asc" ? ["ASC", ">"] : ["DESC", "<"];
  const all = [...conditions, after === undefined ? undefined : ([`${key} ${beyond} ?`, after] as const)].filter(
    (condition) => condition !== undefined,
  );
  const where = all.length === 0 ? "" : `WHERE ${all.map(([text]) => text).join(" AND ")}`;
  const found = sql.exec<Row>(
    `SELECT * FROM ${table} ${where} ORDER BY ${key} ${direction} LIMIT ?`,
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
