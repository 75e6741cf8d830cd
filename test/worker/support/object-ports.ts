/** An object as its callers reach it, without the client's deadline and repetition: a test's own clock stands still. */
import type { UserGuardApis } from "../../../src/stores/guard/guard-apis.ts";
import { type ObjectCall, portsOver } from "../../../src/stores/objects/object-ports.ts";

export const portsOf = <Ports = UserGuardApis>(stub: object): Ports =>
  portsOver<Ports>((...named) => (stub as { readonly call: ObjectCall<Ports> }).call(...named));
