/** Where a request's current task begins. Pure. */
import { type WorkBudget, workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { textOf } from "../../wire/conversation.ts";
import type { JsonObject } from "../../wire/read-chunk.ts";
import { readInlineAnswer } from "../confirm/inline-answer.ts";
import { ownWords } from "../open/own-words.ts";
import { onlyAsks, QUESTION_FIRST, readCommand } from "../open/read-command.ts";

/**
 * The index after the user message that the task begins with: the last one that neither answers a question of the gateway
 * nor asks it how things stand, nor wanted something undone while a question was open, nor holds the client's words alone.
 */
export function taskStart(
  policy: CompiledPolicy,
  messages: readonly JsonObject[],
  // Not that of the calls: a long conversation must not leave them unchecked.
  work = workBudget(),
): number {
  const known = starts.get(messages);
  if (known !== undefined) return known;
  let start = messages.length;
  while (start > 0 && (messages[start - 1]?.role !== "user" || goesOn(policy, messages, start - 1, work))) start -= 1;
  starts.set(messages, start);
  return start;
}

/** Asked for several times in a request, and a history may be long: messages are not changed. */
const starts = new WeakMap<readonly JsonObject[], number>();

function goesOn(policy: CompiledPolicy, messages: readonly JsonObject[], index: number, work: WorkBudget): boolean {
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
