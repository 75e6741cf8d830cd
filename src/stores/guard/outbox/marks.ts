/**
 * Two watermarks of the outbox: how far it was sent, and how far the trail has it. Kept in memory, and stored once for several
 * records: a row for each would cost as much as the record. An object that dies in between sends those few again, which changes
 * nothing: a record's id is its key.
 */
import { type ObjectState, readMeta, writeMeta } from "../transaction.ts";

/** Records per stored mark, unless an alarm rings before. */
const STORE_EVERY = 8;

type Marks = Pick<ObjectState, "delivered" | "sent">;
type MarkName = keyof Marks;

/** Marks that may be further than the storage says. */
const known = new WeakMap<SqlStorage, Partial<Marks>>();

/** Objects that died before they had stored what was delivered: their next mark is stored at once. */
const behind = new WeakSet<SqlStorage>();

/** Otherwise an outbox without new records would seem to wait for ever: at each look the object dies before it stores the mark. */
export const storeNextDelivered = (sql: SqlStorage): void => void behind.add(sql);

export const readMark = <K extends MarkName>(sql: SqlStorage, name: K): ObjectState[K] | undefined =>
  known.get(sql)?.[name] ?? readMeta(sql, name);

/** For a mark that goes forward. */
export function noteMark<K extends MarkName>(sql: SqlStorage, name: K, mark: ObjectState[K]): void {
  const isDue = mark.seq >= (readMeta(sql, name)?.seq ?? 0) + STORE_EVERY;
  if (isDue || (name === "delivered" && behind.delete(sql))) storeMark(sql, name, mark);
  else known.set(sql, { ...known.get(sql), [name]: mark });
}

/** For a mark that may also go back. */
export function storeMark<K extends MarkName>(sql: SqlStorage, name: K, mark: ObjectState[K]): void {
  writeMeta(sql, name, mark);
  known.set(sql, { ...known.get(sql), [name]: undefined });
}

/** Stores the marks that are only in memory. */
export function storeMarks(sql: SqlStorage): void {
  const { delivered, sent } = known.get(sql) ?? {};
  if (delivered) storeMark(sql, "delivered", delivered);
  if (sent) storeMark(sql, "sent", sent);
}

/** Back to the stored marks: the transaction that moved them has failed, or the chain is another. */
export const forgetMarks = (sql: SqlStorage): void => void known.delete(sql);
