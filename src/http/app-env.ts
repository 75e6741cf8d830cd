/** Middleware sets these values for the routes: the principal, the limits of the request, and the memory that its body takes. */
import type { Result } from "../lib/result.ts";
import type { RequestWatch } from "../telemetry/request-watch.ts";
import type { AuthenticatedPrincipal, Identity } from "./authenticate/identity.ts";
import type { Problem } from "./problem.ts";

/** What the app's middleware sets for its routes. */
export interface AppEnv {
  Variables: {
    /** Not set if a service key leaves the user to the body: then only routes that read it there are reached. */
    principal: AuthenticatedPrincipal;
    authentication: Authentication;
    watch: RequestWatch;
    bytesInFlight: BytesInFlight;
    /** The isolate's hold on the body, if that may be large. */
    bodyLease?: BytesLease;
  };
}

export interface Authentication {
  readonly identity: Identity;
  /** Absent for a credential without a limit. Never rejects. */
  readonly admission?: Promise<Admission>;
}

export interface Admission {
  /** Undefined if the request is admitted. */
  readonly problem: Problem | undefined;
  /** Headers of the response, whatever its status: the caller's limit and what is left of it. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface BytesInFlight {
  /** @param owner who sends them: one owner may hold half of all. */
  take(owner: string, bytes: number, now: number): Result<BytesLease, Problem>;
}

export interface BytesLease {
  /** The body is needed after the answer has begun. */
  outlives(work: Promise<unknown>): void;
  /** Holds more. @returns the problem if there is no room. */
  grow(bytes: number, now: number): Problem | undefined;
  /** Must be called when there is a response, whatever its status. */
  answered(): void;
  /** Resolves once nothing is held any more. */
  readonly ended: Promise<void>;
}
