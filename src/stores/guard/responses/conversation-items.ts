/** Single items of stored responses. Each function is part of a transaction. */
import { selectOne } from "../../objects/sql-rows.ts";
import { type ResponseRow, readPart, replacePart } from "./response-rows.ts";

interface FoundItem {
  readonly row: ResponseRow;
  readonly kind: "input" | "output";
  /** All items of that list. */
  readonly items: readonly { readonly id?: unknown }[];
  /** JSON. */
  readonly item: string;
}

export function findItem(sql: SqlStorage, id: string): FoundItem | undefined {
  const text =
    "SELECT responses.* FROM response_items JOIN responses ON responses.ordinal = response_items.response WHERE response_items.id = ?";
  const row = selectOne<ResponseRow>(sql, text, id);
  if (!row) return undefined;
  for (const kind of ["output", "input"] as const) {
    const items = JSON.parse(readPart(sql, row.ordinal, kind)) as readonly { readonly id?: unknown }[];
    const item = items.find((one) => one.id === id);
    if (item) return { row, kind, items, item: JSON.stringify(item) };
  }
  return undefined;
}

/** @returns whether the conversation had it. */
export function removeItem(sql: SqlStorage, conversation: string, id: string): boolean {
  const found = findItem(sql, id);
  if (found?.row.thread !== conversation) return false;
  const { row, kind, items } = found;
  const left = JSON.stringify(items.filter((one) => one.id !== id));
  const less = readPart(sql, row.ordinal, kind).length - left.length;
  replacePart(sql, row.ordinal, kind, left);
  sql.exec("DELETE FROM response_items WHERE id = ?", id);
  sql.exec("UPDATE responses SET length = length - ?1, units = units - ?1 WHERE ordinal = ?2", less, row.ordinal);
  sql.exec("UPDATE response_threads SET units = units - ? WHERE id = ?", less, conversation);
  return true;
}
