/** What a person must know of a call in this turn. */
import type { Disclosure, Language, UndoneCall } from "../../approvals/disclosure/disclosed.ts";
import { discloseCall } from "../../approvals/disclosure/disclosure.ts";
import { languageOf } from "../../approvals/language.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { Reason } from "../../policy/reasons.ts";
import { type ToolTraits, traitsOf } from "../../policy/traits.ts";
import { ownWords, taskStart } from "../history/task-start.ts";
import { readCommand } from "../open/read-command.ts";
import type { Turn } from "../turn.ts";

/** @param undoes the call that it takes back. */
export function discloseFor(
  turn: Turn,
  traits: ToolTraits,
  reasons: readonly Reason[],
  undoes?: UndoneCall,
): Disclosure {
  return discloseCall({
    traits,
    schema: schemaOf(turn, traits.name),
    language: turnLanguage(turn),
    suspicious: reasons.find((reason) => reason.code === "arguments_suspicious"),
    undoes,
    persistsGate: turn.input.policy.gates.persistApprovals,
  });
}

/** The policy's, else that of the definition; null where there is none. */
export function schemaOf({ input, tools }: Turn, tool: string): unknown {
  const { policy } = input;
  return traitsOf(policy, tool).parameters ?? tools.find(({ name }) => name === tool)?.parameters ?? null;
}

/** That of the message that the task began with: "ok" is no language, and `/toolgate undo` is none either. */
export function turnLanguage({ input }: Turn): Language {
  const { language } = input.policy.confirmation;
  if (language !== "auto") return language;
  return languageOf(language, lastWords(input.policy, input.request.messages));
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
