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
