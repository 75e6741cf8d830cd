/** What is gathered of one request while it passes. Times are milliseconds since the epoch. */

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
  /** The upstream's; undefined where it was not reached. */
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
  /** It was not run by this turn, only waited for. */
  readonly awaited: boolean;
  readonly beganAt: number;
  endedAt?: number;
  /** `started` while it has no outcome, and where none came to be known. */
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
  /** Of our answer. */
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
  /** Set when the turn has ended; undefined where it could not be opened. */
  summary?: TurnSummary;
  openedAt?: number;
  readonly steps: StepFacts[];
  /** Undefined where the first step began once the turn was open. */
  early?: EarlyOutcome;
  readonly runs: RunFacts[];
  /** The times in which the reply waited for a person. */
  readonly holds: { readonly beganAt: number; endedAt?: number }[];
  firstByteAt?: number;
  repliedAt?: number;
  endedAt?: number;
  ending?: Ending;
}
