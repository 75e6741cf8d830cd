/** A user's stored responses and conversations: stored, read, removed, and the items that a later request continues. */
import {
  type Conversation,
  type EarlierRequest,
  type EarlierResult,
  MAX_RESPONSE_UNITS,
  type StoreResponseRequest,
} from "../../../ports/responses-port.ts";
import type { Owner } from "../../../session/principal.ts";
import { exists, insertReturning } from "../../objects/sql-rows.ts";
import { readErasures } from "../erasure/erasures.ts";
import { type GuardContext, noteOwner, type Transaction } from "../transaction.ts";
import { findItem, removeItem } from "./conversation-items.ts";
import { capResponses } from "./expire-responses.ts";
import {
  deleteResponse,
  deleteThread,
  findResponse,
  findThread,
  type ResponseRow,
  readPart,
  responsesIn,
  type ThreadRow,
  writePart,
} from "./response-rows.ts";

export const responsesApi = (context: GuardContext) => ({
  /** @returns false if it is too long, or what it continues is gone: nothing was stored. */
  keep: async (owner: Owner, response: StoreResponseRequest) =>
    context.change((transaction) => keepResponse(transaction, owner, response)),
  find: async (id: string) =>
    context.read(({ sql }) => {
      const row = findResponse(sql, id);
      if (!row) return undefined;
      const part = (kind: "input" | "output" | "response") => readPart(sql, row.ordinal, kind);
      return { input: part("input"), output: part("output"), response: part("response") };
    }),
  /** @returns whether there was one. */
  remove: async (id: string) =>
    context.read(({ sql }) => {
      const row = findResponse(sql, id);
      if (row) deleteResponse(sql, row);
      return row !== undefined;
    }),
  /** The items that a request continues. */
  earlier: async (request: EarlierRequest) => context.read((transaction) => earlierItems(transaction, request)),
});

export const conversationsApi = (context: GuardContext) => ({
  create: async (owner: Owner, { id, metadata, createdAt }: Conversation) =>
    context.change(({ sql, now }) => {
      noteOwner(sql, owner);
      // A call that is repeated finds what the first one made.
      sql.exec("INSERT OR IGNORE INTO response_threads VALUES (?, '', 1, ?, ?, ?, 0)", id, metadata, createdAt, now);
      capResponses(sql, id);
    }),
  find: async (id: string) => context.read(({ sql }) => conversationOf(findThread(sql, id))),
  /** @param metadata JSON. */
  setMetadata: async (id: string, metadata: string) =>
    context.read(({ sql }) => {
      sql.exec("UPDATE response_threads SET metadata = ? WHERE id = ? AND named = 1", metadata, id);
      return conversationOf(findThread(sql, id));
    }),
  /** Removes it with all that was stored in it. @returns whether there was one. */
  remove: async (id: string) =>
    context.read(({ sql }) => {
      const known = conversationOf(findThread(sql, id)) !== undefined;
      if (known) deleteThread(sql, id);
      return known;
    }),
  /** @returns the item as JSON. */
  item: async (id: string, item: string) =>
    context.read(({ sql }) => {
      const found = findItem(sql, item);
      return found?.row.thread === id ? found.item : undefined;
    }),
  /** @returns the conversation, if it had the item. */
  removeItem: async (id: string, item: string) =>
    context.read(({ sql }) => (removeItem(sql, id, item) ? conversationOf(findThread(sql, id)) : undefined)),
});

const conversationOf = (row: ThreadRow | undefined): Conversation | undefined =>
  row?.named === 1 ? { id: row.id, createdAt: row.created, metadata: row.metadata } : undefined;

/** @returns false if nothing was stored. */
function keepResponse({ sql, now }: Transaction, owner: Owner, kept: StoreResponseRequest): boolean {
  const { id, previous, conversation, session, input, output, response, itemIds } = kept;
  // A call that is repeated finds what the first one kept.
  if (findResponse(sql, id)) return true;
  const units = input.length + output.length + response.length;
  if (units > MAX_RESPONSE_UNITS) return false;
  const thread = conversation ?? (previous === undefined ? id : findResponse(sql, previous)?.thread);
  if (thread === undefined || (thread !== id && !findThread(sql, thread))) return false;
  // A turn that began before its user was erased leaves nothing.
  const wasErased = session !== undefined && readErasures(sql).length > 0;
  if (wasErased && !exists(sql, "SELECT 1 FROM sessions WHERE id = ?", session)) return false;
  noteOwner(sql, owner);
  if (thread === id)
    sql.exec("INSERT INTO response_threads VALUES (?, ?, 0, '{}', ?, ?, 0)", id, session ?? "", now, now);
  const responseRow = {
    id,
    thread,
    session: session ?? "",
    previous: previous ?? null,
    length: input.length + output.length,
    units,
  };
  const { ordinal } = insertReturning<{ ordinal: number }>(sql, "responses", responseRow, "ordinal");
  writePart(sql, ordinal, "input", input);
  writePart(sql, ordinal, "output", output);
  writePart(sql, ordinal, "response", response);
  for (const item of itemIds) sql.exec("INSERT OR REPLACE INTO response_items VALUES (?, ?)", item, ordinal);
  sql.exec(
    "UPDATE response_threads SET units = units + ?, seen = ?, session = COALESCE(?, session) WHERE id = ?",
    ...[units, now, session ?? null, thread],
  );
  capResponses(sql, thread);
  return true;
}

function earlierItems(transaction: Transaction, request: EarlierRequest): EarlierResult {
  const { sql, now } = transaction;
  const { previous, conversation, references, maxUnits } = request;
  const rows = conversation === undefined ? chainTo(sql, previous, maxUnits) : inConversation(sql, conversation);
  if (!Array.isArray(rows)) return rows;
  let units = 0;
  const items: string[] = [];
  for (const row of rows) {
    units += row.length;
    if (units > maxUnits) return { kind: "too_long" };
    items.push(readPart(sql, row.ordinal, "input"), readPart(sql, row.ordinal, "output"));
  }
  const referenced: string[] = [];
  for (const id of references) {
    const item = findItem(sql, id)?.item;
    if (item === undefined) return { kind: "unknown", what: "item", id };
    units += item.length;
    if (units > maxUnits) return { kind: "too_long" };
    referenced.push(item);
  }
  const id = conversation ?? rows.at(-1)?.thread;
  if (id === undefined) return { kind: "found", items, session: undefined, referenced };
  sql.exec("UPDATE response_threads SET seen = ? WHERE id = ?", now, id);
  return { kind: "found", items, session: findThread(sql, id)?.session || undefined, referenced };
}

function inConversation(sql: SqlStorage, id: string): ResponseRow[] | EarlierResult {
  return findThread(sql, id)?.named === 1 ? responsesIn(sql, id) : { kind: "unknown", what: "conversation", id };
}

/** The response, and those that it continues, the oldest first. */
function chainTo(sql: SqlStorage, last: string | undefined, maxUnits: number): ResponseRow[] | EarlierResult {
  const rows: ResponseRow[] = [];
  let units = 0;
  for (let id: string | null | undefined = last; id != null; ) {
    const row = findResponse(sql, id);
    if (!row) return { kind: "unknown", what: "response", id };
    units += row.length;
    if (units > maxUnits) return { kind: "too_long" };
    rows.push(row);
    id = row.previous;
  }
  return rows.reverse();
}
