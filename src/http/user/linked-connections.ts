/** A linked provider as people read it: never with its token. Pure. */

import type { Deps } from "../../deps.ts";
import { ok, type Result } from "../../lib/result.ts";
import { isoTime, isoTimeOrNull } from "../../lib/text/iso-time.ts";
import type { Connection } from "../../ports/connections-port.ts";
import type { Owner } from "../../session/principal.ts";
import type { Problem } from "../problem.ts";
import { orUnavailable } from "../reach.ts";

/** All connections, as operators see them. */
export function connectionView({ provider, since, hosts, hasToken, expiresAt }: Connection, now: number) {
  return {
    object: "connection",
    provider,
    has_token: hasToken,
    hosts,
    status: expiresAt !== null && expiresAt <= now ? "expired" : "active",
    since: isoTime(since),
    expires_at: isoTimeOrNull(expiresAt),
  };
}

/** As the user does: those of the credential, and those that operators set and that have not expired. */
export function ownConnectionsView(ofCredential: readonly string[], set: readonly Connection[]) {
  const byProvider = new Map(set.map((one) => [one.provider, one]));
  return [...new Set([...ofCredential, ...byProvider.keys()])].map((provider) => {
    const found = byProvider.get(provider);
    return {
      provider,
      from: found ? "operator" : "credential",
      has_token: found?.hasToken ?? false,
      since: found ? isoTime(found.since) : null,
      // The credential's connection stays when the other has expired.
      expires_at: found?.expiresAt == null || ofCredential.includes(provider) ? null : isoTime(found.expiresAt),
    };
  });
}

export async function activeConnections(
  owner: Owner,
  { guardOf, now }: Pick<Deps, "guardOf" | "now">,
): Promise<Result<readonly Connection[], Problem>> {
  const found = await orUnavailable(guardOf(owner).connections.list());
  const at = now();
  return found.ok ? ok(found.value.filter(({ expiresAt }) => expiresAt === null || expiresAt > at)) : found;
}
