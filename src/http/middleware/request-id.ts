/** `x-request-id`: what a client names to its operator, on every answer. The upstream's own, else the turn's, else one of ours. */
import type { Context, MiddlewareHandler } from "hono";
import { newId } from "../../lib/ids.ts";
import type { AppEnv } from "../app-env.ts";

/** To be asked once there is an answer, which has it from then on. */
export function requestIdOf(c: Context<AppEnv>, now: number): string {
  const { headers } = c.res;
  const id = headers.get("x-request-id") ?? headers.get("x-toolgate-turn") ?? newId("req", now);
  headers.set("x-request-id", id);
  return id;
}

export const tellRequestId =
  (now: () => number): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    await next();
    requestIdOf(c, now());
  };
