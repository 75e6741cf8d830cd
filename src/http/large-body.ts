/**
 * Bounds how many bytes of bodies an isolate holds at once: reading a body takes a multiple of its size, and an isolate that runs out
 * of memory ends with all its requests. Counted once a body is read, so that a slow client takes no room.
 */

import type { Context, MiddlewareHandler } from "hono";
import type { Deps } from "../deps.ts";
import { lengthPrefixed } from "../lib/digest.ts";
import { err, ok, type Result } from "../lib/result.ts";
import type { AppEnv, Authentication, BytesInFlight, BytesLease } from "./app-env.ts";
import { type Problem, tooManyRequests, unavailable } from "./problem.ts";
import { readBody } from "./request-limits.ts";

interface HeldBody {
  readonly owner: string;
  bytes: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** The runtime may end a request without notice; an older hold does not count any more. */
const LONGEST_MS = 15 * 60_000;

export function bytesInFlight(most: number): BytesInFlight {
  const all = new Set<HeldBody>();
  const refusal = (owner: string, bytes: number, now: number): Problem | undefined => {
    let [held, own] = [0, 0];
    for (const one of all) {
      if (now - one.since >= LONGEST_MS) {
        all.delete(one);
        continue;
      }
      held += one.bytes;
      if (one.owner === owner) own += one.bytes;
    }
    if (own + bytes > most / 2) return tooMuchForOne(most);
    return held + bytes > most ? tooMuch(most) : undefined;
  };
  return {
    take(owner, bytes, now) {
      const refused = refusal(owner, bytes, now);
      if (refused) return err(refused);
      const one: HeldBody = { owner, bytes, since: now };
      all.add(one);
      const grow = (more: number, at: number): Problem | undefined => {
        const tooMany = refusal(owner, more, at);
        if (!tooMany) one.bytes += more;
        return tooMany;
      };
      return ok(lease(one, all, grow));
    },
  };
}

function lease(held: HeldBody, all: Set<HeldBody>, grow: BytesLease["grow"]): BytesLease {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let work: Promise<unknown> | undefined;
  const end = (): void => {
    all.delete(held);
    resolve();
  };
  return {
    ended,
    grow,
    outlives(more) {
      work = more;
    },
    answered() {
      if (work) work.then(end, end);
      else end();
    },
  };
}

function tooMuch(most: number): Problem {
  const message = `the gateway holds ${most} bytes of requests at once at most, and has no room for these (\`MAX_INFLIGHT_BYTES\`): try again in a second`;
  return unavailable("gateway_busy", message, 1);
}

function tooMuchForOne(most: number): Problem {
  const message = `one user's requests may hold ${most / 2} bytes at once, half of \`MAX_INFLIGHT_BYTES\`: wait for one of yours to end, then try again`;
  return tooManyRequests("too_many_bytes", message, 1);
}

export async function readLargeBody(
  c: Context<AppEnv>,
  { limits, now }: Pick<Deps, "limits" | "now">,
): Promise<Result<ArrayBuffer, Problem>> {
  const body = await readBody(c.req.raw, limits.maxBodyBytes);
  if (!body.ok) return body;
  const lease = c.var.bytesInFlight.take(ownerOf(c.var.authentication), body.value.byteLength, now());
  if (!lease.ok) return lease;
  c.set("bodyLease", lease.value);
  // A client that leaves must not end the request before its hold is returned.
  c.executionCtx.waitUntil(lease.value.ended);
  return body;
}

/** A service key that leaves the user to the body is one owner until the body is read. */
function ownerOf({ identity }: Authentication): string {
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
