/**
 * Stores and re-inserts tool exchanges that the client never sees (handshake, refusals, managed calls). Each is built from calls with their
 * answers, stored with an anchor at the turn's end, and inserted where that anchor returns.
 *
 * The task's exchanges are looked for among the task's own messages, except a question that the task's first message left unanswered. If
 * the message is ambiguous, or the client dropped it, the exchange is left out.
 */

import type { Approval } from "../../approvals/approval.ts";
import { readCodes } from "../../approvals/codes.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { NAMELESS_REFUSAL, refusalForModel } from "../../policy/reason-texts.ts";
import { type ExchangeAnchor, type HiddenExchange, outlastsTask } from "../../ports/turns/hidden-exchange.ts";
import { UNKNOWN_RUN } from "../../tools/run.ts";
import { wireCall } from "../../wire/call-parts.ts";
import { callIdsOf, textOf } from "../../wire/conversation.ts";
import { isVisible } from "../offer/visible-withheld.ts";
import { taskStart } from "../open/user-message.ts";
import type { VettedCall } from "../step/vetted-call.ts";
import type { Turn } from "../turn.ts";
import { recordToStore } from "../turn-log.ts";
import { type DigestedMessage, digestMessages } from "./retained-results.ts";

interface ExchangeOptions {
  /** The model's text and reasoning beside the calls. */
  readonly words?: string;
  readonly reasoning?: string;
  /** The model gets no tools in its next step. */
  readonly noTools?: boolean;
}

/**
 * Replaces the name of a tool that is not for this user: providers want a named call before its answer, and a model repeats what it reads.
 */
const NAMELESS = { tool: "requested_action", arguments: "{}", extra: undefined };

export function exchangeFor(
  turn: Turn,
  calls: readonly VettedCall[],
  { words = "", reasoning = "", noTools = turn.log.wordsOnly }: ExchangeOptions = {},
): JsonObject[] {
  const shown = calls.map((vetted) => ({ vetted, named: isVisible(turn, { ...vetted, tool: vetted.modelCall.name }) }));
  const assistant: JsonObject = {
    role: "assistant",
    content: words === "" ? null : words,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    tool_calls: shown.map(({ vetted: { modelCall, vettedArguments }, named }) => {
      const { id, name: tool, extra } = modelCall;
      return wireCall({ id, ...(named ? { tool, arguments: vettedArguments, extra } : NAMELESS) });
    }),
  };
  const answers = shown.map(({ vetted, named }) => ({
    role: "tool",
    tool_call_id: vetted.modelCall.id,
    content: named ? answerText(vetted, noTools, turn.log.offered) : NAMELESS_REFUSAL,
  }));
  return [assistant, ...answers];
}

function answerText(
  { effect, reasons, handshake, storedRun, madeBy }: VettedCall,
  noTools: boolean,
  offered: ReadonlySet<string>,
): string {
  if (storedRun) return storedRun.outcome?.text ?? UNKNOWN_RUN;
  if (handshake && effect === "allow")
    return "selected: the tools for it are available now; go on with the user's request";
  return refusalForModel(reasons, { noTools, asIs: madeBy === "system", offered });
}

/** Stores the exchanges that the model must see again once these calls come back. @param released ids of calls. */
export function storeExchanges(turn: Turn, released: readonly string[], approvals: readonly Approval[]): void {
  if (turn.log.hiddenExchanges.length === 0) return;
  const { policy, request } = turn.input;
  const streamed = request.stream && !request.jsonMode;
  // The client has the streamed text, and sends it back in its own message.
  const messages = turn.log.hiddenExchanges.flat().flatMap((message) => {
    if (!streamed || message.role !== "assistant") return [message];
    return message.tool_calls ? [{ ...message, content: null }] : [];
  });
  const ids = [...released, ...approvals.map(({ callId }) => callId)];
  const codes = approvals.map(({ code }) => code);
  const position = request.messages.slice(taskStart(policy, request.messages)).filter(isCalling).length;
  recordToStore(turn.log, { anchor: { kind: "calls", ids, codes, position }, messages });
}

type Messages = readonly unknown[];

interface ExchangePlacement {
  readonly before: Map<JsonObject, Messages>;
  /** Calls and their refusals, anchored at the message with the question. */
  readonly into: Map<JsonObject, readonly JsonObject[]>;
  readonly behind: Map<JsonObject, Messages>;
  /** Before the user message that begins the task. */
  readonly begin: unknown[];
}

/** The conversation with each hidden exchange inserted. */
export function placeExchanges(
  policy: CompiledPolicy,
  messages: readonly JsonObject[],
  hidden: readonly HiddenExchange[],
): Messages {
  if (hidden.length === 0) return messages;
  const start = taskStart(policy, messages);
  const placed: ExchangePlacement = { before: new Map(), into: new Map(), behind: new Map(), begin: [] };
  placeRetained(placed, messages, hidden.filter(outlastsTask));
  // If two belong to one message, the task's own wins, and of those the last: the first one's calls never arrived.
  for (const exchange of hidden) placeForTask(placed, messages, start, exchange);
  return messages.flatMap((message, index): unknown[] => [
    ...(index === start - 1 ? placed.begin : []),
    ...(placed.before.get(message) ?? []),
    ...withRefusals(message, placed.into.get(message)),
    ...(placed.behind.get(message) ?? []),
  ]);
}

function placeForTask(
  { before, into, begin }: ExchangePlacement,
  messages: readonly JsonObject[],
  start: number,
  { anchor, messages: hidden }: HiddenExchange,
): void {
  if (anchor.kind === "calls") {
    const task = messages.slice(start);
    const calling = messageWith(anchor, task.filter(isCalling));
    const message = task.find((one) => one === calling || isAsking(one, anchor.codes));
    if (message) before.set(message, hidden);
  }
  if (anchor.kind === "refusals") {
    const asking = messages.findLast((message) => isAsking(message, anchor.codes));
    const refused = hidden as readonly JsonObject[];
    if (asking) into.set(asking, [...(into.get(asking) ?? []), ...refused]);
    else begin.push(...refused);
  }
}

const isCalling = (message: JsonObject): boolean => message.role === "assistant" && callIdsOf(message).length > 0;

function isAsking({ role, content }: JsonObject, codes: readonly string[]): boolean {
  if (role !== "assistant" || codes.length === 0) return false;
  const text = textOf(content);
  return text !== "" && readCodes(text).some((code) => codes.includes(code));
}

/** By position if the ids agree; else, if the client dropped messages, by ids that occur in only one message. */
function messageWith(
  { ids, position }: Extract<ExchangeAnchor, { kind: "calls" }>,
  calling: readonly JsonObject[],
): JsonObject | undefined {
  const bearing = calling.filter((message) => callIdsOf(message).some((id) => ids.includes(id)));
  return bearing.find((message) => message === calling[position]) ?? (bearing.length === 1 ? bearing[0] : undefined);
}

/** Exchanges do not share a message with calls, since its results follow it. */
function withRefusals(message: JsonObject, refused: readonly JsonObject[] | undefined): unknown[] {
  if (!refused) return [message];
  if (isCalling(message)) return [...refused, message];
  const calls = refused.flatMap(({ tool_calls: made }) => (Array.isArray(made) ? made : []));
  return [{ ...message, tool_calls: calls }, ...refused.filter(({ role }) => role === "tool")];
}

type RetainedAnchor = Extract<ExchangeAnchor, { kind: "reply" | "request" }>;

/** All exchanges that one turn retained. */
interface RetainedTurn {
  readonly anchor: RetainedAnchor;
  readonly messages: Messages;
}

/** What a reply led to goes before it. What no reply shows goes after the user's message, once something follows that. */
function placeRetained(
  { before, behind }: ExchangePlacement,
  messages: readonly JsonObject[],
  hidden: readonly HiddenExchange[],
) {
  if (hidden.length === 0) return;
  const { digested } = digestMessages(messages);
  const turns = [...Map.groupBy(hidden, ({ anchor }) => JSON.stringify(anchor)).values()].map(
    (group): RetainedTurn => ({
      anchor: group[0]?.anchor as RetainedAnchor,
      messages: group.flatMap((one) => one.messages),
    }),
  );
  const replies = turns.filter(({ anchor }) => anchor.kind === "reply");
  const shown = new Map<JsonObject, RetainedTurn>();
  for (const turn of replies) {
    const alone = replies.filter(({ anchor }) => anchor.digest === turn.anchor.digest).length === 1;
    const message = messageAt(turn.anchor, digested, alone);
    if (message) shown.set(message, turn);
  }
  for (const [message, turn] of shown) before.set(message, turn.messages);
  const shownRuns = new Set([...shown.values()].flatMap(({ anchor }) => anchor.runs));
  const followed = digested.filter(({ message }) => message !== messages.at(-1));
  // The last first: a later try of the same request holds what the earlier one ran.
  for (const { anchor, messages: results } of turns.reverse()) {
    if (anchor.kind !== "request" || anchor.runs.some((run) => shownRuns.has(run))) continue;
    for (const run of anchor.runs) shownRuns.add(run);
    const message = messageAt(anchor, followed, true);
    if (message) behind.set(message, [...results, ...(behind.get(message) ?? [])]);
  }
}

/** The only message with this digest, else the one at its position. @param alone whether no other exchange has this digest. */
function messageAt(
  { kind, digest, position }: RetainedAnchor,
  digested: readonly DigestedMessage[],
  alone: boolean,
): JsonObject | undefined {
  const same = digested.filter((one) => one.kind === kind && one.digest === digest);
  return (alone && same.length === 1 ? same[0] : same.find((one) => one.position === position))?.message;
}
