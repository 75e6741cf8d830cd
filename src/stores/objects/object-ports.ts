/**
 * Both sides of a call to a Durable Object by port and method: what the object does with it, and the caller's time limit and one retry.
 */
import { withTimeout } from "../../lib/deadline.ts";
import { isObject } from "../../lib/json/json-value.ts";
import type { UserGuardPort } from "../../ports/guard-port.ts";

/**
 * How callers reach the APIs of a Durable Object: it has one method, which takes the names of an API and of its method. A stub of
 * each API would cost a second message a call, and hold the object until it is disposed of.
 */
export type ObjectCall<Ports> = (
  api: keyof Ports & string,
  method: string,
  args: readonly unknown[],
) => Promise<unknown>;

type Method = (...args: readonly unknown[]) => unknown;

/** The object's side. @param apis each an object of methods. */
export async function callApi<Ports extends object>(
  apis: Ports,
  ...[api, method, args]: Parameters<ObjectCall<Ports>>
): Promise<unknown> {
  return (apis[api] as Readonly<Record<string, Method>>)[method]?.(...args);
}

/** The caller's side. */
export const portsOver = <Ports>(call: ObjectCall<Ports>): Ports =>
  byName((api) =>
    byName(
      (method): Method =>
        (...args) =>
          call(api as keyof Ports & string, method, args),
    ),
  ) as Ports;

/** An object whose members are made when they are read. It is no promise: it has no `then`. */
const byName = (make: (name: string) => unknown): unknown =>
  new Proxy({}, { get: (_, name) => (typeof name === "symbol" || name === "then" ? undefined : make(name)) });

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
  readonly call: ObjectCall<UserGuardPort>;
}

/** @param stubOf makes a new stub: one whose call failed may be broken for good. */
export function guardClient(stubOf: () => GuardStub | Promise<GuardStub>): UserGuardPort {
  const ask = (...named: Parameters<ObjectCall<UserGuardPort>>) => {
    const stub = stubOf();
    return withTimeout(
      ANSWER_MS,
      stub instanceof Promise ? stub.then((one) => one.call(...named)) : stub.call(...named),
    );
  };
  return portsOver<UserGuardPort>(async (api, method, args) => {
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
