/** A user's object as its callers reach it, without the client's deadline and repetition: a test's own clock stands still. */
import type { UserGuardPort } from "../../../src/ports/guard-port.ts";
import { type GuardCall, guardPorts } from "../../../src/stores/objects/guard-client.ts";

export const portsOf = (stub: object): UserGuardPort =>
  guardPorts((...call) => (stub as { readonly call: GuardCall }).call(...call));
