/** The user's words that a task began with, and their language: questions and notices are written in it. Pure. */

import { readAnswer } from "../../approvals/answers/read-answer.ts";
import { refusalIn, refusesTool } from "../../approvals/answers/refusal.ts";
import type { Language } from "../../approvals/disclosure/disclosed.ts";
import { surelyIn } from "../../approvals/words/language.ts";
import { asksBack } from "../../intent/wish/asks-back.ts";
import { asksForNothing, wantsNoChange } from "../../intent/wish/asks-for-nothing.ts";
import { asksOnlyToRead } from "../../intent/wish/asks-only-to-read.ts";
import { continuationOf } from "../../intent/wish/continues.ts";
import { namedActs } from "../../intent/wish/named-acts.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { once } from "../../lib/once.ts";
import { workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { MessageFacts } from "../../policy/facts.ts";
import type { UserActs } from "../../policy/origin/origin-types.ts";
import { textOf } from "../../wire/conversation.ts";
import type { Turn } from "../turn.ts";
import { ownWords, readCommand, taskStart } from "./user-message.ts";

/** The language of the message that the task began with: "ok" is no language, and `/toolgate undo` is none either. */
export function turnLanguage({ input }: Turn): Language {
  const { language } = input.policy.confirmation;
  if (language !== "auto") return language;
  const { policy, request } = input;
  const certain = surelyIn(lastWords(policy, request.messages));
  return certain ?? earlierLanguage(policy, request.messages) ?? "en";
}

/** Messages of the user that are looked back at where the last one is too short to tell. */
const MAX_EARLIER = 4;

function earlierLanguage(policy: CompiledPolicy, messages: readonly JsonObject[]): Language | undefined {
  const work = workBudget();
  let left = MAX_EARLIER;
  for (let at = taskStart(policy, messages, work) - 2; at >= 0 && left > 0; at -= 1) {
    if (messages[at]?.role !== "user") continue;
    left -= 1;
    const language = surelyIn(ownWords(policy, messages[at]?.content, work) ?? "");
    if (language !== undefined) return language;
  }
  return undefined;
}

/** UTF-16 units: enough to know the task again by. */
const MAX_WORDS = 600;

/** The user's words that the task began with; undefined where there are none. */
export function taskWords({ input }: Turn): string | undefined {
  const words = lastWords(input.policy, input.request.messages).trim();
  if (words === "") return undefined;
  return words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS).toWellFormed()} …` : words;
}

/** The message that the task began with, and the assistant's message before it. */
export function taskMessage({ input: { policy, request } }: Turn): {
  readonly words: string | undefined;
  readonly assistant: string | undefined;
} {
  const at = taskStart(policy, request.messages) - 1;
  const before = request.messages.slice(0, Math.max(0, at)).findLast(({ role }) => role === "assistant");
  const words = ownWords(policy, request.messages[at]?.content, workBudget());
  return { words, assistant: textOf(before?.content) || undefined };
}

/** Whether the user's message asks for nothing to be done, or their last one refuses. Who approved a plan has requested its calls. */
export const requestsNothing = (turn: Turn): boolean =>
  lastRefusal(turn)?.refusal === "all" || judgesTask(turn, asksForNothing);

interface WrittenRefusal {
  readonly refusal: NonNullable<ReturnType<typeof refusalIn>>;
  readonly words: string;
}

/**
 * That of the last message of the user, also where it answers a question that the assistant made up: a model could else let its user say
 * no to nothing.
 */
function lastRefusal({ input: { policy, request, planApproved } }: Turn): WrittenRefusal | undefined {
  if (planApproved) return undefined;
  const { messages } = request;
  const work = workBudget();
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const words = messages[at]?.role === "user" ? ownWords(policy, messages[at]?.content, work) : undefined;
    if (words === undefined || readCommand(words) !== undefined) continue;
    const assistant = messages.slice(0, at).findLast(({ role }) => role === "assistant");
    // A message of calls alone may be refused as well: "leave it alone".
    const refusal = refusalIn(words, assistant && textOf(assistant.content));
    return refusal && { refusal, words };
  }
  return undefined;
}

/** Whether the user's last message refuses what a tool does. */
export function refusedTools(turn: Turn): MessageFacts["refuses"] {
  const refusal = once(() => lastRefusal(turn));
  return (tool, description) => {
    const last = refusal();
    return last !== undefined && refusesTool(last.refusal, last.words, tool, description);
  };
}

/** Whether it asks how one does something, or says not to do anything. */
export const isNoChangeWanted = (turn: Turn): boolean => judgesTask(turn, wantsNoChange);

/** Whether it asks to look at something, and for nothing else. */
export const isOnlyReading = (turn: Turn): boolean => judgesTask(turn, asksOnlyToRead);

/** Whether it only asks something back: "which one?". */
export const isAskingBack = (turn: Turn): boolean => judgesTask(turn, asksBack);

/** From this probability of a go-ahead on: "go on then". */
const AGREES_AT = 0.5;
/** UTF-16 units at the end of the assistant's message in which it asks. */
const QUESTION_AT_END = 160;

/** Whether it may agree to what the assistant has asked. */
export const mayAgree = (turn: Turn): boolean =>
  judgesTask(turn, (text, assistant) => {
    if (assistant === undefined || !/[?？]/.test(assistant.slice(-QUESTION_AT_END))) return false;
    const isYes = readAnswer(text)?.every(({ action }) => action === "approve") === true;
    return isYes || continuationOf({ assistant, text }).accepts >= AGREES_AT;
  });

const NO_ACTS: UserActs = { wanted: new Set(), refused: new Set() };

/** The acts that it names. */
export function taskActs(turn: Turn): UserActs {
  const words = turn.input.plan === undefined ? taskMessage(turn).words : undefined;
  return words === undefined ? NO_ACTS : namedActs(words);
}

function judgesTask(turn: Turn, judge: typeof asksForNothing): boolean {
  if (turn.input.planApproved) return false;
  const { words, assistant } = taskMessage(turn);
  return words !== undefined && judge(words, assistant);
}

/** So many `/toolgate undo` in a row are looked past; each may cost a walk through a long history. */
const MAX_COMMANDS = 8;

function lastWords(policy: CompiledPolicy, messages: readonly JsonObject[]): string {
  const work = workBudget();
  const wordsAt = (index: number) => ownWords(policy, messages[index]?.content, work) ?? "";
  let at = taskStart(policy, messages, work) - 1;
  const last = wordsAt(at);
  let text = last;
  for (let passed = 0; passed < MAX_COMMANDS && at > 0 && readCommand(text) !== undefined; passed += 1) {
    at = taskStart(policy, messages.slice(0, at), work) - 1;
    text = wordsAt(at);
  }
  return text === "" ? last : text;
}
