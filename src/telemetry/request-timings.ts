/** How long the parts of a request took, in milliseconds. Pure. */
import type { RequestFacts, StepFacts } from "./request-facts.ts";

export interface RequestTimings {
  readonly authenticate?: number;
  readonly policy?: number;
  readonly open?: number;
  /** From the first step's begin to its upstream's head. */
  readonly upstreamHead?: number;
  /** From the request to the first byte of the reply's body, or to the whole of one that is not streamed. */
  readonly firstWord?: number;
  /** In the model's hands, all steps together. */
  readonly upstream?: number;
  readonly decide?: number;
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
    total: between(beganAt, turn ? turn.repliedAt : answeredAt),
  };
}

function between(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : to - from;
}

/** Undefined where no step has it. */
function sum(steps: readonly StepFacts[], of: (step: StepFacts) => number | undefined): number | undefined {
  let total: number | undefined;
  for (const step of steps) {
    const duration = of(step);
    if (duration !== undefined) total = (total ?? 0) + duration;
  }
  return total;
}

/** What is known when the head of the reply is sent, as the header `server-timing` tells it. */
export function serverTiming(facts: RequestFacts): string {
  const { authenticate, policy, open, upstreamHead } = timingsOf(facts);
  const known = { auth: authenticate, policy, open, upstream: upstreamHead };
  return Object.entries(known)
    .flatMap(([name, duration]) => (duration === undefined ? [] : [`${name};dur=${duration}`]))
    .join(", ");
}
