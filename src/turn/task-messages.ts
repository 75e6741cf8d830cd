/** Where a request's current task begins. Pure. */
import { textOf, userTextIn } from "../wire/conversation.ts";
import type { JsonObject } from "../wire/read-chunk.ts";
import { readInlineAnswer } from "./inline-answer.ts";
import { readCommand } from "./read-command.ts";

/**
 * The index after the user message that the task begins with: the last one that neither answers a question of the gateway
 * nor asks it how things stand.
 */
export function taskStart(messages: readonly JsonObject[]): number {
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    if (messages[index]?.role === "user" && !goesOn(messages, index)) return index + 1;
  }
  return 0;
}

function goesOn(messages: readonly JsonObject[], index: number): boolean {
  const text = userTextIn(messages[index]?.content);
  if (readCommand(text) === "status") return true;
  const before = messages.slice(0, index).findLast(({ role }) => role !== "system" && role !== "developer");
  return before?.role === "assistant" && readInlineAnswer(textOf(before.content), text) !== undefined;
}
