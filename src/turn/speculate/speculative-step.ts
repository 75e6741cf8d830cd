/**
 * A turn's first call of the model, begun before the user's object has answered.
 *
 * It is made with the facts that the isolate expects. Nothing of its answer is read before the object has answered. Then the turn
 * makes its step as always: if its request to the upstream is the same, it adopts the call that is under way; else that call is
 * aborted, and the step is made again. So the reply, the decisions and the record are those of a turn that waited.
 */
import { whenAborted } from "../../lib/deadline.ts";
import { describeError, log } from "../../lib/log.ts";
import { workBudget } from "../../lib/work-budget.ts";
import { isHosted } from "../../policy/hosted.ts";
import type { StepRequest, UpstreamHead } from "../../ports/model-port.ts";
import type { Reply } from "../../ports/reply-port.ts";
import type { OpenResult } from "../../ports/turns/open-turn-request.ts";
import type { EarlyOutcome } from "../../ports/turns/turn-observer.ts";
import type { WordFilters } from "../../wire/links/word-filters.ts";
import { offerStep, stepRequest } from "../offer/offer-step.ts";
import { passesPreflight } from "../offer/preflight.ts";
import { type ExpectedOffer, isOffer, type SpeculativeStep } from "../offer/step-offer.ts";
import { openedTurn, type PreparedOpen } from "../open/open-turn.ts";
import { readCommand } from "../open/user-message.ts";
import type { Turn } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { expectedOpen } from "./expected-open.ts";

/** Begins the first step of a turn that is being opened; undefined if it must wait. Never throws. */
export function beginSpeculation(deps: TurnDeps, prepared: PreparedOpen, reply: Reply): SpeculativeStep | undefined {
  const { sessionCache } = deps;
  try {
    const now = deps.now();
    const { principal, digest } = prepared.input;
    // This check comes first, so that a request which waits for other reasons is remembered too.
    if (!sessionCache?.tryReserve(principal, digest, now) || !mayBegin(prepared)) return undefined;
    const expected = expectedOpen(sessionCache, prepared, now);
    const step = expected && offerFrom(prepared, expected, now);
    return step && callModel(deps, step, reply);
  } catch (error) {
    log("warn", "step_not_begun_early", { turn: prepared.input.id, ...describeError(error) });
    return undefined;
  }
}

/** Whether only the facts decide what comes first: there is no command, answer, retry, plan or call of the system. */
function mayBegin({ input, request, answer }: PreparedOpen): boolean {
  const { policy, conversation, clientRetry, plan, toolCall, ownTools } = input;
  if (!policy.execution.speculate || policy.hasSequences || clientRetry || request.reset) return false;
  if (plan !== undefined || toolCall || ownTools || request.variant) return false;
  if (answer || request.answering || readCommand(conversation.newMessage) !== undefined) return false;
  // Tools that the provider runs cannot be vetted before they run: they need the object's own facts.
  return input.request.providerFields.length === 0;
}

/** Whether something comes before the model that the step could not know of: a call that waits for a person may wait for long. */
export const endsBeforeModel = ({
  opened: { waiting, cancelled, runs, replay, over, unknownApprovals },
}: Turn): boolean =>
  [waiting, cancelled, runs, replay, unknownApprovals].some((list) => list !== undefined && list.length > 0) ||
  over !== undefined;

/** Undefined if the turn would end without the model, or the provider could run a tool of the offer. */
function offerFrom(prepared: PreparedOpen, expected: OpenResult, now: number): ExpectedOffer | undefined {
  // The speculation has a budget of its own, so that it uses nothing of the turn's.
  const input = { ...prepared.input, work: workBudget() };
  const turn = openedTurn({ ...prepared, input }, expected);
  const offer = offerStep(turn, now);
  if (!isOffer(offer) || !passesPreflight(turn, offer) || offer.tools.some(({ name }) => isHosted(name)))
    return undefined;
  return { turn, offer };
}

function callModel(deps: TurnDeps, made: ExpectedOffer, reply: Reply): SpeculativeStep {
  const { turn, offer } = made;
  const { sessionCache, observer, now } = deps;
  const { principal, signal } = turn.input;
  const extra = observer?.stepBegan({ tools: offer.tools, withheld: offer.offer.withheld });
  /** The turn's own step, once it has adopted the call. */
  let adopted: { readonly request: StepRequest; readonly onHead: (head: UpstreamHead) => void } | undefined;
  const onHosted: NonNullable<StepRequest["responses"]>["onHosted"] = (call) =>
    adopted?.request.responses?.onHosted(call);
  const expected = stepRequest(turn, offer, reply.envelope, { extra, onHosted });
  const abort = new AbortController();
  const leave = () => abort.abort(signal.reason);
  whenAborted(signal, leave);
  const { promise: confirmed, resolve: confirm } = Promise.withResolvers<void>();
  const links = expected.links && laterFilters(() => adopted?.request.links);
  const request = { ...expected, links, signal: abort.signal, confirmed };
  sessionCache?.started(principal);
  const calling = deps.model.step(request, reply.words, (head) => adopted?.onHead(head));
  calling.catch(() => {}).finally(() => signal.removeEventListener("abort", leave));
  let outcome: EarlyOutcome | undefined;
  const end = (how: EarlyOutcome): void => {
    outcome = how;
    sessionCache?.finished(principal, how !== "kept", now());
    observer?.earlyEnded(how);
    if (how === "kept") {
      confirm();
      return;
    }
    abort.abort();
    observer?.stepEnded({ kind: "aborted" });
  };
  return {
    extra,
    expected: made,
    adopt(own, words, onHead) {
      if (outcome !== undefined) return undefined;
      const isSame = words === reply.words && isSameStep(expected, own);
      if (isSame) adopted = { request: own, onHead };
      end(isSame ? "kept" : "redone");
      return isSame ? calling : undefined;
    },
    abort() {
      if (outcome === undefined) end("given_up");
    },
    get outcome() {
      return outcome;
    },
  };
}

/** The filters of the step that adopted the call: nothing is read before there is one. */
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

/** Whether two calls of a model are the same to the upstream and to the reply. Pure. */
export function isSameStep(one: StepRequest, other: StepRequest): boolean {
  return (
    one.body === other.body &&
    one.stream === other.stream &&
    one.envelope === other.envelope &&
    one.adopt === other.adopt &&
    one.route === other.route &&
    // Text is filtered in both or in neither; the facts of the open decide how.
    (one.links === undefined) === (other.links === undefined) &&
    (one.responses === undefined) === (other.responses === undefined) &&
    isSame(one.toolChoice, other.toolChoice) &&
    isSame(one.headers, other.headers) &&
    isSameList(wiresOf(one), wiresOf(other)) &&
    isSameList(one.messages, other.messages)
  );
}

const wiresOf = ({ tools }: StepRequest): readonly unknown[] => tools.map(({ wire }) => wire);

/** Most entries are the same objects as in the client's request. */
const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, index) => isSame(value, other[index]));

/** Compared as they are written on the wire, including the order of keys. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
