/** The one shape of a handler: it returns a `Result`, and the response is made here. */
import { type Context, type Env, Hono, type MiddlewareHandler } from "hono";
import type { Deps } from "../deps.ts";
import type { Result } from "../lib/result.ts";
import type { AppEnv } from "./app-env.ts";
import { type Problem, problemResponse } from "./problem.ts";

/** A response, or the body of a JSON response with status 200; never a promise of one, which would be sent as `{}`. */
export type HandlerResult = Result<Response | (object & { readonly then?: never }), Problem>;

type Handler<E extends Env, D> = (c: Context<E>, deps: D) => HandlerResult | Promise<HandlerResult>;

/** `const handle = handlerWith(deps); app.get(path, handle(listKeys))` */
export const handlerWith =
  <E extends Env = AppEnv, D = Deps>(deps: D) =>
  (handler: Handler<E, D>) =>
  async (c: Context<E>): Promise<Response> =>
    respond(await handler(c, deps));

/** @param routes handlers by method and path: `{ "GET /:id": getPlan }`. */
export function routesFor<D = Deps>(deps: D, routes: Readonly<Record<string, Handler<AppEnv, D>>>): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const handle = handlerWith<AppEnv, D>(deps);
  for (const [route, handler] of Object.entries(routes)) {
    const [method = "", path = ""] = route.split(" ");
    app.on(method, path, handle(handler));
  }
  return app;
}

function respond(result: HandlerResult): Response {
  if (!result.ok) return problemResponse(result.error);
  return result.value instanceof Response ? result.value : Response.json(result.value);
}

/** Refuses requests before any route of a group is reached. */
export const refuseIf =
  <E extends Env = AppEnv>(check: (c: Context<E>) => Problem | undefined): MiddlewareHandler<E> =>
  async (c, next) => {
    const problem = check(c);
    return problem ? problemResponse(problem) : next();
  };
