/** A user's kept responses and conversations, as the surfaces reach them. */
import type { Conversation, EarlierRequest, StoreResponseRequest } from "../../../ports/responses-port.ts";
import type { Owner } from "../../../session/principal.ts";
import { type GuardContext, noteOwner } from "../transaction.ts";
import { findItem, removeItem } from "./conversation-items.ts";
import { capResponses } from "./expire-responses.ts";
import { earlierItems, keepResponse } from "./keep-response.ts";
import { deleteResponse, deleteThread, findResponse, findThread, readPart, type ThreadRow } from "./response-rows.ts";

export const responsesApi = (context: GuardContext) => ({
  /** @returns false if it is too long, or what it goes on from is gone: nothing was stored. */
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
  /** The items that a request goes on from. */
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
