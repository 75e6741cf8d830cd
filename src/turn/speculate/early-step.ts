/**
 * A turn's first call of the model, begun before the user's object has answered.
 *
 * It is made with the facts that the isolate expects. Nothing of its answer is read before the object has answered; then the turn
 * makes its step as always, and if that asks the upstream for the very same, the call that is under way is taken for it. Else that
 * call is aborted, and the step is made anew. So the reply, the decisions and the record are those of a turn that waited.
 */
import { whenAborted } from "../../lib/deadline.ts";
import { describeError, log } from "../../lib/log.ts";
import { workBudget } from "../../lib/work-budget.ts";
import { isHosted } from "../../policy/hosted.ts";
import type { StepOutcome, StepRequest, UpstreamHead } from "../../ports/model-port.ts";
import type { Reply } from "../../ports/reply-port.ts";
import type { OpenResult } from "../../ports/turns/open-turn-request.ts";
import type { EarlyOutcome } from "../../ports/turns/turn-observer.ts";
import type { WordFilters } from "../../wire/links/word-filters.ts";
import type { ReplySink } from "../../wire/reply-sink.ts";
import { type ExpectedOffer, isOffer, offerStep, stepRequest } from "../offer/offer-step.ts";
import { passesPreflight } from "../offer/preflight.ts";
import { openedTurn, type PreparedOpen } from "../open/open-turn.ts";
import { readCommand } from "../open/user-message.ts";
import type { Turn } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { expectedOpen } from "./expected-open.ts";
import { isSameStep } from "./same-step.ts";

export interface EarlyStep {
  /** Headers of the call for the upstream, beside those of the request. */
  readonly extra: StepRequest["headers"] | undefined;
  /**
   * The outcome of the call under way, which goes on as `request` says; undefined where it is another call, or is over: it is given
   * up then, and the step is to be made anew.
   */
  take(request: StepRequest, words: ReplySink, onHead: (head: UpstreamHead) => void): Promise<StepOutcome> | undefined;
  /** Aborts the call, unless it was taken. */
  giveUp(): void;
  readonly outcome: EarlyOutcome | undefined;
  /** From the facts that were expected. */
  readonly expected: ExpectedOffer;
}

/** Begins the first step of a turn that is being opened; undefined where it must wait. Never throws. */
export function beginStep(deps: TurnDeps, prepared: PreparedOpen, reply: Reply): EarlyStep | undefined {
  const { sessionCache } = deps;
  try {
    const now = deps.now();
    const { principal, digest } = prepared.input;
    // First: a request that waits for other reasons has come all the same.
    if (!sessionCache?.tryReserve(principal, digest, now) || !mayBegin(prepared)) return undefined;
    const expected = expectedOpen(sessionCache, prepared, now);
    const step = expected && offerFrom(prepared, expected, now);
    return step && callModel(deps, step, reply);
  } catch (error) {
    log("warn", "step_not_begun_early", { turn: prepared.input.id, ...describeError(error) });
    return undefined;
  }
}

/** Whether nothing but the facts decides what comes first: no command, answer, retry, plan or call of the system. */
function mayBegin({ input, request, answer }: PreparedOpen): boolean {
  const { policy, conversation, clientRetry, plan, toolCall, ownTools } = input;
  if (!policy.execution.speculate || policy.hasSequences || clientRetry || request.reset) return false;
  if (plan !== undefined || toolCall || ownTools || request.variant) return false;
  if (answer || request.answering || readCommand(conversation.newMessage) !== undefined) return false;
  // What the provider runs itself nobody vets: it runs under the object's own facts alone.
  return input.request.providerFields.length === 0;
}

/** Whether something comes before the model that the step could not know of: a call that waits for a person may wait for long. */
export const takesAnotherCourse = ({
  opened: { waiting, cancelled, runs, replay, over, unknownApprovals },
}: Turn): boolean =>
  [waiting, cancelled, runs, replay, unknownApprovals].some((list) => list !== undefined && list.length > 0) ||
  over !== undefined;

/** Undefined where the turn would end without the model, or the provider could run a tool of the offer. */
function offerFrom(prepared: PreparedOpen, expected: OpenResult, now: number): ExpectedOffer | undefined {
  // What the turn may spend on checks is left to the turn.
  const input = { ...prepared.input, work: workBudget() };
  const turn = openedTurn({ ...prepared, input }, expected);
  const offer = offerStep(turn, now);
  if (!isOffer(offer) || !passesPreflight(turn, offer) || offer.tools.some(({ name }) => isHosted(name)))
    return undefined;
  return { turn, offer };
}

function callModel(deps: TurnDeps, made: ExpectedOffer, reply: Reply): EarlyStep {
  const { turn, offer } = made;
  const { sessionCache, watch, now } = deps;
  const { principal, signal } = turn.input;
  const extra = watch?.stepBegan({ tools: offer.tools, withheld: offer.offer.withheld });
  /** What the turn's own step has, once it has taken the call. */
  let taken: { readonly request: StepRequest; readonly onHead: (head: UpstreamHead) => void } | undefined;
  const onHosted: NonNullable<StepRequest["responses"]>["onHosted"] = (call) =>
    taken?.request.responses?.onHosted(call);
  const expected = stepRequest(turn, offer, reply.envelope, { extra, onHosted });
  const abort = new AbortController();
  const leave = () => abort.abort(signal.reason);
  whenAborted(signal, leave);
  const { promise: confirmed, resolve: confirm } = Promise.withResolvers<void>();
  const links = expected.links && laterFilters(() => taken?.request.links);
  const request = { ...expected, links, signal: abort.signal, confirmed };
  sessionCache?.started(principal);
  const calling = deps.model.step(request, reply.words, (head) => taken?.onHead(head));
  calling.catch(() => {}).finally(() => signal.removeEventListener("abort", leave));
  let outcome: EarlyOutcome | undefined;
  const end = (how: EarlyOutcome): void => {
    outcome = how;
    sessionCache?.finished(principal, how !== "kept", now());
    watch?.earlyEnded(how);
    if (how === "kept") {
      confirm();
      return;
    }
    abort.abort();
    watch?.stepEnded({ kind: "aborted" });
  };
  return {
    extra,
    expected: made,
    take(own, words, onHead) {
      if (outcome !== undefined) return undefined;
      const isSame = words === reply.words && isSameStep(expected, own);
      if (isSame) taken = { request: own, onHead };
      end(isSame ? "kept" : "redone");
      return isSame ? calling : undefined;
    },
    giveUp() {
      if (outcome === undefined) end("given_up");
    },
    get outcome() {
      return outcome;
    },
  };
}

/** The guards of the step that took the call: nothing is read before there is one. */
function laterFilters(guards: () => WordFilters | undefined): WordFilters {
  const own = (): WordFilters => {
    const found = guards();
    if (!found) throw new Error("the words came before their guards");
    return found;
  };
  return {
    push: (...words) => own().push(...words),
    filterChunk: (chunk) => own().filterChunk(chunk),
    filterBody: (body) => own().filterBody(body),
    end: () => own().end(),
  };
}
