/** Steps 3 and 4 of a turn: what the user wants, and one awaited call to the user's UserGuard, which answers with the facts. */
import { refusalIn } from "../../approvals/answers/refusal.ts";
import type { Detection } from "../../intent/detection.ts";
import { offeredAct } from "../../intent/lexical/offered-act.ts";
import { userTextOf } from "../../intent/lexical/user-text.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { describeError, log } from "../../lib/log.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import { asksForTrust } from "../../policy/handshake.ts";
import { MAX_STORED_UNITS } from "../../ports/calls-port.ts";
import type { Ending } from "../../ports/turns/ending.ts";
import type { Answering, ConcurrencyLimits, OpenRequest, OpenResult } from "../../ports/turns/open-turn-request.ts";
import { intentChangeOf } from "../../session/task.ts";
import { callIdsOf, callsIn, type ToolResult, textOf } from "../../wire/conversation.ts";
import { storeExchanges } from "../history/hidden-history.ts";
import { variantFor } from "../system-first/system-first.ts";
import { newTurn, type Turn, type TurnInput } from "../turn.ts";
import type { JudgingDeps, TurnDeps } from "../turn-deps.ts";
import { trustsAnything } from "./stored-results.ts";
import { toolFacts } from "./tool-facts.ts";
import { holdsUntrusted, holdsUntrustedHosted } from "./untrusted.ts";
import {
  correctsQuestion,
  type InlineAnswer,
  onlyAsks,
  readAside,
  readCommand,
  readInlineAnswer,
} from "./user-message.ts";

/** @param repeatedOpen it was opened before: the facts as they are now. */
export async function openTurn(deps: JudgingDeps, input: TurnInput, repeatedOpen = false): Promise<Turn> {
  const prepared = await prepareOpen(deps, input, repeatedOpen);
  const opened = await deps.guard.turns.open(prepared.request);
  return openedTurn(prepared, opened, deps.now());
}

/** All that is known of a turn before UserGuard has answered. */
export interface PreparedOpen {
  readonly input: TurnInput;
  readonly request: OpenRequest;
  readonly detection: Detection | undefined;
  readonly answer: InlineAnswer | undefined;
}

/** Step 3, and what step 4 asks. */
export async function prepareOpen(deps: JudgingDeps, input: TurnInput, repeatedOpen = false): Promise<PreparedOpen> {
  const { principal, policy, request, conversation } = input;
  const command = readCommand(conversation.newMessage);
  const words = userTextOf(policy, conversation.newMessage ?? "", input.work);
  const answer = readInlineAnswer(conversation.previousReply, words);
  const aside = answer ? undefined : readAside(conversation.previousReply, words);
  const answering = answeringOf(input, answer ?? aside) ?? (command === "undo" ? { kind: "undo" as const } : undefined);
  const detection = answering && !holdsWords(answer ?? aside) ? undefined : await detect(deps, input);
  const newMessage = conversation.newMessage !== undefined && !onlyAsks(conversation.newMessage);
  const knows = (name: string) => policy.intents.has(name);
  const { select } = policy.handshake;
  // A plain answer asks for nothing new, also where nothing waits for it; nor does taking back what was done.
  const keepsTask = (answering && !detection) || command === "undo";
  const detected = intentChangeOf({ newMessage, detection, select, knows });
  const corrects = detected.kind === "clear" && !answer && correctsQuestion(conversation.previousReply, words);
  const kept = keepsTask || corrects ? ({ kind: "keep" } as const) : detected;
  // A refusal ends the task. Where a question waits that it answers, UserGuard moves nothing.
  const refuses =
    kept.kind === "keep" && newMessage && !command && refusalIn(words, conversation.previousReply) === "all";
  const move = refuses ? ({ kind: "clear", stillSelectable: detection?.afterQuestion === true } as const) : kept;
  const accepted = await acceptedOffer(deps, input, detection);
  const variant = variantFor(input, move, detection);
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
    newMessage,
    intents: move,
    ...(variant ? { variant } : {}),
    detected: [...new Set([...namesIn(detection), ...accepted])].filter(knows),
    untrusted:
      trustMatters(input, answer) &&
      (holdsUntrusted(policy, request.messages) || holdsUntrustedHosted(policy, request.responses?.hosted)),
    results: withTexts(policy, request.messages, conversation.results),
    definitions: pinnedTools(input).map((tool) => [tool.name, toolFacts(tool).digest] as const),
    answering,
    ...(policy.hasSequences ? { history: true as const } : {}),
    ...(trustsAnything(policy) ? { wantsStored: true } : {}),
    ...(input.ceilings ? { ceilings: ceilingsOf(input.ceilings, input) } : {}),
  };
  return { input, request: open, detection, answer: answer ?? aside };
}

/**
 * @param opened what UserGuard answered.
 * @param openedAt when; undefined where it has not.
 */
export function openedTurn(
  { input, request, detection, answer }: PreparedOpen,
  opened: OpenResult,
  openedAt?: number,
): Turn {
  const systemMayBegin = request.variant !== undefined && opened.variant === "system_first" && isUntouched(opened);
  // Words that answer what waits are no wish: the task has not moved.
  const isRead = request.answering?.kind !== "inline" || !request.answering.isAside || opened.waiting !== undefined;
  const read = {
    detection: opened.waiting ? undefined : detection,
    answer: isRead ? answer : undefined,
    systemMayBegin,
  };
  return newTurn(input, opened, read, openedAt);
}

const ceilingsOf = ({ turns, holds }: ConcurrencyLimits, { channel }: TurnInput): OpenRequest["ceilings"] =>
  channel === "hold" ? { turns, holds } : { turns };

/** Nothing is left of an earlier try, and nobody is to be heard first. */
const isUntouched = ({ waiting, runs, replay }: OpenResult): boolean => !waiting?.length && !runs?.length && !replay;

/**
 * Whether an answer says more than yes or no. Where the question was the model's own invention nothing waits, and the words
 * are a message like any other: a model could else keep its user's wishes from ever being looked at.
 */
const holdsWords = (answer: InlineAnswer | undefined): boolean =>
  answer?.parts.some(({ reason, edit }) => reason !== null || edit !== "") === true;

function answeringOf({ request }: TurnInput, answer: InlineAnswer | undefined): Answering | undefined {
  if (request.answers) return { kind: "native", ids: request.answers.map(({ id }) => id) };
  if (!answer) return undefined;
  const isAside = answer.parts.some(({ action }) => action === "aside");
  const wishes = isAside || answer.parts.some(({ wish }) => wish !== undefined);
  return { kind: "inline", codes: answer.codes, ...(wishes ? { wishes } : {}), ...(isAside ? { isAside } : {}) };
}

/** What Toolgate runs itself is not the client's to define. */
export const pinnedTools = ({ request, managed }: TurnInput): readonly ToolDefinition[] =>
  managed ? request.tools.filter(({ name }) => !managed.names.has(name)) : request.tools;

/** Looking for it costs a walk through all messages: where a tool's result or an answer comes, and the policy asks. */
function trustMatters({ policy, conversation }: TurnInput, answer: InlineAnswer | undefined): boolean {
  if (asksForTrust(policy)) return true;
  if (policy.confirmation.typedCode !== "afterUntrusted") return false;
  return answer !== undefined || conversation.results.length > 0;
}

/** Once a user message. Only its text is looked at: what tools and models say is not what the user wants. */
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

/** From here on the offer's words are surely about the intent. */
const OFFERED_AT = 0.5;

/** Who says yes to "Shall I open a ticket?" has asked for one. Whom and what it is for must still be the user's words, where that matters. */
async function acceptedOffer(
  { detector }: JudgingDeps,
  { policy, conversation, signal }: TurnInput,
  detection: Detection | undefined,
): Promise<readonly string[]> {
  const offer = detection?.accepts ? offeredAct(conversation.previousReply ?? "") : undefined;
  if (offer === undefined) return [];
  const { intents } = await detector.detect(policy, { text: offer }, signal);
  return intents.flatMap(({ name, layer, confidence }) =>
    layer !== "fallback" && confidence >= OFFERED_AT ? [name] : [],
  );
}

/** The fallback is not among them: it is what the policy takes a message for whose words ask for nothing. */
function namesIn(detection: Detection | undefined): readonly string[] {
  return detection?.intents.flatMap(({ name, layer }) => (layer === "fallback" ? [] : [name])) ?? [];
}

/** The same request again: its calls are given again, and spend nothing. */
export function replayedCalls(turn: Turn): Ending | undefined {
  const { replay } = turn.opened;
  if (!replay) return undefined;
  // Managed calls that were made with them, where the earlier try could not keep them.
  storeExchanges(
    turn,
    replay.map(({ id }) => id),
    [],
  );
  return { kind: "answer", stopReason: "completed", step: undefined, calls: replay };
}

/** By the names that the client's own message gives the calls: whose call it was is looked at where the calls are kept. */
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

/** @returns the turn anew; undefined where there is no such other, the conversation has gone on, or UserGuard is out of reach. */
export async function openAgain(deps: TurnDeps, turn: Turn): Promise<Turn | undefined> {
  try {
    const now = await openTurn(deps, turn.input, true);
    // Another answer, or the same in other words, is a message of its own.
    return now.opened.seenBefore ? now : undefined;
  } catch (error) {
    log("warn", "turn_not_opened_again", { turn: turn.input.id, ...describeError(error) });
    return undefined;
  }
}
