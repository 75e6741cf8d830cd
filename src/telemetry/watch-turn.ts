/** Gathers what a turn tells its observer. */

import type { RequestTrace } from "../ports/trace-port.ts";
import type { OfferObserver, TurnObserver } from "../ports/turn-observer.ts";
import type { RequestFacts, StepFacts } from "./request-facts.ts";
import { codeWord, safely, shortName, usageFacts } from "./safe-words.ts";

/** @param onEnd called once, when the turn has told its end. */
export function watchTurn(
  facts: RequestFacts,
  now: () => number,
  trace: Pick<RequestTrace, "step"> | undefined,
  onEnd: () => void,
  observe?: OfferObserver,
): TurnObserver {
  const step = (): StepFacts | undefined => facts.turn?.steps.at(-1);
  return {
    opened(turn) {
      if (facts.turn) Object.assign(facts.turn, { opened: turn, openedAt: now() });
    },
    stepBegan(offered) {
      const beganAt = now();
      if (facts.turn) observe?.(facts.turn.id, offered);
      facts.turn?.steps.push({ beganAt });
      return trace && safely(() => trace.step(beganAt, shortName(facts.turn?.model ?? "")));
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
      Object.assign(facts.turn, { ending, endedAt: now() });
      onEnd();
    },
  };
}
