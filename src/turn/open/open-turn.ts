/** Steps 3 and 4 of a turn: what the user wants, and one awaited call to the user's UserGuard, which answers with the facts. */
import type { Detection } from "../../intent/detection.ts";
import { OFFERED_AT } from "../../intent/wish/thresholds.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { describeError, log } from "../../lib/log.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import { trustMatters } from "../../policy/handshake.ts";
import { MAX_STORED_UNITS } from "../../ports/calls-port.ts";
import type { Ending } from "../../ports/turns/ending.ts";
import type { ConcurrencyLimits, OpenRequest, OpenResult } from "../../ports/turns/open-turn-request.ts";
import { callIdsOf, callsIn, type ToolResult, textOf } from "../../wire/conversation.ts";
import { storeExchanges } from "../history/hidden-history.ts";
import { variantFor } from "../system-first/system-first.ts";
import { newTurn, type Turn, type TurnInput } from "../turn.ts";
import type { JudgingDeps, TurnDeps } from "../turn-deps.ts";
import { offerAcceptedIn } from "./accepted-offer.ts";
import { holdsWords, intentChangeFor, readNewMessage } from "./new-message.ts";
import { trustsAnything } from "./tainted-results.ts";
import { toolFacts } from "./tool-facts.ts";
import { holdsUntrusted, holdsUntrustedHosted } from "./untrusted.ts";
import { type InlineAnswer, readCommand } from "./user-message.ts";

/** @param repeatedOpen the turn was opened before: UserGuard returns the current facts. */
export async function openTurn(deps: JudgingDeps, input: TurnInput, repeatedOpen = false): Promise<Turn> {
  const prepared = await prepareOpen(deps, input, repeatedOpen);
  const opened = await deps.guard.turns.open(prepared.request);
  return openedTurn(prepared, opened, deps.now());
}

/** What is known of a turn before UserGuard has answered. */
export interface PreparedOpen {
  readonly input: TurnInput;
  readonly request: OpenRequest;
  readonly detection: Detection | undefined;
  readonly answer: InlineAnswer | undefined;
}

/** Step 3, and the request of step 4. */
export async function prepareOpen(deps: JudgingDeps, input: TurnInput, repeatedOpen = false): Promise<PreparedOpen> {
  const { principal, policy, request, conversation } = input;
  const message = readNewMessage(input);
  const { command, answer, aside, answering } = message;
  const detection = answering && !holdsWords(answer ?? aside) ? undefined : await detect(deps, input);
  const intents = intentChangeFor(input, message, detection);
  const accepted = detection ? await offeredIntents(deps, input, message.words) : [];
  const variant = variantFor(input, intents, detection);
  const open: OpenRequest = {
    turn: input.id,
    ...(repeatedOpen ? { repeatedOpen } : {}),
    principal,
    model: request.model,
    session: {
      id: input.sessionId,
      firstMessageDigest: conversation.firstMessageDigest,
      conversationKey: conversation.conversationKey,
      fingerprint: conversation.fingerprint,
      command: command !== undefined || input.reset,
    },
    digest: input.digest,
    clientRetry: input.clientRetry,
    mode: input.mode,
    policy: policy.version,
    reset: input.reset || command === "reset",
    newMessage: message.beginsTask,
    intents,
    ...(variant ? { variant } : {}),
    detected: [...new Set([...namesIn(detection), ...accepted])].filter((name) => policy.intents.has(name)),
    untrusted:
      needsTrust(input, answer) &&
      (holdsUntrusted(policy, request.messages) || holdsUntrustedHosted(policy, request.responses?.hosted)),
    results: withTexts(policy, request.messages, conversation.results),
    definitions: pinnedTools(input).map((tool) => [tool.name, toolFacts(tool).digest] as const),
    answering,
    ...(policy.hasSequences ? { history: true as const } : {}),
    ...(trustsAnything(policy) ? { wantsStored: true } : {}),
    ...(mayMarkResults(input) ? { wantsTag: true } : {}),
    ...(input.ceilings ? { ceilings: ceilingsOf(input.ceilings, input) } : {}),
  };
  return { input, request: open, detection, answer: answer ?? aside };
}

/**
 * @param opened UserGuard's answer.
 * @param openedAt when it came; undefined if it has not.
 */
export function openedTurn(
  { input, request, detection, answer }: PreparedOpen,
  opened: OpenResult,
  openedAt?: number,
): Turn {
  const systemFirstAllowed = request.variant !== undefined && opened.variant === "system_first" && isUntouched(opened);
  // If approvals are waiting, the message answers them and is not detected as a request.
  const isRead = request.answering?.kind !== "inline" || !request.answering.isAside || opened.waiting !== undefined;
  const read = {
    detection: opened.waiting ? undefined : detection,
    answer: isRead ? answer : undefined,
    systemFirstAllowed,
  };
  return newTurn(input, opened, read, openedAt);
}

/**
 * Computing the tag takes 40 µs before the model is called, and most turns have no result. The object itself knows whether hidden exchanges
 * have one.
 */
const mayMarkResults = ({ policy, request, managed, plan }: TurnInput): boolean =>
  policy.results.mark &&
  (managed !== undefined ||
    plan !== undefined ||
    request.messages.some(({ role }) => role === "tool" || role === "function"));

const ceilingsOf = ({ turns, holds }: ConcurrencyLimits, { channel }: TurnInput): OpenRequest["ceilings"] =>
  channel === "hold" ? { turns, holds } : { turns };

/** No earlier attempt of this request, and no approval is pending. */
const isUntouched = ({ waiting, runs, replay }: OpenResult): boolean => !waiting?.length && !runs?.length && !replay;

/** Tools that Toolgate runs are not the client's to define. */
export const pinnedTools = ({ request, managed }: TurnInput): readonly ToolDefinition[] =>
  managed ? request.tools.filter(({ name }) => !managed.names.has(name)) : request.tools;

/** The search reads all messages. It is made only if a tool's result or an answer comes, and the policy needs it. */
function needsTrust({ policy, conversation }: TurnInput, answer: InlineAnswer | undefined): boolean {
  if (trustMatters(policy)) return true;
  if (policy.confirmation.typedCode !== "afterUntrusted") return false;
  return answer !== undefined || conversation.results.length > 0;
}

/** Once per user message, and only its text: what tools and models say is not the user's wish. */
async function detect(
  { detector }: JudgingDeps,
  { policy, conversation, request, headers, signal }: TurnInput,
): Promise<Detection | undefined> {
  const { newMessage } = conversation;
  if (newMessage === undefined || readCommand(newMessage)) return undefined;
  return detector.detect(policy, { text: newMessage, assistant: conversation.previousReply }, signal, {
    model: policy.models.get(request.model)?.[0] ?? request.model,
    headers,
  });
}

/** Who says yes to "Shall I open a ticket?" has asked for one. Whom and what it is for must still be the user's words, where that matters. */
async function offeredIntents({ detector }: JudgingDeps, input: TurnInput, words: string): Promise<readonly string[]> {
  const { policy, conversation, signal } = input;
  const offer = offerAcceptedIn(input, words, conversation.previousReply);
  if (offer === undefined) return [];
  const { intents } = await detector.detect(policy, { text: offer.text }, signal);
  return intents.flatMap(({ name, layer, confidence }) =>
    layer !== "fallback" && confidence >= OFFERED_AT ? [name] : [],
  );
}

/** Without the fallback: that is the policy's intent for a message that asks for nothing. */
function namesIn(detection: Detection | undefined): readonly string[] {
  return detection?.intents.flatMap(({ name, layer }) => (layer === "fallback" ? [] : [name])) ?? [];
}

/** The same request again: its calls are given again, and count once. */
export function replayedCalls(turn: Turn): Ending | undefined {
  const { replay } = turn.opened;
  if (!replay) return undefined;
  // Stores the managed calls that were made with them, if the earlier try could not.
  const ids = replay.map(({ id }) => id);
  storeExchanges(turn, ids, []);
  return { kind: "answer", stopReason: "completed", step: undefined, calls: replay };
}

/** By the names in the client's own message. The store checks whose call it was. */
function withTexts(
  { tools }: CompiledPolicy,
  messages: readonly JsonObject[],
  results: readonly ToolResult[],
): readonly ToolResult[] {
  if (results.length === 0) return results;
  const calling = messages.findLastIndex((message) => message.role === "assistant" && callIdsOf(message).length > 0);
  const undoable = idsOf(messages[calling], (tool) => tools.get(tool)?.undo !== undefined);
  if (undoable.size === 0) return results;
  const texts = new Map<string, string>();
  for (const { role, tool_call_id: id, content } of messages.slice(calling + 1)) {
    if (role !== "tool" || typeof id !== "string" || !undoable.has(id) || texts.has(id)) continue;
    const text = textOf(content);
    if (text.length <= MAX_STORED_UNITS) texts.set(id, text);
  }
  return results.map((result) => {
    const text = texts.get(result.callId);
    return text === undefined ? result : { ...result, text };
  });
}

function idsOf(message: JsonObject | undefined, holds: (tool: string) => boolean): ReadonlySet<string> {
  return new Set(callsIn(message ?? {}).flatMap(([id, tool]) => (holds(tool) ? [id] : [])));
}

/**
 * @returns the turn, opened again; undefined if no other request acted first, the conversation has gone on, or UserGuard does not answer.
 */
export async function openAgain(deps: TurnDeps, turn: Turn): Promise<Turn | undefined> {
  try {
    const now = await openTurn(deps, turn.input, true);
    // Another answer, or the same in other words, is a new message.
    return now.opened.seenBefore ? now : undefined;
  } catch (error) {
    log("warn", "turn_not_opened_again", { turn: turn.input.id, ...describeError(error) });
    return undefined;
  }
}
