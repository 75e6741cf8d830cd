/** Exchanges that the client never saw: put back where their calls' ids, or the questions about them, return. Pure. */
import { readCodes } from "../../approvals/codes.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { HiddenExchange } from "../../ports/turns-port.ts";
import { callIdsOf, textOf } from "../../wire/conversation.ts";
import type { JsonObject } from "../../wire/read-chunk.ts";
import { placeLasting } from "./lasting.ts";
import { taskStart } from "./task-messages.ts";
import { placeUnanswered } from "./unanswered.ts";

/** Anchors beside the ids of calls: no provider's id holds a space. */
const BEFORE = "before ";
const INTO = "into ";
const BEGIN = "the task's beginning";

/** Before the assistant message that asks about the call with this code. */
export const beforeFrame = (code: string): string => BEFORE + code;

/**
 * Of calls that were asked about under these codes and refused: they stand in the assistant message that asked, as if the
 * model had called there; where there is none, before the task's first message.
 */
export const intoFrame = (codes: readonly string[]): string[] => [...codes.map((code) => INTO + code), BEGIN];

interface Placed {
  readonly before: Map<JsonObject, readonly unknown[]>;
  /** Calls and their refusals, by the message that asked. */
  readonly into: Map<JsonObject, JsonObject[]>;
  /** Before the user message that the task begins with. */
  readonly begin: unknown[];
}

/**
 * The messages with each hidden exchange in its place. Only the task's own messages are looked at, but for a question that
 * the task's first message left unanswered, and for what outlasts its task. An exchange whose message the client dropped stays out.
 */
export function restoreHidden(
  policy: CompiledPolicy,
  messages: readonly JsonObject[],
  hidden: readonly HiddenExchange[],
): readonly unknown[] {
  if (hidden.length === 0) return messages;
  const lasting = placeLasting(messages, hidden);
  const start = taskStart(policy, messages);
  const task = messages.slice(start).filter(({ role }) => role === "assistant");
  const placed: Placed = { before: new Map(), into: new Map(), begin: [] };
  for (const exchange of hidden) if (exchange.lasting !== true) place(placed, messages, task, exchange);
  const unanswered = placeUnanswered(messages, hidden, toldRuns(hidden, lasting));
  return messages.flatMap((message, index): unknown[] => [
    ...(index === start - 1 ? placed.begin : []),
    ...(placed.before.get(message) ?? lasting.get(message) ?? []),
    ...withRefusals(message, placed.into.get(message)),
    ...(unanswered.get(message) ?? []),
  ]);
}

/** Of the task's own exchanges, and of the lasting ones that have their place. */
function toldRuns(
  hidden: readonly HiddenExchange[],
  lasting: ReadonlyMap<JsonObject, readonly unknown[]>,
): readonly string[] {
  const shown = new Set([...lasting.values()].flat());
  const told = hidden.filter((exchange) => exchange.lasting !== true || shown.has(exchange.messages[0]));
  return told.flatMap(({ anchors }) => anchors);
}

function place(
  placed: Placed,
  messages: readonly JsonObject[],
  task: readonly JsonObject[],
  exchange: HiddenExchange,
): void {
  const { anchors } = exchange;
  if (anchors.includes(BEGIN)) {
    const asking = messages.findLast((message) => isAsking(message, codesOf(anchors, INTO)));
    const refused = exchange.messages as readonly JsonObject[];
    if (asking) placed.into.set(asking, [...(placed.into.get(asking) ?? []), ...refused]);
    else placed.begin.push(...refused);
    return;
  }
  const codes = codesOf(anchors, BEFORE);
  const calling = messageOf(exchange, task.filter(bearsCalls));
  const asking = codes.length > 0 ? task.find((message) => isAsking(message, codes)) : undefined;
  const message = task.find((one) => one === calling || one === asking);
  // Of two for one message the last stands: the first one's calls were released, but never arrived.
  if (message) placed.before.set(message, exchange.messages);
}

const codesOf = (anchors: readonly string[], kind: string): string[] =>
  anchors.flatMap((anchor) => (anchor.startsWith(kind) ? [anchor.slice(kind.length)] : []));

function isAsking({ role, content }: JsonObject, codes: readonly string[]): boolean {
  if (role !== "assistant" || codes.length === 0) return false;
  const text = textOf(content);
  return text !== "" && readCodes(text).some((code) => codes.includes(code));
}

/** A message that bears calls already keeps them to itself: their results follow it. */
function withRefusals(message: JsonObject, refused: readonly JsonObject[] | undefined): unknown[] {
  if (!refused) return [message];
  if (bearsCalls(message)) return [...refused, message];
  const calls = refused.flatMap(({ tool_calls: made }) => (Array.isArray(made) ? made : []));
  return [{ ...message, tool_calls: calls }, ...refused.filter(({ role }) => role === "tool")];
}

/** The place that a message with calls takes which answers these messages. */
export const placeInTask = (policy: CompiledPolicy, messages: readonly JsonObject[]): number =>
  messages.slice(taskStart(policy, messages)).filter((message) => message.role === "assistant" && bearsCalls(message))
    .length;

const bearsCalls = (message: JsonObject): boolean => callIdsOf(message).length > 0;

/** By its place where the ids agree; else, where the client dropped messages, by ids that only one message bears. */
function messageOf({ anchors, place: at }: HiddenExchange, calling: readonly JsonObject[]): JsonObject | undefined {
  const bearing = calling.filter((message) => callIdsOf(message).some((id) => anchors.includes(id)));
  return bearing.find((message) => message === calling[at]) ?? (bearing.length === 1 ? bearing[0] : undefined);
}
