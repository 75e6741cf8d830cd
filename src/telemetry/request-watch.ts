/**
 * Watches one request from its first line to its end, and reports it once the answer's head is sent and the turn behind it is over.
 * Clocks in Workers stop between I/O, so durations are those of waiting, in whole milliseconds.
 */
import { log, logs } from "../lib/log.ts";
import type { OfferObserver, TurnObserver, TurnSummary } from "../ports/turns/turn-observer.ts";
import { countRequest } from "./metrics/count-request.ts";
import type { Meter } from "./metrics/meter.ts";
import { type DataPoint, turnPoint } from "./metrics/turn-point.ts";
import type { RequestFacts, StepFacts, TurnFacts, WatchedPrincipal } from "./request-facts.ts";
import { codeWord, safely, shortName, usageFacts } from "./safe-words.ts";
import type { RequestTrace } from "./traces/otlp-tracing.ts";
import { levelOf, requestLine, turnLine } from "./turn-line.ts";

interface WatchDeps {
  readonly now: () => number;
  /** Undefined: nothing is counted. */
  readonly meter: Pick<Meter, "count" | "observe"> | undefined;
  /** Undefined: turns leave no data point. */
  readonly point?: ((point: DataPoint) => void) | undefined;
  /** Undefined: this request is not traced. */
  readonly trace: RequestTrace | undefined;
  readonly observe?: OfferObserver | undefined;
  /** Called when the request is over: sends counts and traces, after the reply. */
  readonly done: () => void;
}

interface RequestAnswer {
  /** As the client has it in `x-request-id`. */
  readonly id: string;
  readonly status: number;
  /** The pattern in the route table; undefined if no route fits. */
  readonly route: string | undefined;
  /** Whether it was refused before its route was reached. */
  readonly refused: boolean;
}

export interface RequestWatch extends TurnObserver {
  readonly facts: Readonly<RequestFacts>;
  authenticated(principal: WatchedPrincipal): void;
  policyLoaded(policy: { readonly version: string; readonly stale: boolean; readonly askedAt: number }): void;
  /** The request is a turn from here on; its `ended` will be called. */
  turnBegan(id: string, model: string): void;
  answered(answer: RequestAnswer): void;
}

export function watchRequest(deps: WatchDeps, method: string): RequestWatch {
  const { now, trace } = deps;
  const facts: RequestFacts = { method, beganAt: now() };

  const endIfOver = (): void => {
    const { turn, answeredAt } = facts;
    if (answeredAt === undefined || (turn && turn.endedAt === undefined)) return;
    safely(() => writeLine(facts, turn));
    safely(() => deps.meter && countRequest(deps.meter, facts));
    safely(() => turn && deps.point?.(turnPoint(facts, turn)));
    safely(() => trace?.end(facts));
    safely(deps.done);
  };

  return {
    facts,
    authenticated(principal) {
      facts.principal = principal;
      facts.authenticatedAt = now();
    },
    policyLoaded(policy) {
      facts.policy = { ...policy, loadedAt: now() };
    },
    turnBegan(id, model) {
      facts.turn = { id, model, steps: [], runs: [], holds: [] };
    },
    ...watchTurn(facts, now, trace, endIfOver, deps.observe),
    answered(answer) {
      Object.assign(facts, answer, { answeredAt: now() });
      endIfOver();
    },
  };
}

function writeLine(facts: RequestFacts, turn: TurnFacts | undefined): void {
  const level = turn ? levelOf(turn) : (facts.status ?? 0) >= 500 ? "warn" : "info";
  if (!logs(level)) return;
  if (turn) log(level, "turn", turnLine(facts, turn));
  else log(level, "request", requestLine(facts));
}

/** @param onEnd called once, when the turn has ended. */
export function watchTurn(
  facts: RequestFacts,
  now: () => number,
  trace: Pick<RequestTrace, "step"> | undefined,
  onEnd: () => void,
  observe?: OfferObserver,
): TurnObserver {
  let summarize: (() => TurnSummary) | undefined;
  const step = (): StepFacts | undefined => facts.turn?.steps.at(-1);
  return {
    opened(summary) {
      summarize = summary;
      if (facts.turn) facts.turn.openedAt = now();
    },
    stepBegan(offered) {
      const beganAt = now();
      if (facts.turn) observe?.(facts.turn.id, offered);
      facts.turn?.steps.push({ beganAt });
      return trace && safely(() => trace.step(beganAt, shortName(facts.turn?.model ?? "")));
    },
    earlyEnded(early) {
      if (facts.turn) facts.turn.early = early;
    },
    stepHead({ status, upstream, attempts }) {
      const under = step();
      if (under) Object.assign(under, { headAt: now(), status, upstream, attempts });
    },
    stepEnded(outcome) {
      const under = step();
      if (!under) return;
      under.endedAt = now();
      under.outcome = outcome.kind;
      if (outcome.kind === "refused") {
        const { status, upstream, attempts } = outcome;
        Object.assign(under, { status, upstream, attempts });
      }
      if (outcome.kind !== "ended") return;
      under.finishReason = codeWord(outcome.finishReason);
      under.usage = usageFacts(outcome.usage);
    },
    stepDecided() {
      const under = step();
      if (under) under.decidedAt = now();
    },
    runBegan({ id, tool, entry, awaited = false }) {
      const { kind, target } = entry;
      facts.turn?.runs.push({ id, tool, kind, target, awaited, beganAt: now(), status: "started" });
    },
    runEnded(id, outcome) {
      const run = facts.turn?.runs.findLast((one) => one.id === id);
      if (!run || run.endedAt !== undefined) return;
      run.endedAt = now();
      if (!outcome) return;
      run.status = outcome.status;
      run.failure = outcome.failure ?? undefined;
      run.httpStatus = outcome.httpStatus ?? undefined;
      run.attempts = outcome.attempts;
    },
    holdBegan() {
      const hold: { readonly beganAt: number; endedAt?: number } = { beganAt: now() };
      facts.turn?.holds.push(hold);
      return () => {
        hold.endedAt ??= now();
      };
    },
    replied(firstByteAt) {
      if (facts.turn) Object.assign(facts.turn, { firstByteAt, repliedAt: now() });
    },
    ended(ending) {
      if (!facts.turn || facts.turn.endedAt !== undefined) return;
      Object.assign(facts.turn, { ending, summary: summarize && safely(summarize), endedAt: now() });
      onEnd();
    },
  };
}
