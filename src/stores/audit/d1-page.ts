/** Pages of a list in D1: by time, then id, each after the last row of the one before. */
import { err, ok, type Result } from "../../lib/result.ts";

export interface PageRequest {
  /** 1 to 100; 20 where it is absent. */
  readonly limit?: number | undefined;
  /** Id of the row that the page begins after. */
  readonly after?: string | undefined;
  /** By time, then id; the newest first where it is absent. */
  readonly order?: "asc" | "desc" | undefined;
}

/** The tenant has no row of the id in `after`, or none any more: an empty page would read as the end of the list. */
export type UnknownCursor = "unknown_cursor";

/** A piece of a statement with its values. The text holds constants alone: nothing of a request is in it. */
export type Sql = readonly [text: string, ...values: (string | number)[]];

interface PageQuery {
  /** `SELECT … FROM …` */
  readonly select: string;
  readonly conditions: readonly Sql[];
  /** The columns that the list is ordered by. */
  readonly at: string;
  readonly id: string;
  /** Selects those two of the row that `after` names. */
  readonly cursor: (after: string) => Sql;
}

export async function readPage<Row>(
  db: D1Database,
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
