/** Exports the newest records of a view as a file, read page by page. */

import type { ListOf } from "../../api-views/approval-views.ts";
import type { RecordRow } from "../../api-views/trail-views.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { call, type Failure } from "../api/call.ts";
import { pathOf, type View } from "./view.ts";

export const MAX_RECORDS = 10_000;
export type Format = "csv" | "ndjson" | "parquet";

/** @param onCount is called with the number of records read so far. */
export async function readAll(
  view: View,
  onCount: (count: number) => void,
): Promise<Result<readonly RecordRow[], Failure>> {
  const rows: RecordRow[] = [];
  for (;;) {
    const last = rows.at(-1)?.id;
    const after = last === undefined ? "" : `&after=${encodeURIComponent(last)}`;
    const page = await call<ListOf<RecordRow>>(`${pathOf(view, 100)}${after}`);
    if (!page.ok) return err(page.error);
    rows.push(...page.value.data);
    onCount(rows.length);
    if (!page.value.has_more || rows.length >= MAX_RECORDS) return ok(rows);
  }
}

export async function fileOf(rows: readonly RecordRow[], format: Format): Promise<Blob> {
  if (format === "ndjson")
    return new Blob(
      rows.map((row) => `${JSON.stringify(row)}\n`),
      { type: "application/x-ndjson" },
    );
  const table = rows.length > 0 ? columnsOf(rows) : EMPTY;
  if (format === "csv") return new Blob([csvOf(table, rows.length)], { type: "text/csv" });
  // Loaded only for this kind of export.
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  const columnData = table.map(({ name, values }) => ({ name, data: [...values], type: "STRING" as const }));
  return new Blob([parquetWriteBuffer({ columnData })], { type: "application/vnd.apache.parquet" });
}

/** Columns of a file without records. */
const EMPTY = ["at", "user", "session", "turn", "id"].map((name): Column => ({ name, values: [] }));

interface Column {
  readonly name: string;
  /** One for each record: a text as it is, null if absent, else JSON. */
  readonly values: readonly (string | null)[];
}

function columnsOf(rows: readonly RecordRow[]): readonly Column[] {
  const all: readonly Readonly<Record<string, unknown>>[] = rows.map((row) => ({ ...row }));
  const names = inReadingOrder([...new Set(all.flatMap((row) => Object.keys(row)))]);
  return names.map((name) => ({ name, values: all.map((row) => cellOf(row[name])) }));
}

/** The columns that a reader looks for, in this order. */
const FIRST = [
  ...["at", "user", "tool", "provider", "subject", "effect", "event", "status", "stop_reason", "reasons", "reason"],
  ...["by", "via", "role", "mode", "intents", "arguments", "session", "turn"],
];
/** Columns that only programs need; they come last. */
const LAST = /^(id|object|seq|previous|key_id|policy)$|(^|_)(digest|hash)$/;

/** All other columns are in between, in the order of the records. */
function inReadingOrder(names: readonly string[]): readonly string[] {
  const rank = (name: string): number => {
    const place = FIRST.indexOf(name);
    if (place >= 0) return place;
    return LAST.test(name) ? FIRST.length + 1 : FIRST.length;
  };
  return names.toSorted((a, b) => rank(a) - rank(b));
}

function cellOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A CSV cell, see RFC 4180. Records hold untrusted text: a cell that a spreadsheet would run as a formula gets an apostrophe in front. */
function csvOf(table: readonly Column[], rows: number): string {
  const lines = [table.map(({ name }) => name)];
  for (let row = 0; row < rows; row++) lines.push(table.map(({ values }) => values[row] ?? ""));
  return lines.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");
}

function quoted(cell: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
