/** How the gateway calls a user's object: with a time limit, and with one retry if a repeated call is safe. */
import { withTimeout } from "../../lib/deadline.ts";
import { isObject } from "../../lib/json/json-value.ts";
import type { UserGuardApis } from "../guard/guard-apis.ts";
import { type ObjectCall, portsOver } from "./object-ports.ts";

const ANSWER_MS = 15_000;

type MethodPath = { [Api in keyof UserGuardApis]: `${Api}.${keyof UserGuardApis[Api] & string}` }[keyof UserGuardApis];

/**
 * Methods that are not repeated: the first call may have taken effect, and the second would answer something else (nothing to remove,
 * or a spent use which the first reserved). The end of the turn returns what a lost decision has reserved.
 */
const NOT_REPEATED: ReadonlySet<string> = new Set<MethodPath>([
  "turns.decide",
  "turns.saveHidden",
  "sessions.delete",
  "gates.withdraw",
  "grants.withdraw",
  "reset.withdrawGrant",
  "reset.withdrawConsent",
  "reset.resetUser",
  "changes.record",
  "push.unsubscribe",
  "connections.remove",
  "responses.remove",
  "conversations.remove",
]);

interface GuardStub {
  readonly call: ObjectCall<UserGuardApis>;
}

/** @param stubOf makes a new stub: one whose call failed may be broken for good. */
export function guardClient(stubOf: () => GuardStub | Promise<GuardStub>): UserGuardApis {
  const ask = (...named: Parameters<ObjectCall<UserGuardApis>>) => {
    const stub = stubOf();
    return withTimeout(
      ANSWER_MS,
      stub instanceof Promise ? stub.then((one) => one.call(...named)) : stub.call(...named),
    );
  };
  return portsOver<UserGuardApis>(async (api, method, args) => {
    const path = `${api}.${method}`;
    try {
      return await ask(api, method, args);
    } catch (error) {
      if (NOT_REPEATED.has(path) || !isRetryable(error)) throw error;
      const repeated =
        path === "turns.open" ? args.map((request) => ({ ...Object(request), repeatedOpen: true })) : args;
      return ask(api, method, repeated);
    }
  });
}

/** Reads the marks that the runtime sets on the error of a failed call to an object. */
function isRetryable(error: unknown): boolean {
  return isObject(error) && error.retryable === true && error.overloaded !== true;
}
