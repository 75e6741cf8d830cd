/** Exchanges that the client never saw: put back where their calls' ids return. Pure. */
import { callIdsOf } from "../wire/conversation.ts";
import type { JsonObject } from "../wire/read-chunk.ts";
import type { HiddenExchange } from "./guard-port.ts";

/**
 * The messages with each hidden exchange before the assistant message that bears one of its ids. Only the task's own
 * messages are looked at, those after the last user message. An exchange whose message the client dropped stays out.
 */
export function restoreHidden(messages: readonly JsonObject[], hidden: readonly HiddenExchange[]): readonly unknown[] {
  if (hidden.length === 0) return messages;
  const calling = callingMessages(messages);
  const before = new Map<JsonObject, readonly unknown[]>();
  for (const exchange of hidden) {
    const message = messageOf(exchange, calling);
    // Of two for one message the last stands: the first one's calls were released, but never arrived.
    if (message) before.set(message, exchange.messages);
  }
  return messages.flatMap((message): unknown[] => [...(before.get(message) ?? []), message]);
}

/** The place that a message with calls takes which answers these messages. */
export const placeInTask = (messages: readonly JsonObject[]): number => callingMessages(messages).length;

/** The assistant messages with calls of the current task. */
function callingMessages(messages: readonly JsonObject[]): JsonObject[] {
  const task = messages.findLastIndex((message) => message.role === "user") + 1;
  return messages.slice(task).filter((message) => message.role === "assistant" && callIdsOf(message).length > 0);
}

/** By its place where the ids agree; else, where the client dropped messages, by ids that only one message bears. */
function messageOf({ anchors, place }: HiddenExchange, calling: readonly JsonObject[]): JsonObject | undefined {
  const bearing = calling.filter((message) => callIdsOf(message).some((id) => anchors.includes(id)));
  return bearing.find((message) => message === calling[place]) ?? (bearing.length === 1 ? bearing[0] : undefined);
}
