/** The erasures that the user's object has, in their order. */
import { readMeta, writeMeta } from "../transaction.ts";
import type { Erasure } from "./erasure.ts";

export const readErasures = (sql: SqlStorage): readonly Erasure[] => readMeta(sql, "erasures") ?? [];

export function storeErasure(sql: SqlStorage, erasure: Erasure): void {
  const others = readErasures(sql).filter(({ id }) => id !== erasure.id);
  writeMeta(
    sql,
    "erasures",
    [...others, erasure].sort((one, other) => one.after - other.after),
  );
}

/** For the chain as a whole: a record is never dated before the erasure that its chain began after. */
export const chainBeganAt = (sql: SqlStorage): number =>
  Math.max(...readErasures(sql).map(({ before }) => before ?? Number.NEGATIVE_INFINITY));

/** When the next piece is due; undefined if there is none. */
export function erasureDueAt(sql: SqlStorage): number | undefined {
  const due = readErasures(sql).map((erasure) => erasure.due);
  return due.length > 0 ? Math.min(...due) : undefined;
}
