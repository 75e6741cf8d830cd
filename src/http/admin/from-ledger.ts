/** Handlers that ask a tenant's ledger, which may be out of reach. */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { describeError, log } from "../../lib/log.ts";
import { err } from "../../lib/result.ts";
import type { AppEnv } from "../app-env.ts";
import { type HandlerResult, handlerWith } from "../handler.ts";
import { unavailable } from "../problem.ts";

export function ledgerHandlerWith(deps: Deps) {
  const handle = handlerWith(deps);
  return (handler: (c: Context<AppEnv>, deps: Deps) => Promise<HandlerResult>) =>
    handle(async (c) => {
      try {
        return await handler(c, deps);
      } catch (error) {
        log("error", "ledger_unreachable", describeError(error));
        return err(
          unavailable("ledger_unavailable", "the ledger of this tenant cannot be reached just now; try again later"),
        );
      }
    });
}
