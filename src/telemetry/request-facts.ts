/** Facts about one request, gathered while it is served. Times are milliseconds since the epoch. */

import type { Ending } from "../ports/turns/ending.ts";
import type { EarlyOutcome, TurnSummary } from "../ports/turns/turn-observer.ts";
import type { Principal } from "../session/principal.ts";
import type { RunEntry, RunFailure, RunStatus } from "../tools/run.ts";

export interface WatchedPrincipal extends Principal {
  readonly keyId: string;
}

export interface StepFacts {
  readonly beganAt: number;
  headAt?: number;
  endedAt?: number;
  decidedAt?: number;
  /** The upstream's; undefined if it was not reached. */
  status?: number;
  outcome?: "ended" | "disorderly" | "refused" | "aborted";
  finishReason?: string;
  usage?: UsageFacts;
  /** Which of the upstreams answered, from 1, and at which attempt. */
  upstream?: number | string;
  attempts?: number;
}

export interface RunFacts {
  readonly id: string;
  readonly tool: string;
  readonly kind: RunEntry["kind"];
  readonly target: string;
  /** This turn did not start the run, it only waited for it. */
  readonly awaited: boolean;
  readonly beganAt: number;
  endedAt?: number;
  /** `started` as long as no outcome is known. */
  status: RunStatus;
  failure?: RunFailure;
  httpStatus?: number;
  attempts?: number;
}

export interface UsageFacts {
  readonly input?: number;
  readonly output?: number;
  readonly cached?: number;
}

/** Mutable: one per request, changed by its watch alone. */
export interface RequestFacts {
  readonly method: string;
  readonly beganAt: number;
  /** The answer's `x-request-id`. */
  id?: string;
  /** The route's pattern, never the path itself. */
  route?: string;
  /** Refused before its route was reached. */
  refused?: boolean;
  /** The status of our answer. */
  status?: number;
  answeredAt?: number;
  principal?: WatchedPrincipal;
  authenticatedAt?: number;
  policy?: { readonly version: string; readonly stale: boolean; readonly askedAt: number; readonly loadedAt: number };
  /** Undefined for a request that is no turn, or was refused before it was one. */
  turn?: TurnFacts;
}

export interface TurnFacts {
  readonly id: string;
  readonly model: string;
  /** Set when the turn has ended; undefined if it could not be opened. */
  summary?: TurnSummary;
  openedAt?: number;
  readonly steps: StepFacts[];
  /** Undefined if the first step began only once the turn was open. */
  early?: EarlyOutcome;
  readonly runs: RunFacts[];
  /** The times in which the reply waited for a person. */
  readonly holds: { readonly beganAt: number; endedAt?: number }[];
  firstByteAt?: number;
  repliedAt?: number;
  endedAt?: number;
  ending?: Ending;
}
