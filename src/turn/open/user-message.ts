/**
 * What a user's message means to the gateway: a command, an answer to a question, or the beginning of a task. Pure. A history can be made
 * up, so UserGuard says whether calls wait under the codes of an answer.
 */

import { answerInMessage, asideInMessage, beginningOfMessage } from "../../approvals/answers/answer-in-message.ts";
import type { WrittenAnswer } from "../../approvals/answers/read-answer.ts";
import { framesIn, readAskedCodes, readCodes, wordsBeforeFrames } from "../../approvals/codes.ts";
import { fillWords, wordsOf } from "../../approvals/words/words.ts";
import { userText } from "../../intent/user-message/user-text.ts";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { type Language, languages } from "../../lib/text/languages.ts";
import { type WorkBudget, workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { MAX_ANSWER, textOf } from "../../wire/conversation.ts";

export type Command = "reset" | "status" | "undo" | "help";

const commands: ReadonlySet<string> = new Set<Command>(["reset", "status", "undo"]);

/** An unknown command is answered with the list of commands, because the model knows none of them. */
export function readCommand(message: string | undefined): Command | undefined {
  const match = /^\s*\/toolgate(?:\s+(\S+))?\s*$/i.exec(message ?? "");
  if (!match) return undefined;
  const word = match[1]?.toLowerCase() ?? "";
  return commands.has(word) ? (word as Command) : "help";
}

/** `status` and `help` change nothing. */
export function isStatusCommand(message: string | undefined): boolean {
  const command = readCommand(message);
  return command === "status" || command === "help";
}

/** The beginning of the reply to `/toolgate undo` while a question is open: the command begins no task then. */
export function questionFirstText(language: Language): string {
  const { prefix, undo } = wordsOf(language).notes;
  return fillWords(prefix, { text: undo.questionFirst });
}

/** The conversation's language may have changed since. */
const asksFirst = (reply: string | undefined): boolean =>
  reply !== undefined && languages.some((language) => reply.startsWith(questionFirstText(language)));

export interface InlineAnswer {
  /** The codes in the assistant message before. */
  readonly codes: readonly string[];
  /** The text of that message before them. */
  readonly before: string;
  readonly parts: WrittenAnswer;
}

/** @param previousReply the text of the assistant message before. */
export function readInlineAnswer(
  previousReply: string | undefined,
  message: string | undefined,
): InlineAnswer | undefined {
  if (!previousReply || message === undefined || message.length > MAX_ANSWER) return undefined;
  const codes = readCodes(previousReply);
  if (codes.length === 0) return undefined;
  const parts = answerInMessage(message, codes, framesIn(previousReply));
  return parts && { codes, before: wordsBeforeFrames(previousReply), parts };
}

/**
 * A message that answers nothing, after a question: it asks for the state of a call that was approved elsewhere, or for anything else. A
 * user who has read that a call was approved and then changes the subject is not asked again.
 */
export function readAside(previousReply: string | undefined, message: string | undefined): InlineAnswer | undefined {
  if (!previousReply || message === undefined || readCommand(message)) return undefined;
  const codes = readAskedCodes(previousReply);
  const parts = codes.length > 0 && message.length <= MAX_ANSWER ? asideInMessage(message) : undefined;
  return parts && { codes, before: wordsBeforeFrames(previousReply), parts };
}

/** The message wants a change of the call that the assistant message before it asks about ("yes, but only 100"): the task goes on. */
export const correctsQuestion = (previousReply: string | undefined, message: string | undefined): boolean =>
  previousReply !== undefined &&
  message !== undefined &&
  message.length <= MAX_ANSWER &&
  readCodes(previousReply).length > 0 &&
  beginningOfMessage(message) === "changes";

/**
 * The index after the user message that begins the task. Such a message does not answer a question of the gateway, ask it for its status,
 * request an undo while a question was open, or hold only the client's text.
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
  const text = userText(policy, messages[index]?.content, work);
  if (text === undefined || isStatusCommand(text)) return true;
  if (readCommand(text) === "undo") return asksFirst(textOf(messages[index + 1]?.content));
  let at = index - 1;
  while (at >= 0 && isSystem(messages[at])) at -= 1;
  const before = messages[at];
  return before?.role === "assistant" && readInlineAnswer(textOf(before.content), text) !== undefined;
}

/** The application's own text; the Responses API and newer models call its role `developer`. */
export const isSystem = (message: unknown): boolean =>
  isObject(message) && (message.role === "system" || message.role === "developer");
