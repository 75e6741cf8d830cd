/** `GET` and `DELETE /v1/responses/:id`, and its input items: a user's own stored responses. Another user's id is an unknown id. */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { listBody, unknownCursor } from "../list-body.ts";
import type { Problem } from "../problem.ts";
import { limit, order, readParams, text } from "../query-params.ts";
import { orNotFound } from "../reach.ts";

export async function getResponse(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const query = readParams(withoutInclude(c.req), {});
  if (!query.ok) return query;
  const found = await orNotFound(deps.guardOf(c.var.principal).responses.find(c.req.param("id") ?? ""), "response");
  if (!found.ok) return found;
  const { response, output } = found.value;
  return ok({ ...(JSON.parse(response) as JsonObject), output: JSON.parse(output) });
}

export async function deleteResponse(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const id = c.req.param("id") ?? "";
  const removed = await orNotFound(deps.guardOf(c.var.principal).responses.remove(id), "response");
  return removed.ok ? ok({ id, object: "response", deleted: true }) : removed;
}

export async function listInputItems(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const query = readParams(withoutInclude(c.req), { limit, order, after: text });
  if (!query.ok) return query;
  const found = await orNotFound(deps.guardOf(c.var.principal).responses.find(c.req.param("id") ?? ""), "response");
  if (!found.ok) return found;
  return pageOf(JSON.parse(found.value.input) as readonly JsonObject[], query.value);
}

/** Responses are stored whole: `include` asks for nothing more. */
export function withoutInclude(request: Pick<Request, "url">): Pick<Request, "url"> {
  const url = new URL(request.url);
  for (const name of [...url.searchParams.keys()]) if (/^include(\[\d*\])?$/.test(name)) url.searchParams.delete(name);
  return { url: url.href };
}

interface ItemsQuery {
  readonly limit: number;
  readonly order: "asc" | "desc";
  readonly after?: string;
}

/** @param items the oldest first. */
export function pageOf(items: readonly JsonObject[], query: ItemsQuery): Result<object, Problem> {
  const { limit: most, order: direction, after } = query;
  const ordered = direction === "asc" ? items : items.toReversed();
  const from = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && from === 0) return err(unknownCursor("an item"));
  const page = ordered.slice(from, from + most);
  return ok(listBody(page, from + most < ordered.length));
}
