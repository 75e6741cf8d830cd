/**
 * The sources of values in a turn's calls: the user's messages, and the results in the conversation, each as far as the policy trusts it.
 * Pure.
 */
import { findInstructions } from "../../intent/instructions/find-instructions.ts";
import { typedWords } from "../../intent/user-message/own-words.ts";
import { userText } from "../../intent/user-message/user-text.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { type Sources, type SourceText, sourcesOf } from "../../policy/origin/sources/sources.ts";
import { isJsonText, type TaintedLookup } from "../../policy/origin/sources/tainted-values.ts";
import { hasSameFields, readTextRecords } from "../../policy/origin/sources/text-records.ts";
import { traitsOf } from "../../policy/traits.ts";
import { splitRunText } from "../../tools/run-text.ts";
import { textOf } from "../../wire/conversation.ts";
import { taintedLookup } from "../open/tainted-results.ts";
import { holdsUntrusted, resultsIn } from "../open/untrusted.ts";
import type { Turn } from "../turn.ts";

/**
 * Undefined if the conversation holds no untrusted text, and for a plan: its steps are judged by `planSources`, if its wish holds such text
 * or a result that they use is not trusted (`plan-run/step-call.ts`).
 */
export function callSources(turn: Turn, now?: number): Sources | undefined {
  const { policy, request, plan } = turn.input;
  if (plan !== undefined || (!turn.log.untrusted && !holdsUntrusted(policy, request.messages))) return undefined;
  return sourcesIn(turn, sourceTexts(turn), now);
}

/**
 * All messages, also the application's: the model made up a value that is in none of them. Undefined for an approved plan, and on `/mcp`,
 * where the user's words are unknown.
 * @param more texts outside the messages: the values that a user filled into a plan, and the results of its steps.
 */
export function conversationSources(turn: Turn, now?: number, more: readonly SourceText[] = []): Sources | undefined {
  const { request, planApproved } = turn.input;
  if (planApproved || request.messages.every(({ role }) => role !== "user")) return undefined;
  const system = request.messages.flatMap(({ role, content }): readonly SourceText[] => {
    const text = role === "system" || role === "developer" ? textOf(content) : "";
    return text === "" ? [] : [{ kind: "user", text }];
  });
  // Results of untrusted tools only echo arguments here, so they ground nothing.
  const texts = [...sourceTexts(turn), ...more].filter((one) => one.kind !== "result" || isGrounding(one));
  return sourcesIn(turn, [...system, ...texts], now);
}

const isGrounding = ({ trust, directory }: Extract<SourceText, { kind: "result" }>): boolean =>
  trust.whole || trust.fields.length > 0 || directory === true;

/**
 * For a step of a plan that takes values from results which are not trusted.
 * @param texts the plan's own texts, and the results of its steps.
 */
export const planSources = (turn: Turn, texts: readonly SourceText[], now?: number): Sources =>
  sourcesIn(turn, [...sourceTexts(turn), ...texts], now);

function sourcesIn(turn: Turn, texts: readonly SourceText[], now?: number): Sources {
  const { policy } = turn.input;
  // A policy without grants lets no user allow what they have not seen.
  const endorsed = new Set(policy.confirmation.grants.enabled ? turn.log.endorsed : []);
  const { writerOf } = taintedLookup(turn);
  const isTainted = (value: string) => writerOf(value) !== undefined;
  return sourcesOf(texts, { directory: policy.directory, endorsed, isTainted, ...(now === undefined ? {} : { now }) });
}

/** The user's messages and all results in the conversation. */
export function sourceTexts(turn: Turn): readonly SourceText[] {
  const { policy, request } = turn.input;
  const { log, opened } = turn;
  const stored = taintedLookup(turn);
  // Exchanges of calls that Toolgate ran; a client's message that claims to be one is made up.
  const own = [
    ...opened.hidden.flatMap(({ messages }) => messages as readonly JsonObject[]),
    ...log.hiddenExchanges.flat(),
  ];
  return [
    ...userTexts(policy, request.messages),
    ...resultTexts({ policy, stored, isOwn: false }, request.messages),
    ...resultTexts({ policy, stored, isOwn: true }, own),
  ];
}

/** The user's typed text, as far as marks separate it from pasted text. */
export function userTexts(policy: CompiledPolicy, messages: readonly JsonObject[]): readonly SourceText[] {
  // A budget apart from that of the calls: a long conversation must not leave them unchecked.
  const work = workBudget();
  return messages.flatMap((message) => {
    const text = message.role === "user" ? userText(policy, message.content, work) : undefined;
    return text === undefined ? [] : [{ kind: "user", text: typedWords(text), whole: text }];
  });
}

/**
 * Whether the written text can only be a value in this one. A tool that prints a written text line by line may give it the look of fields.
 */
function hasFields(text: string, { writerOf }: TaintedLookup): boolean {
  if (isJsonText(text)) return true;
  const records = readTextRecords(text);
  if (records === undefined) return false;
  const lines = text.split("\n");
  const neutral = lines.map((line) => (writerOf(line) === undefined ? line : line.replace(/\S.*/u, "written")));
  return neutral.every((line, i) => line === lines[i]) || hasSameFields(records, readTextRecords(neutral.join("\n")));
}

interface ResultSettings {
  readonly policy: CompiledPolicy;
  readonly stored: TaintedLookup;
  /** Whether these are results of tools that Toolgate runs itself. */
  readonly isOwn: boolean;
}

/** Each result in the conversation, as far as the policy trusts it. */
export function resultTexts(
  { policy, stored, isOwn }: ResultSettings,
  messages: readonly JsonObject[],
): readonly SourceText[] {
  return resultsIn(messages).flatMap(({ tool = "", callId, message }): readonly SourceText[] => {
    // The gateway's own text holds no value of a user or a third party.
    if (isOwn && tool === policy.handshake.tool) return [];
    const { trusted, trustedFields, directory } = traitsOf(policy, tool);
    const text = textOf(message.content);
    // In a text without fields it cannot be determined which part was written when.
    const isTainted = stored.isFull || (stored.writerIn(text) !== undefined && !hasFields(text, stored));
    const body = isOwn ? splitRunText(text).body : text;
    const isBelieved = tool !== "" && !isTainted && isOwn === (policy.tools.get(tool)?.run !== undefined);
    return [
      {
        kind: "result",
        tool,
        callId,
        text: body,
        trust: isBelieved ? { whole: trusted, fields: trustedFields } : { whole: false, fields: [] },
        directory: isBelieved && directory,
        ...(policy.results.instructions === "ignore" ? {} : { instruction: () => findInstructions(body) }),
      },
    ];
  });
}
