/** How long the parts of a request took, in milliseconds. Pure. */
import type { RequestFacts, RunFacts } from "./request-facts.ts";

interface RequestTimings {
  readonly authenticate?: number;
  readonly policy?: number;
  readonly open?: number;
  /** From the first step's begin to its upstream's head. */
  readonly upstreamHead?: number;
  /** From the request to the first byte of the reply's body, or to the whole of one that is not streamed. */
  readonly firstWord?: number;
  /** In the upstream, all steps together. */
  readonly upstream?: number;
  readonly decide?: number;
  /** Until a person had decided: neither the model's time nor ours. */
  readonly hold?: number;
  /** Until managed calls had ended; those that ran at once count once. */
  readonly tools?: number;
  readonly total?: number;
}

export function timingsOf({ beganAt, authenticatedAt, policy, answeredAt, turn }: RequestFacts): RequestTimings {
  const steps = turn?.steps ?? [];
  return {
    authenticate: between(beganAt, authenticatedAt),
    policy: between(policy?.askedAt, policy?.loadedAt),
    open: between(policy?.loadedAt, turn?.openedAt),
    upstreamHead: between(steps[0]?.beganAt, steps[0]?.headAt),
    firstWord: between(beganAt, turn?.firstByteAt ?? turn?.repliedAt),
    upstream: sum(steps, ({ beganAt: began, endedAt }) => between(began, endedAt)),
    decide: sum(steps, ({ endedAt, decidedAt }) => between(endedAt, decidedAt)),
    hold: sum(turn?.holds ?? [], ({ beganAt: began, endedAt }) => between(began, endedAt)),
    tools: covered(turn?.runs ?? []),
    total: between(beganAt, turn ? turn.repliedAt : answeredAt),
  };
}

function between(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : to - from;
}

/** How long at least one run was under way; undefined if none has ended. */
function covered(runs: readonly RunFacts[]): number | undefined {
  let total: number | undefined;
  let until = 0;
  // In the order in which they began.
  for (const { beganAt, endedAt } of runs) {
    if (endedAt === undefined) continue;
    total = (total ?? 0) + Math.max(0, endedAt - Math.max(beganAt, until));
    until = Math.max(until, endedAt);
  }
  return total;
}

/** Undefined if no part has a duration. */
function sum<T>(parts: readonly T[], of: (part: T) => number | undefined): number | undefined {
  let total: number | undefined;
  for (const part of parts) {
    const duration = of(part);
    if (duration !== undefined) total = (total ?? 0) + duration;
  }
  return total;
}

/** The header `server-timing`: the durations that are known when the head of the reply is sent. */
export function serverTiming(facts: RequestFacts): string {
  const { authenticate, policy, open, upstreamHead, tools } = timingsOf(facts);
  const known = { auth: authenticate, policy, open, upstream: upstreamHead, tools };
  return Object.entries(known)
    .flatMap(([name, duration]) => (duration === undefined ? [] : [`${name};dur=${duration}`]))
    .join(", ");
}
