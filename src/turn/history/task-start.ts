/** Where a request's current task begins, and what the user's own words are. Pure. */
import { userTextOf } from "../../intent/lexical/user-text.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { type WorkBudget, workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { textOf } from "../../wire/conversation.ts";
import { userWordsIn } from "../../wire/user-words.ts";
import { readInlineAnswer } from "../confirm/inline-answer.ts";
import { onlyAsks, QUESTION_FIRST, readCommand } from "../open/read-command.ts";

/** The user's own words in a message's content. @returns undefined where the message holds only the client's words. */
export function ownWords(policy: CompiledPolicy, content: unknown, work: WorkBudget): string | undefined {
  const words = userWordsIn(content);
  return words === undefined ? undefined : userTextOf(policy, words, work);
}

/**
 * The index after the user message that the task begins with. Not one that answers a question of the gateway, asks it for
 * its status, wanted an undo while a question was open, or holds only the client's words.
 */
export function taskStart(
  policy: CompiledPolicy,
  messages: readonly JsonObject[],
  // A budget of its own: a long conversation must not leave the calls unchecked.
  work = workBudget(),
): number {
  const known = starts.get(messages);
  if (known !== undefined) return known;
  let start = messages.length;
  while (start > 0 && (messages[start - 1]?.role !== "user" || continuesTask(policy, messages, start - 1, work)))
    start -= 1;
  starts.set(messages, start);
  return start;
}

/** Each step of a turn asks, and a history may be long. Messages never change. */
const starts = new WeakMap<readonly JsonObject[], number>();

function continuesTask(
  policy: CompiledPolicy,
  messages: readonly JsonObject[],
  index: number,
  work: WorkBudget,
): boolean {
  const text = ownWords(policy, messages[index]?.content, work);
  if (text === undefined || onlyAsks(text)) return true;
  if (readCommand(text) === "undo") return textOf(messages[index + 1]?.content)?.startsWith(QUESTION_FIRST) === true;
  let at = index - 1;
  while (at >= 0 && isSystem(messages[at])) at -= 1;
  const before = messages[at];
  return before?.role === "assistant" && readInlineAnswer(textOf(before.content), text) !== undefined;
}

const isSystem = (message: JsonObject | undefined): boolean =>
  message?.role === "system" || message?.role === "developer";
