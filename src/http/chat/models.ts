/**
 * `GET /v1/models` and `GET /v1/models/:model`. Without named providers: the upstream's answer unchanged. With them: the upstream's
 * models, those of each provider under its prefix, and the names of the settings. A source that does not answer is left out.
 */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { describeError, log } from "../../lib/log.ts";
import { err, ok } from "../../lib/result.ts";
import { type ListedModel, listModels } from "../../model/upstream/list-models.ts";
import type { UpstreamTarget } from "../../settings/upstream-target.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { notFound } from "../problem.ts";
import { passThrough } from "./pass-through.ts";

export async function answerModels(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const { targets, routes } = deps.upstream;
  const isNumbered = targets.some(({ provider }) => !provider);
  const passed = isNumbered ? await passThrough(c, "/models", deps) : undefined;
  const named = targets.filter(isProvider);
  if (passed && (!passed.ok || (named.length === 0 && !routes?.size))) return passed;
  const own = passed ? await listedIn(passed.value) : [];
  const lists = await Promise.all(named.map((target) => listOf(c, deps, target)));
  const routed = routeModels(deps);
  const names = new Set(routed.map(({ id }) => id));
  // A route of the same name replaces the model.
  const others = [...own, ...lists.flat()].filter((model) => !isObject(model) || !names.has(String(model.id)));
  return ok(Response.json({ object: "list", data: [...routed, ...others] }));
}

/** `GET /v1/models/:model`. */
export async function answerModel(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const model = c.req.param("model") ?? "";
  const route = routeModels(deps).find(({ id }) => id === model);
  if (route) return ok(Response.json(route));
  const target = deps.upstream.targets.filter(isProvider).find(({ provider }) => model.startsWith(`${provider.name}/`));
  if (target) {
    const found = (await listOf(c, deps, target)).find(({ id }) => id === model);
    return found ? ok(Response.json(found)) : err(notFound("model"));
  }
  if (deps.upstream.targets.every(isProvider)) return err(notFound("model"));
  // Decoded, so a former `%2F` or `%3F` is a slash or a question mark: sent on unchecked, `../files` would read any path of the
  // upstream with the gateway's key.
  const segments = model.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) return err(notFound("model"));
  return passThrough(c, `/models/${segments.map(inPath).join("/")}`, deps);
}

/** A colon is part of many model ids and means nothing in a path, but not every server decodes it. */
const inPath = (segment: string): string => encodeURIComponent(segment).replaceAll("%3A", ":");

type Provider = UpstreamTarget & { readonly provider: NonNullable<UpstreamTarget["provider"]> };
const isProvider = (target: UpstreamTarget): target is Provider => target.provider !== undefined;

const routeModels = ({ upstream: { routes } }: Deps): ListedModel[] =>
  [...(routes?.keys() ?? [])].map((id) => ({ id, object: "model", created: 0, owned_by: "toolgate" }));

async function listOf(c: Context<AppEnv>, { upstream }: Deps, target: Provider): Promise<readonly ListedModel[]> {
  try {
    return await listModels(upstream, target, c.req.raw.signal);
  } catch (error) {
    log("warn", "models_not_listed", { upstream: target.provider.name, ...describeError(error) });
    return [];
  }
}

async function listedIn(response: Response): Promise<readonly unknown[]> {
  const body: unknown = await response.json().catch(() => undefined);
  return response.ok && isObject(body) && Array.isArray(body.data) ? body.data : [];
}
