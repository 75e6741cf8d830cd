/** Bounds how many event streams a user may have, and how long each lasts: limited, and no longer than the reader's access. */
import type { Deps } from "../../deps.ts";
import { lengthPrefixed } from "../../lib/digest.ts";
import { describeError, log } from "../../lib/log.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { authenticate, requireAdminOf } from "../authenticate/authenticate.ts";
import type { AuthenticatedPrincipal } from "../authenticate/identity.ts";
import { type Problem, tooManyRequests } from "../problem.ts";
import { authenticateDeps } from "./authentication.ts";

export interface StreamLease {
  /** Whether the stream continues. Called between events; at most once a minute it authenticates the request again. */
  holds(): Promise<boolean>;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** The stream is over, for whatever reason: another may take its place. */
  end(): void;
}

const LIFE_MS = 15 * 60_000;
/** A key that has ended must not read on: as with any request, it is out within two minutes. */
const LOOK_MS = 60_000;

/** Streams call `holds` more often than this. A stream that was cut off without notice does not count any more. */
const UNHEARD_MS = 30_000;
/** The runtime notices that a client has left when the next heartbeat is written. */
const NOTICED_S = 10;

/** Each user's streams in this isolate, with the time of their last activity. */
export type OpenStreams = Map<string, Map<symbol, number>>;

/**
 * @param tenant the one whose approvals are streamed; undefined: the principal's own.
 * @param open counts them: if the user has the maximum, no other is opened.
 */
export function streamLease(
  request: Request,
  who: AuthenticatedPrincipal,
  tenant: string | undefined,
  deps: Deps,
  open: OpenStreams,
): Result<StreamLease, Problem> {
  const began = deps.now();
  const owner = lengthPrefixed(who.tenant, who.user);
  const streams = openOf(open, owner, began);
  const { maxUserStreams: most } = deps.limits;
  if (streams.size >= most) return err(tooMany(most));
  const stream = Symbol("stream");
  streams.set(stream, began);
  open.set(owner, streams);
  let looked = began;
  let ended = false;
  const goesOn = async (now: number): Promise<boolean> => {
    if (request.signal.aborted || now - began >= LIFE_MS) return false;
    if (now - looked < LOOK_MS) return true;
    looked = now;
    return isStillAllowed(request, who, tenant, deps);
  };
  return ok({
    signal: request.signal,
    end() {
      ended = true;
      streams.delete(stream);
    },
    async holds() {
      const now = deps.now();
      if (!ended) streams.set(stream, now);
      return goesOn(now);
    },
  });
}

function openOf(open: OpenStreams, owner: string, now: number): Map<symbol, number> {
  for (const [other, streams] of open) {
    for (const [one, heardAt] of streams) if (now - heardAt >= UNHEARD_MS) streams.delete(one);
    if (streams.size === 0) open.delete(other);
  }
  return open.get(owner) ?? new Map();
}

function tooMany(most: number): Problem {
  const message = `this user has ${most} event streams open, the most at once (\`MAX_USER_STREAMS\`): close one, then try again`;
  return tooManyRequests("too_many_event_streams", message, NOTICED_S);
}

async function isStillAllowed(
  request: Request,
  { tenant, user }: AuthenticatedPrincipal,
  named: string | undefined,
  deps: Deps,
): Promise<boolean> {
  try {
    const identity = await authenticate(request, authenticateDeps(deps), deps.now());
    if (!identity.ok || identity.value.kind !== "known") return false;
    const { principal } = identity.value;
    if (principal.tenant !== tenant || principal.user !== user) return false;
    return named === undefined || requireAdminOf(principal, named) === undefined;
  } catch (error) {
    log("error", "stream_not_authenticated", describeError(error));
    return false;
  }
}
