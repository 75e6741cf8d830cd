/**
 * Steps 5 and 7 of a turn. Facts become the tools of this step, narrowed by the client's `tool_choice`; then one call of the model, whose
 * text goes straight to the reply.
 */
import type { JsonObject } from "../../lib/json/json-value.ts";
import { once } from "../../lib/once.ts";
import type { Facts, ToolDefinition, ToolHistory } from "../../policy/facts.ts";
import { selectableIntents, trustMatters } from "../../policy/handshake.ts";
import { isHosted } from "../../policy/hosted.ts";
import { observedOffer, observesAll, sentTools } from "../../policy/observe.ts";
import { type Offer, offersAlike, offerTools } from "../../policy/offer.ts";
import type { StepOutcome, StepRequest, UpstreamHead } from "../../ports/model-port.ts";
import type { Reply } from "../../ports/reply-port.ts";
import type { Ending } from "../../ports/turns/ending.ts";
import { MAX_CALLS, type ModelCall, TOO_MANY_CALLS } from "../../wire/call-parts.ts";
import type { ChatRequest } from "../../wire/chat-request.ts";
import type { Envelope } from "../../wire/envelope.ts";
import type { ReplySink } from "../../wire/reply-sink.ts";
import { wireToolChoice } from "../../wire/tool-choice.ts";
import { withoutLinks } from "../confirm/question-links.ts";
import { placeExchanges } from "../history/hidden-history.ts";
import { markResults } from "../history/marked-results.ts";
import { withMembers } from "../history/vendor-members.ts";
import { isTaintedResult } from "../open/tainted-results.ts";
import { taskMessage } from "../open/task-message.ts";
import { toolFacts } from "../open/tool-facts.ts";
import { holdsUntrusted, holdsUntrustedHosted, resultsIn } from "../open/untrusted.ts";
import { sendNotice } from "../runs/unconfirmed-lines.ts";
import { callSources, conversationSources } from "../step/call-sources.ts";
import { linkFilters } from "../step/link-filters.ts";
import { resultInstructions } from "../step/result-instructions.ts";
import { stateOf, type Turn } from "../turn.ts";
import { recordOffered, recordStep, recordStepResult, recordWithheld, updateLog } from "../turn-log.ts";
import { choiceOf, refuseChoice } from "./forced-choice.ts";
import type { ExpectedOffer, StepContext, StepOffer } from "./step-offer.ts";

export function factsOf(turn: Turn, now: number): Facts {
  const { policy, request } = turn.input;
  const { principal } = turn;
  const unconfirmed = turn.input.plan !== undefined && wishHoldsUntrusted(turn);
  const { detected } = turn.opened;
  const { toolChoice } = request;
  const task = taskMessage(turn);
  return {
    now,
    principal,
    mode: turn.mode,
    state: stateOf(turn),
    intents: turn.log.intents,
    changedDefinitions: turn.changedDefinitions,
    selectable: selectableIntents(policy, { detected, held: turn.log.intents, unconfirmed }),
    selectedByModel: new Set(turn.log.intents.filter((name) => !detected.includes(name))),
    selectedAfterUntrusted: new Set(turn.log.undetected),
    untrustedSources: once(() => callSources(turn, now)),
    allSources: once(() => conversationSources(turn, now)),
    instructions: once(() => resultInstructions(turn)[0]),
    message: {
      ...task,
      readsOnly: () => trustMatters(policy) && task.readsOnly(),
      asksBack: () => trustMatters(policy) && task.asksBack(),
      holdsBack: () => trustMatters(policy) && task.holdsBack(),
    },
    history: policy.hasSequences ? historyOf(turn) : undefined,
    forcedTool: toolChoice.kind === "named" ? toolChoice.tool : undefined,
  };
}

/**
 * The intent of a plan's step follows from its tool (`selectIntentForTool`), which was chosen before any result came in. Only text that
 * was pasted into the plan's request can have influenced it.
 */
export function wishHoldsUntrusted({ input: { policy, request } }: Turn): boolean {
  const own = request.messages.filter(({ role }) => role === "user");
  return holdsUntrusted(policy, own);
}

/** The policy's offer, narrowed by the client's own choice. */
export function offerFor(turn: Turn, facts: Facts): Offer {
  const { policy, work } = turn.input;
  const offer = observedOffer(policy, offerTools(policy, facts, turn.tools, work));
  if (turn.log.wordsOnly) return withoutTools(offer);
  const choice = choiceOf(turn);
  if (choice.kind === "none") return { ...offer, handshake: undefined, callable: new Set() };
  if (choice.kind === "named")
    return { ...offer, handshake: undefined, callable: callableAmong(offer.callable, [choice.tool]) };
  return choice.kind === "subset" ? { ...offer, callable: callableAmong(offer.callable, choice.tools) } : offer;
}

/** A call of a tool that the model was not sent is refused like one of a withheld tool. */
const withoutTools = ({ offered, withheld }: Offer): Offer => ({
  offered: [],
  withheld: [
    ...withheld,
    ...offered.map(({ name }) => ({ name, reasons: [{ code: "not_offered" as const, tool: name }] })),
  ],
  callable: new Set(),
});

const callableAmong = (callable: ReadonlySet<string>, names: readonly string[]): ReadonlySet<string> =>
  new Set(names.filter((name) => callable.has(name)));

/**
 * The step's offer, or the 400 for a `tool_choice` that the rules leave nothing for.
 * @param expected saves the rules' work, 0.15 ms for twenty tools, if the turn has opened as expected.
 */
export function offerStep(turn: Turn, now: number, expected?: ExpectedOffer): StepOffer | Ending {
  updateLog(turn.log, { stepBegun: true });
  const facts = factsOf(turn, now);
  const offer = expected && isAsExpected(turn, facts, expected) ? expected.offer.offer : offerFor(turn, facts);
  const { policy } = turn.input;
  const refusal = refuseChoice(turn, offer);
  if (refusal) return refusal;
  // In a step for text alone, without tools, the rules withheld nothing: nothing is recorded.
  if (!turn.log.wordsOnly) recordWithheld(turn.log, offer.withheld);
  const sent = turn.log.wordsOnly ? offer.offered : sentTools(policy, offer, turn.tools);
  const tools = offer.handshake ? [...sent, offer.handshake.definition] : sent;
  return { offer, facts, tools };
}

function isAsExpected({ input, tools, log }: Turn, facts: Facts, { turn, offer }: ExpectedOffer): boolean {
  if (input.policy !== turn.input.policy || input.request !== turn.input.request) return false;
  // Both change how `tool_choice` is applied.
  if (log.wordsOnly || turn.log.wordsOnly || log.runs.length > 0) return false;
  // A schema that was too costly to read in speculation may fit now.
  if (offer.offer.withheld.some(({ reasons }) => reasons.some(({ code }) => code === "schema_invalid"))) return false;
  const sameTools = tools.length === turn.tools.length && tools.every((tool, at) => tool === turn.tools[at]);
  return sameTools && offersAlike(facts, offer.facts);
}

/** @param extra headers for this call only. */
export function stepRequest(
  turn: Turn,
  { offer, tools }: StepOffer,
  envelope: Envelope,
  {
    extra,
    onHosted,
  }: { readonly extra: StepRequest["headers"] | undefined; readonly onHosted: (call: ModelCall) => void },
): StepRequest {
  const { policy, request, headers, signal } = turn.input;
  const hosted = tools.flatMap(({ name }) => (isHosted(name) ? [name] : []));
  const names = tools.filter((tool) => tool !== offer.handshake?.definition).map(({ name }) => name);
  return {
    body: request.body,
    messages: messagesOf(turn),
    tools,
    toolChoice: wireToolChoice(choiceOf(turn), names, offer.handshake?.name),
    stream: request.stream,
    route: turn.input.policy.models.get(request.model),
    envelope,
    // Also if the gateway wrote text before the model did.
    adopt: turn.log.steps > 0 || envelope.head !== undefined || turn.log.notice !== "",
    headers: extra ? { ...headers, ...extra } : headers,
    links: linkFilters(turn, holdsUntrustedHosted(policy, hosted)),
    signal,
    responses: request.responses && { ...request.responses, onHosted },
  };
}

/** The client's messages and the hidden exchanges, in the form that the model may see. */
function messagesOf(turn: Turn): readonly unknown[] {
  const { policy, request } = turn.input;
  const kept = [...turn.opened.hidden, ...turn.log.exchangesToStore];
  const own = turn.log.hiddenExchanges.flat();
  const messages = [...placeExchanges(policy, request.messages, kept), ...own];
  const shown = new Set<unknown>([...kept.flatMap((one) => one.messages), ...own]);
  const isTainted = (tool: string | undefined, message: JsonObject) => isTaintedResult(turn, tool, message);
  const marking = { policy, tag: turn.resultTag, own: shown, isTainted };
  const marked = observesAll(policy) ? messages : markResults(marking, messages);
  return withMembers(withoutLinks(turn, marked), turn.opened.members);
}

/**
 * Estimated prompt tokens that the step saved: the client's and the managed tools, less the tools that were sent. Negative if all were
 * sent, since the handshake tool is added.
 */
function estimateSaved(turn: Turn, { tools: sent }: StepOffer): number {
  const given = turn.tools;
  return tokensBeyond(given, sent) - tokensBeyond(sent, given);
}

/** Estimated prompt tokens of the tools that are not in the other list unchanged. */
function tokensBeyond(tools: readonly ToolDefinition[], others: readonly ToolDefinition[]): number {
  const both = new Set(others);
  return tools.reduce((sum, tool) => (both.has(tool) ? sum : sum + toolFacts(tool).tokens), 0);
}

/** @param onHosted gets the calls that the provider has run. */
export async function modelStep(
  { deps, reply, speculation }: StepContext,
  turn: Turn,
  step: StepOffer,
  onHosted: (call: ModelCall) => void,
): Promise<StepOutcome> {
  const { observer } = deps;
  const words = spacedWords(turn, reply);
  const onHead = (head: UpstreamHead): void => {
    observer?.stepHead(head);
    reply.head(head);
    // Not before the head: an upstream that refuses answers with its own status.
    sendNotice(turn, reply);
  };
  const requestWith = (extra: StepRequest["headers"] | undefined) =>
    stepRequest(turn, step, reply.envelope, { extra, onHosted });
  const early = speculation?.outcome === undefined ? speculation : undefined;
  const underWay = early?.adopt(requestWith(early.extra), words, onHead);
  const begin = () => {
    const request = requestWith(observer?.stepBegan({ tools: step.tools, withheld: step.offer.withheld }));
    return deps.model.step(request, words, onHead);
  };
  const calling = underWay ?? begin();
  recordStep(turn.log, estimateSaved(turn, step));
  recordOffered(turn.log, step.offer.offered);
  const outcome = await calling;
  observer?.stepEnded(outcome);
  const result = withinBounds(outcome);
  if (result.kind === "ended") recordStepResult(turn.log, result, sendsEachStep(turn.input.request));
  return result;
}

/** In a reply of one body, and in JSON mode, only the last step's text reaches the client. */
const sendsEachStep = ({ stream, jsonMode }: ChatRequest): boolean => stream && !jsonMode;

function withinBounds(outcome: StepOutcome): StepOutcome {
  if (outcome.kind !== "ended" || outcome.calls.length <= MAX_CALLS) return outcome;
  const begun = outcome.calls.map(({ name }) => name);
  return { kind: "disorderly", detail: TOO_MANY_CALLS, error: undefined, begun };
}

/** An event that has text. Inside a string value the quotes would be escaped. */
const WORDS = /"content":\s*"(?!")/;
/** An event of a Responses upstream, which puts text into an item of its own. */
const ITEM_WORDS = /"type":\s*"response\.output_text\.delta"/;

/** Where the step's text goes. The gap is written with the first text: a step may have none. */
export function spacedWords(turn: Turn, reply: Reply): ReplySink {
  const { stream, jsonMode } = turn.input.request;
  const gap = stream && !jsonMode ? gapAfter(turn.log.notice === "" ? turn.log.text : turn.log.notice) : "";
  if (gap === "") return reply.words;
  const { words } = reply;
  let due = true;
  return {
    write(events) {
      const isItem = due && ITEM_WORDS.test(events);
      if (isItem || (due && WORDS.test(events))) {
        due = false;
        updateLog(turn.log, { text: turn.log.text + gap });
        if (!isItem) reply.say(gap);
      }
      words.write(events);
    },
    get full() {
      return words.full;
    },
    ready: () => words.ready(),
    prepare: () => words.prepare?.(),
    get started() {
      return words.started;
    },
  };
}

function gapAfter(text: string): string {
  if (text === "" || /\n[^\S\n]*\n\s*$/.test(text)) return "";
  return text.endsWith("\n") ? "\n" : "\n\n";
}

/**
 * What was called in the session before, for the rules about the order of calls. A result that the client only claims to have can forbid,
 * never permit: it counts as read, not as a success.
 */
function historyOf({ input, opened, log }: Turn): ToolHistory {
  const { succeeded = [], read = [] } = opened.history ?? {};
  const ran = log.runs.filter(({ status }) => status !== "started" && status !== "not_started");
  const shown = resultsIn(input.request.messages).flatMap(({ tool }) => tool ?? []);
  const done = ran.filter(({ status }) => status === "succeeded");
  const names = (list: readonly { readonly tool: string }[]) => list.map(({ tool }) => tool);
  return {
    succeeded: [...new Set([...succeeded, ...names(done)])],
    read: [...new Set([...read, ...names(ran), ...shown])],
  };
}
