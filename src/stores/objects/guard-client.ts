/**
 * UserGuard as a turn reaches it: no call hangs, and one that is safe to repeat is repeated once where the runtime reports that
 * the object may just have been moved or restarted. A call to an overloaded object is not repeated: it would only be busier.
 */
import { within } from "../../lib/deadline.ts";
import type { UserGuardPort } from "../../ports/guard-port.ts";
import { type ObjectCall, portsOver } from "./object-ports.ts";

const ANSWER_MS = 15_000;

type MethodPath = { [Api in keyof UserGuardPort]: `${Api}.${keyof UserGuardPort[Api] & string}` }[keyof UserGuardPort];

/**
 * The first call may have taken effect, and the second would answer something else: that there is nothing to remove, or that a use
 * is spent which the first reserved. What a lost decision has reserved the end of its turn gives back.
 */
const NOT_REPEATED: ReadonlySet<string> = new Set<MethodPath>([
  "turns.decide",
  "turns.saveHidden",
  "sessions.delete",
  "gates.withdraw",
  "grants.withdraw",
  "connections.remove",
]);

/** @param stubOf makes a new stub: one whose call failed may be broken for good. */
export function guardClient(stubOf: () => { readonly call: ObjectCall<UserGuardPort> }): UserGuardPort {
  return portsOver<UserGuardPort>(async (api, method, args) => {
    const path = `${api}.${method}`;
    try {
      return await within(ANSWER_MS, stubOf().call(api, method, args));
    } catch (error) {
      if (NOT_REPEATED.has(path) || !isRetryable(error)) throw error;
      const repeated = path === "turns.open" ? args.map((request) => ({ ...Object(request), repeated: true })) : args;
      return within(ANSWER_MS, stubOf().call(api, method, repeated));
    }
  });
}

/** Reads the marks that the runtime sets on the error of a failed call to an object. */
function isRetryable(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { retryable, overloaded } = error as { retryable?: unknown; overloaded?: unknown };
  return retryable === true && overloaded !== true;
}
