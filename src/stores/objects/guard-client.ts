/**
 * UserGuard as a turn reaches it: no call hangs, and one that is safe to repeat is repeated once where the runtime reports that
 * the object may just have been moved or restarted. A call to an overloaded object is not repeated: it would only be busier.
 */
import { within } from "../../lib/within.ts";
import type { UserGuardPort } from "../../ports/guard-port.ts";

const ANSWER_MS = 15_000;

type MethodNames = { [Api in keyof UserGuardPort]: `${Api}.${keyof UserGuardPort[Api] & string}` }[keyof UserGuardPort];

/**
 * The first call may have taken effect, and the second would answer something else: that there is nothing to remove, or that a use
 * is spent which the first reserved. What a lost decision has reserved the end of its turn gives back.
 */
const NOT_REPEATED: ReadonlySet<string> = new Set<MethodNames>([
  "turns.decide",
  "turns.saveHidden",
  "sessions.delete",
  "gates.withdraw",
  "grants.withdraw",
  "connections.remove",
]);

type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** @param stubOf makes a new stub: one whose call failed may be broken for good. */
export function guardClient(stubOf: () => UserGuardPort): UserGuardPort {
  const call = async (api: string, method: string, args: readonly unknown[]): Promise<unknown> => {
    // `stub.turns.open(…)` is one round trip: the runtime sends the path of properties with the call.
    const send = (sent: readonly unknown[]) => {
      const stub = stubOf() as unknown as Readonly<Record<string, Readonly<Record<string, Call>>>>;
      return within(ANSWER_MS, stub[api]?.[method]?.(...sent) ?? Promise.reject(new TypeError(`no ${api}.${method}`)));
    };
    try {
      return await send(args);
    } catch (error) {
      if (NOT_REPEATED.has(`${api}.${method}`) || !mayBeRepeated(error)) throw error;
      return send(
        `${api}.${method}` === "turns.open" ? args.map((request) => ({ ...Object(request), again: true })) : args,
      );
    }
  };
  return byName((api) =>
    byName(
      (method) =>
        (...args: readonly unknown[]) =>
          call(api, method, args),
    ),
  ) as UserGuardPort;
}

/** An object whose properties are made when they are read. It is no promise: `then` is not one of them. */
const byName = (make: (name: string) => unknown): unknown =>
  new Proxy({}, { get: (_, name) => (typeof name === "symbol" || name === "then" ? undefined : make(name)) });

/** Reads the marks that the runtime sets on the error of a failed call to an object. */
function mayBeRepeated(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { retryable, overloaded } = error as { retryable?: unknown; overloaded?: unknown };
  return retryable === true && overloaded !== true;
}
