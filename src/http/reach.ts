/** Stores that cannot be reached are an expected failure: the client gets a 503 that says so, the log the cause. */

import type { Context } from "hono";
import type { Deps } from "../deps.ts";
import { withTimeout } from "../lib/deadline.ts";
import { describeError, log } from "../lib/log.ts";
import { err, ok, type Result } from "../lib/result.ts";
import type { AppEnv } from "./app-env.ts";
import { type HandlerResult, handlerWith } from "./handler.ts";
import { notFound, type Problem, unavailable } from "./problem.ts";

/** Longer than D1 itself takes to give up. */
const AUDIT_MS = 35_000;

/**
 * @param event names the failure in the log.
 * @param problem what the client gets if `work` fails.
 */
export async function reach<T>(work: Promise<T>, event: string, problem: Problem): Promise<Result<T, Problem>> {
  try {
    return ok(await work);
  } catch (error) {
    log("error", event, describeError(error));
    return err(problem);
  }
}

const NO_USER_OBJECT = unavailable(
  "gateway_unavailable",
  "the user's sessions and consents cannot be reached just now; try again",
);

const NO_AUDIT = unavailable(
  "audit_unavailable",
  "the audit trail cannot be read just now; nothing of it is lost, and turns go on: try again later",
  30,
);

const NO_LEDGER = unavailable(
  "ledger_unavailable",
  "the ledger of this tenant cannot be reached just now; try again later",
);

/** @param work asks the user's object, through a client that has a deadline of its own. */
export const orUnavailable = <T>(work: Promise<T>): Promise<Result<T, Problem>> =>
  reach(work, "user_object_unreachable", NO_USER_OBJECT);

/** As `orUnavailable`; a 404 if there is no such thing. @param what as in `notFound`. */
export async function orNotFound<T>(
  work: Promise<T | false | undefined>,
  what: string,
  param?: string,
): Promise<Result<T, Problem>> {
  const reached = await orUnavailable(work);
  if (!reached.ok) return reached;
  const { value } = reached;
  return value === undefined || value === false ? err(notFound(what, param)) : ok(value);
}

/** @param work asks the audit database, and may ask the user's object. */
export const orTrailUnavailable = <T>(work: Promise<T>): Promise<Result<T, Problem>> =>
  reach(withTimeout(AUDIT_MS, work), "audit_unreadable", NO_AUDIT);

/** @param work asks the tenant's ledger. */
export const reachLedger = <T>(work: Promise<T>): Promise<Result<T, Problem>> =>
  reach(work, "ledger_unreachable", NO_LEDGER);

export function ledgerHandlerWith(deps: Deps) {
  const handle = handlerWith(deps);
  return (handler: (c: Context<AppEnv>, deps: Deps) => Promise<HandlerResult>) =>
    handle(async (c) => {
      const reached = await reachLedger(handler(c, deps));
      return reached.ok ? reached.value : reached;
    });
}
