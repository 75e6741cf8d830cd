/** The user's words that a task began with, and their language: questions and notices are written in it. Pure. */
import type { Language } from "../../approvals/disclosure/disclosed.ts";
import { languageOf } from "../../approvals/words/words.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { Turn } from "../turn.ts";
import { ownWords, readCommand, taskStart } from "./user-message.ts";

/** The language of the message that the task began with: "ok" is no language, and `/toolgate undo` is none either. */
export function turnLanguage({ input }: Turn): Language {
  const { language } = input.policy.confirmation;
  if (language !== "auto") return language;
  return languageOf(language, lastWords(input.policy, input.request.messages));
}

/** UTF-16 units: enough to know the task again by. */
const MAX_WORDS = 600;

/** The user's words that the task began with; undefined where there are none. */
export function taskWords({ input }: Turn): string | undefined {
  const words = lastWords(input.policy, input.request.messages).trim();
  if (words === "") return undefined;
  return words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS).toWellFormed()} …` : words;
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
