/** Both sides of a call to a Durable Object by API and method. */

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

/** An object whose members are made when they are read. It has no `then`, so that `await` does not take it for a promise. */
const byName = (make: (name: string) => unknown): unknown =>
  new Proxy({}, { get: (_, name) => (typeof name === "symbol" || name === "then" ? undefined : make(name)) });
