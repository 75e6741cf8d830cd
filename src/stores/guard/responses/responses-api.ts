/** A user's kept responses and conversations, as the surfaces reach them. */
import type { Conversation, ConversationsPort, ResponsesPort } from "../../../ports/responses-port.ts";
import { type GuardContext, noteOwner } from "../transaction.ts";
import { findItem, removeItem } from "./conversation-items.ts";
import { capResponses } from "./expire-responses.ts";
import { earlierItems, keepResponse } from "./keep-response.ts";
import { deleteResponse, deleteThread, findResponse, findThread, readPart, type ThreadRow } from "./response-rows.ts";

export const responsesApi = (context: GuardContext): ResponsesPort => ({
  keep: async (owner, response) => context.change((transaction) => keepResponse(transaction, owner, response)),
  find: async (id) =>
    context.read(({ sql }) => {
      const row = findResponse(sql, id);
      if (!row) return undefined;
      const part = (kind: "input" | "output" | "response") => readPart(sql, row.ordinal, kind);
      return { input: part("input"), output: part("output"), response: part("response") };
    }),
  remove: async (id) =>
    context.read(({ sql }) => {
      const row = findResponse(sql, id);
      if (row) deleteResponse(sql, row);
      return row !== undefined;
    }),
  earlier: async (request) => context.read((transaction) => earlierItems(transaction, request)),
});

export const conversationsApi = (context: GuardContext): ConversationsPort => ({
  create: async (owner, { id, metadata, createdAt }) =>
    context.change(({ sql, now }) => {
      noteOwner(sql, owner);
      // A call that is repeated finds what the first one made.
      sql.exec("INSERT OR IGNORE INTO response_threads VALUES (?, '', 1, ?, ?, ?, 0)", id, metadata, createdAt, now);
      capResponses(sql, id);
    }),
  find: async (id) => context.read(({ sql }) => conversationOf(findThread(sql, id))),
  setMetadata: async (id, metadata) =>
    context.read(({ sql }) => {
      sql.exec("UPDATE response_threads SET metadata = ? WHERE id = ? AND named = 1", metadata, id);
      return conversationOf(findThread(sql, id));
    }),
  remove: async (id) =>
    context.read(({ sql }) => {
      const known = conversationOf(findThread(sql, id)) !== undefined;
      if (known) deleteThread(sql, id);
      return known;
    }),
  item: async (id, item) =>
    context.read(({ sql }) => {
      const found = findItem(sql, item);
      return found?.row.thread === id ? found.item : undefined;
    }),
  removeItem: async (id, item) =>
    context.read(({ sql }) => (removeItem(sql, id, item) ? conversationOf(findThread(sql, id)) : undefined)),
});

const conversationOf = (row: ThreadRow | undefined): Conversation | undefined =>
  row?.named === 1 ? { id: row.id, createdAt: row.created, metadata: row.metadata } : undefined;
