/** Tokens of users' connections: sealed for one tenant, user and provider, opened for one request. */
import { lengthPrefixed } from "../lib/digest.ts";
import type { KeyRing } from "../lib/key-ring.ts";
import { seal, unseal } from "../lib/seal.ts";
import type { UserGuardPort } from "../ports/guard-port.ts";
import type { Owner } from "../session/principal.ts";
import type { TokenPort } from "../tools/credentials.ts";

/** A sealed token that is moved to another user or provider cannot be opened. */
const purpose = ({ tenant, user }: Owner, provider: string): string => lengthPrefixed(tenant, user, provider);

/** In the form of `ConnectionToSet`. */
export const sealToken = (keys: KeyRing, owner: Owner, provider: string, token: string): Promise<string> =>
  seal(keys, purpose(owner, provider), token);

/** @param keys undefined if none is set: then no user has a token. */
export function connectionTokens(
  keys: KeyRing | undefined,
  guardOf: (owner: Owner) => Pick<UserGuardPort, "connections">,
): TokenPort {
  return {
    async connectionToken(principal, provider, host) {
      if (!keys) return undefined;
      const sealed = await guardOf(principal).connections.token(provider, host);
      return sealed === undefined ? undefined : unseal(keys, purpose(principal, provider), sealed);
    },
  };
}
