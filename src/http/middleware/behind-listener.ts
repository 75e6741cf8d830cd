/**
 * Under `npm start` the runtime has a port of its own, which a page could reach past the listener's checks: a request that the
 * listener did not pass on is refused.
 */
import type { MiddlewareHandler } from "hono";
import { equalInConstantTime } from "../../lib/digest.ts";
import { forbidden, problemResponse } from "../problem.ts";

export const LISTENER_HEADER = "x-toolgate-listener";

export function behindListener(secret: string): MiddlewareHandler {
  return async (c, next) => {
    if (equalInConstantTime(c.req.header(LISTENER_HEADER) ?? "", secret)) return next();
    return problemResponse(
      forbidden("listener_only", "this port is the runtime's own: ask at the address that `npm start` prints"),
    );
  };
}
