/** The objects of a gateway's users, with each call of one under a test's hand: it can be held, seen, or lost. */
import { env } from "cloudflare:test";
import type { Env } from "../../../src/deps.ts";
import type { UserGuardApis } from "../../../src/stores/guard/guard-apis.ts";
import type { ObjectCall } from "../../../src/stores/objects/object-ports.ts";

type Call = ObjectCall<UserGuardApis>;

/** @param around is given what a call's path is (`turns.open`), and what makes it. */
export function watchedGuard(
  around: (path: string, call: () => Promise<unknown>) => Promise<unknown>,
): Pick<Env, "USER_GUARD"> {
  const objects = env.USER_GUARD;
  const watched = {
    idFromName: (name: string) => objects.idFromName(name),
    get(id: DurableObjectId) {
      const call: Call = (api, method, args) =>
        around(`${api}.${method}`, () =>
          (objects.get(id) as unknown as { readonly call: Call }).call(api, method, args),
        );
      return { call };
    },
  };
  return { USER_GUARD: watched as unknown as Env["USER_GUARD"] };
}
