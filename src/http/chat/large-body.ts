/** A body that may be large: read, and counted among what the isolate holds until its request is answered. */
import type { Context, MiddlewareHandler } from "hono";
import type { Deps } from "../../deps.ts";
import { lengthPrefixed } from "../../lib/digest.ts";
import { ok, type Result } from "../../lib/result.ts";
import type { AppEnv } from "../app-env.ts";
import type { Asker } from "../middleware/asker.ts";
import { bytesInFlight } from "../middleware/bytes-in-flight.ts";
import type { Problem } from "../problem.ts";
import { readBody } from "../request-body.ts";

export async function readLargeBody(
  c: Context<AppEnv>,
  { limits, now }: Pick<Deps, "limits" | "now">,
): Promise<Result<ArrayBuffer, Problem>> {
  const body = await readBody(c.req.raw, limits.maxBodyBytes);
  if (!body.ok) return body;
  const lease = c.var.bytesInFlight.take(ownerOf(c.var.asker), body.value.byteLength, now());
  if (!lease.ok) return lease;
  c.set("bodyLease", lease.value);
  // A client that leaves must not end the request before it has given back what it holds.
  c.executionCtx.waitUntil(lease.value.ended);
  return body;
}

export async function readLargeText(
  c: Context<AppEnv>,
  deps: Pick<Deps, "limits" | "now">,
): Promise<Result<string, Problem>> {
  const body = await readLargeBody(c, deps);
  return body.ok ? ok(new TextDecoder().decode(body.value)) : body;
}

/** A service key that leaves the user to the body is one owner until that is read. */
function ownerOf({ identity }: Asker): string {
  if (identity.kind === "known") return lengthPrefixed(identity.principal.tenant, identity.principal.user);
  return lengthPrefixed(identity.service.tenant, "key", identity.service.keyId);
}

/** One counter for all requests of the isolate, which has one app. */
export function countBodies({ limits }: Pick<Deps, "limits">): MiddlewareHandler<AppEnv> {
  const held = bytesInFlight(limits.maxInFlightBytes);
  return async (c, next) => {
    c.set("bytesInFlight", held);
    await next();
    c.var.bodyLease?.answered();
  };
}
