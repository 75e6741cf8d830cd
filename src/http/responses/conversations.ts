/** `/v1/conversations`: messages are stored under a name, and a request needs only the name. */
import type { Context, Hono } from "hono";
import * as z from "zod";
import type { Deps } from "../../deps.ts";
import { newId } from "../../lib/ids.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { once } from "../../lib/once.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { Conversation } from "../../ports/responses-port.ts";
import { messagesOf } from "../../wire/responses/input-items.ts";
import type { AppEnv } from "../app-env.ts";
import { type HandlerResult, routesFor } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { notFound, type Problem, problemOf, tooLarge } from "../problem.ts";
import { limit, order, readParams, text } from "../query-params.ts";
import { orNotFound, orUnavailable } from "../reach.ts";
import { readJson } from "../read-json.ts";
import { pageOf, withoutInclude } from "./kept-responses.ts";

export function conversationRoutes(deps: Deps): Hono<AppEnv> {
  return routesFor(deps, {
    "POST /": createConversation,
    "GET /:id": getConversation,
    "POST /:id": changeConversation,
    "DELETE /:id": deleteConversation,
    "GET /:id/items": listItems,
    "POST /:id/items": addItems,
    "GET /:id/items/:item": getItem,
    "DELETE /:id/items/:item": deleteItem,
  });
}

/** As many as OpenAI takes at once. */
const MAX_ITEMS = 20;
const metadataSchema = () =>
  z
    .record(z.string().max(64), z.string().max(512))
    .refine((metadata) => Object.keys(metadata).length <= 16, "must have at most 16 members");
const itemsSchema = () => z.array(z.record(z.string(), z.unknown())).max(MAX_ITEMS);

const newConversation = {
  schema: once(() => z.strictObject({ items: itemsSchema().nullish(), metadata: metadataSchema().nullish() })),
  example: '`{ "items": […], "metadata": {…} }`',
  optional: true,
} as const;
const changedConversation = {
  schema: once(() => z.strictObject({ metadata: metadataSchema() })),
  example: '`{ "metadata": {…} }`',
};
const newItems = { schema: once(() => z.strictObject({ items: itemsSchema() })), example: '`{ "items": […] }`' };

async function createConversation(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const body = await readJson(c.req.raw, deps.limits.maxSmallBodyBytes, newConversation);
  if (!body.ok) return body;
  const items = namedItems(body.value.items ?? [], deps);
  if (!items.ok) return items;
  const createdAt = deps.now();
  const metadata = JSON.stringify(body.value.metadata ?? {});
  const conversation = { id: newId("conv", createdAt), createdAt, metadata };
  const { tenant, user } = c.var.principal;
  const made = await orUnavailable(deps.guardOf(c.var.principal).conversations.create({ tenant, user }, conversation));
  if (!made.ok) return made;
  const kept = await keepItems(c, deps, conversation.id, items.value);
  return kept.ok ? ok(presented(conversation)) : kept;
}

async function getConversation(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const found = await findConversation(c, deps);
  return found.ok ? ok(presented(found.value)) : found;
}

async function changeConversation(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const body = await readJson(c.req.raw, deps.limits.maxSmallBodyBytes, changedConversation);
  if (!body.ok) return body;
  const { conversations } = deps.guardOf(c.var.principal);
  const changed = await orNotFound(
    conversations.setMetadata(idOf(c), JSON.stringify(body.value.metadata)),
    "conversation",
  );
  return changed.ok ? ok(presented(changed.value)) : changed;
}

async function deleteConversation(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const removed = await orNotFound(deps.guardOf(c.var.principal).conversations.remove(idOf(c)), "conversation");
  return removed.ok ? ok({ id: idOf(c), object: "conversation.deleted", deleted: true }) : removed;
}

async function listItems(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const query = readParams(withoutInclude(c.req), { limit, order, after: text });
  if (!query.ok) return query;
  const request = { previous: undefined, conversation: idOf(c), references: [], maxUnits: deps.limits.maxBodyBytes };
  const found = await orUnavailable(deps.guardOf(c.var.principal).responses.earlier(request));
  if (!found.ok) return found;
  if (found.value.kind === "unknown") return err(notFound("conversation"));
  if (found.value.kind === "too_long") return err(tooLarge("the conversation", deps.limits.maxBodyBytes));
  return pageOf(
    found.value.items.flatMap((list) => JSON.parse(list) as JsonObject[]),
    query.value,
  );
}

async function addItems(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const body = await readJson(c.req.raw, deps.limits.maxSmallBodyBytes, newItems);
  if (!body.ok) return body;
  const items = namedItems(body.value.items, deps);
  if (!items.ok) return items;
  const found = await findConversation(c, deps);
  if (!found.ok) return found;
  const kept = await keepItems(c, deps, found.value.id, items.value);
  return kept.ok ? ok(listBody(items.value)) : kept;
}

async function getItem(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const query = readParams(withoutInclude(c.req), {});
  if (!query.ok) return query;
  const found = await orNotFound(deps.guardOf(c.var.principal).conversations.item(idOf(c), itemIdOf(c)), "item");
  return found.ok ? ok(JSON.parse(found.value) as object) : found;
}

async function deleteItem(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const left = await orNotFound(deps.guardOf(c.var.principal).conversations.removeItem(idOf(c), itemIdOf(c)), "item");
  return left.ok ? ok(presented(left.value)) : left;
}

const itemIdOf = (c: Context<AppEnv>): string => c.req.param("item") ?? "";
const idOf = (c: Context<AppEnv>): string => c.req.param("id") ?? "";

async function findConversation(c: Context<AppEnv>, deps: Deps): Promise<Result<Conversation, Problem>> {
  return orNotFound(deps.guardOf(c.var.principal).conversations.find(idOf(c)), "conversation");
}

/** Items that no later request could continue from are refused now. */
function namedItems(items: readonly JsonObject[], { now }: Deps): Result<readonly JsonObject[], Problem> {
  const read = messagesOf(items);
  if (!read.ok) {
    const { message, param, code } = read.error;
    const renamed = (given: string) => given.replaceAll("input[", "items[");
    return err(problemOf({ message: renamed(message), param: param && renamed(param), code }));
  }
  return ok(items.map((item) => ({ type: "message", ...item, id: newId("msg", now()) })));
}

async function keepItems(
  c: Context<AppEnv>,
  { guardOf, now }: Deps,
  conversation: string,
  items: readonly JsonObject[],
): Promise<Result<void, Problem>> {
  if (items.length === 0) return ok(undefined);
  const { tenant, user } = c.var.principal;
  const kept = await orUnavailable(
    guardOf(c.var.principal).responses.keep(
      { tenant, user },
      {
        ...{ id: newId("msg", now()), previous: undefined, conversation, session: undefined },
        input: JSON.stringify(items),
        output: "[]",
        response: "{}",
        itemIds: items.map(({ id }) => String(id)),
      },
    ),
  );
  if (!kept.ok) return kept;
  return kept.value ? ok(undefined) : err(notFound("conversation"));
}

const presented = ({ id, createdAt, metadata }: Conversation) => ({
  id,
  object: "conversation",
  created_at: Math.floor(createdAt / 1000),
  metadata: JSON.parse(metadata) as unknown,
});
