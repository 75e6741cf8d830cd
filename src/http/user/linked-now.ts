/** The providers that operators have linked for a user, without those that have expired. */
import type { Deps } from "../../deps.ts";
import { ok, type Result } from "../../lib/result.ts";
import type { Connection } from "../../ports/connections-port.ts";
import type { Owner } from "../../session/principal.ts";
import type { Problem } from "../problem.ts";
import { reachGuard } from "../reach.ts";

export async function linkedNow(
  owner: Owner,
  { guardOf, now }: Pick<Deps, "guardOf" | "now">,
): Promise<Result<readonly Connection[], Problem>> {
  const found = await reachGuard(guardOf(owner).connections.list());
  const at = now();
  return found.ok ? ok(found.value.filter(({ expiresAt }) => expiresAt === null || expiresAt > at)) : found;
}
