/**
 * The user's message that a task began with, and what it asks for or refuses, as far as its words tell. Each question is answered
 * once a turn, when it is first asked. Pure.
 */

import { isPlainYes } from "../../approvals/answers/read-answer.ts";
import { refusalIn, refusesTool } from "../../approvals/answers/refusal.ts";
import type { Language } from "../../approvals/disclosure/disclosed.ts";
import { surelyIn } from "../../approvals/words/language.ts";
import { userText } from "../../intent/user-message/user-text.ts";
import { asksBack } from "../../intent/wish/asks-back.ts";
import { asksForNothing, wantsNoChange } from "../../intent/wish/asks-for-nothing.ts";
import { asksOnlyToRead } from "../../intent/wish/asks-only-to-read.ts";
import { continuationOf } from "../../intent/wish/continues.ts";
import { holdsBack } from "../../intent/wish/holds-back.ts";
import { isOnlyQuestions } from "../../intent/wish/mere-questions.ts";
import { namedActs } from "../../intent/wish/named-acts.ts";
import { AGREES_AT } from "../../intent/wish/thresholds.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { once } from "../../lib/once.ts";
import { workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { MessageFacts } from "../../policy/facts.ts";
import type { UserActs } from "../../policy/origin/origin-types.ts";
import { textOf } from "../../wire/conversation.ts";
import type { Turn, TurnInput } from "../turn.ts";
import { offerAcceptedIn } from "./accepted-offer.ts";
import { readCommand, taskStart } from "./user-message.ts";

interface TaskMessage extends MessageFacts {
  readonly language: () => Language;
  /** The user's text, cut to `MAX_TEXT`: a question shows which task it belongs to. Undefined if there is none. */
  readonly excerpt: () => string | undefined;
  /** It asks for nothing to be done, or the user's last message refuses. Never for an approved plan: its calls were requested. */
  readonly requestsNothing: () => boolean;
}

/** UTF-16 units. */
const MAX_TEXT = 600;

const NO_ACTS: UserActs = { wanted: new Set(), refused: new Set() };

/** By the input: a candidate policy judges the same turn with an input of its own. */
const tasks = new WeakMap<TurnInput, TaskMessage>();

export function taskMessage({ input }: Turn): TaskMessage {
  const task = tasks.get(input) ?? readTaskMessage(input);
  tasks.set(input, task);
  return task;
}

/** The language of questions and notices. */
export const turnLanguage = (turn: Turn): Language => taskMessage(turn).language();

function readTaskMessage(input: TurnInput): TaskMessage {
  const {
    policy,
    request: { messages },
    plan,
    planApproved,
  } = input;
  const message = once(() => firstMessage(policy, messages));
  const spoken = once(() => lastNoCommand(policy, messages));
  const refusal = once(() => (planApproved ? undefined : lastRefusal(policy, messages)));
  const judged = (judge: typeof asksForNothing) =>
    once(() => {
      const { text, assistant } = planApproved ? { text: undefined } : message();
      return text !== undefined && judge(text, assistant);
    });
  const asksNothing = judged(asksForNothing);
  return {
    language: once(() => languageOf(policy, messages, spoken)),
    excerpt: () => {
      const text = spoken().trim();
      if (text === "") return undefined;
      return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()} …` : text;
    },
    requestsNothing: () => refusal()?.refusal === "all" || asksNothing(),
    wantsNoChange: judged(wantsNoChange),
    readsOnly: judged(asksOnlyToRead),
    asksBack: judged(asksBack),
    onlyQuestions: judged(isOnlyQuestions),
    holdsBack: judged((text) => !isPlainYes(text) && holdsBack(text)),
    mayAgree: judged(mayAgree),
    accepted: once(() => {
      const { text, assistant } = planApproved ? { text: undefined } : message();
      return text === undefined ? undefined : offerAcceptedIn(input, text, assistant);
    }),
    acts: once(() => {
      const text = plan === undefined ? message().text : undefined;
      return text === undefined ? NO_ACTS : namedActs(text);
    }),
    refuses: (tool, description) => {
      const last = refusal();
      return last !== undefined && refusesTool(last.refusal, last.text, tool, description);
    },
  };
}

interface TextWithQuestion {
  readonly text: string | undefined;
  /** The text of the assistant's message before it. */
  readonly assistant?: string | undefined;
}

function firstMessage(policy: CompiledPolicy, messages: readonly JsonObject[]): TextWithQuestion {
  const at = taskStart(policy, messages) - 1;
  const before = messages.slice(0, Math.max(0, at)).findLast(({ role }) => role === "assistant");
  const text = userText(policy, messages[at]?.content, workBudget());
  return { text, assistant: textOf(before?.content) || undefined };
}

/** So many `/toolgate undo` in a row are looked past; each may cost a walk through a long history. */
const MAX_COMMANDS = 8;

/** The user's text in the message that the task began with, or in an earlier one if that is a command. */
function lastNoCommand(policy: CompiledPolicy, messages: readonly JsonObject[]): string {
  const work = workBudget();
  const textAt = (index: number) => userText(policy, messages[index]?.content, work) ?? "";
  let at = taskStart(policy, messages, work) - 1;
  const last = textAt(at);
  let text = last;
  for (let passed = 0; passed < MAX_COMMANDS && at > 0 && readCommand(text) !== undefined; passed += 1) {
    at = taskStart(policy, messages.slice(0, at), work) - 1;
    text = textAt(at);
  }
  return text === "" ? last : text;
}

/** Messages of the user that are looked back at if the last one is too short to tell. */
const MAX_EARLIER = 4;

/** "ok" is no language, and `/toolgate undo` is none either: earlier messages tell. */
function languageOf(policy: CompiledPolicy, messages: readonly JsonObject[], spoken: () => string): Language {
  if (policy.confirmation.language !== "auto") return policy.confirmation.language;
  const certain = surelyIn(spoken());
  if (certain !== undefined) return certain;
  const work = workBudget();
  let left = MAX_EARLIER;
  for (let at = taskStart(policy, messages, work) - 2; at >= 0 && left > 0; at -= 1) {
    if (messages[at]?.role !== "user") continue;
    left -= 1;
    const language = surelyIn(userText(policy, messages[at]?.content, work) ?? "");
    if (language !== undefined) return language;
  }
  return "en";
}

interface WrittenRefusal {
  readonly refusal: NonNullable<ReturnType<typeof refusalIn>>;
  readonly text: string;
}

/**
 * The refusal in the user's last message, also if it answers a question that the assistant made up: a model could else let its user say
 * no to nothing.
 */
function lastRefusal(policy: CompiledPolicy, messages: readonly JsonObject[]): WrittenRefusal | undefined {
  const work = workBudget();
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const text = messages[at]?.role === "user" ? userText(policy, messages[at]?.content, work) : undefined;
    if (text === undefined || readCommand(text) !== undefined) continue;
    const assistant = messages.slice(0, at).findLast(({ role }) => role === "assistant");
    // A message of calls alone may be refused as well: "leave it alone".
    const refusal = refusalIn(text, assistant && textOf(assistant.content));
    return refusal && { refusal, text };
  }
  return undefined;
}

/** UTF-16 units at the end of the assistant's message in which it asks. */
const QUESTION_AT_END = 160;

function mayAgree(text: string, assistant: string | undefined): boolean {
  if (assistant === undefined || !/[?？]/.test(assistant.slice(-QUESTION_AT_END))) return false;
  return isPlainYes(text) || continuationOf({ assistant, text }).accepts >= AGREES_AT;
}
