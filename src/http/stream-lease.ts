/** How long a stream of events may go on: bounded, and no longer than who reads it may. */
import type { Deps } from "../deps.ts";
import { describeError } from "../lib/describe-error.ts";
import { log } from "../lib/log.ts";
import type { AuthenticatedPrincipal } from "./authenticate/identity.ts";
import { authenticate, requireAdminOf } from "./authenticate.ts";
import { authenticateDeps } from "./who-asks.ts";

export interface StreamLease {
  /** Whether there is more to tell. To be asked between events; at most once a minute it looks who asks. */
  holds(): Promise<boolean>;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

const LIFE_MS = 15 * 60_000;
/** A key that has ended must not read on: as with any request, it is out within two minutes. */
const LOOK_MS = 60_000;

/** @param tenant the one whose approvals are told; undefined: the principal's own are. */
export function streamLease(
  request: Request,
  who: AuthenticatedPrincipal,
  tenant: string | undefined,
  deps: Deps,
): StreamLease {
  const began = deps.now();
  let looked = began;
  return {
    signal: request.signal,
    async holds() {
      const now = deps.now();
      if (request.signal.aborted || now - began >= LIFE_MS) return false;
      if (now - looked < LOOK_MS) return true;
      looked = now;
      return stillAsks(request, who, tenant, deps);
    },
  };
}

async function stillAsks(
  request: Request,
  { tenant, user }: AuthenticatedPrincipal,
  asked: string | undefined,
  deps: Deps,
): Promise<boolean> {
  try {
    const identity = await authenticate(request, authenticateDeps(deps), deps.now());
    if (!identity.ok || identity.value.kind !== "known") return false;
    const { principal } = identity.value;
    if (principal.tenant !== tenant || principal.user !== user) return false;
    return asked === undefined || requireAdminOf(principal, asked) === undefined;
  } catch (error) {
    log("error", "stream_not_authenticated", describeError(error));
    return false;
  }
}
