/**
 * Why a call was refused, as a sentence for the user in the conversation's language. Records and the API have the texts of
 * `reason-texts.ts`.
 */

import { localText, policyWords, textIn } from "../../approvals/disclosure/template.ts";
import { withFullStop } from "../../approvals/disclosure/title.ts";
import { fillWords, type Words, wordsOf } from "../../approvals/words/words.ts";
import type { Language } from "../../lib/text/languages.ts";
import { durationText } from "../../lib/text/time-text.ts";
import { plainLine } from "../../lib/text/visible-text.ts";
import { MINUTE_MS, SECOND_MS } from "../../lib/time.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { list, quote } from "../../policy/reason-texts.ts";
import type { Reason } from "../../policy/reasons.ts";
import { traitsOf } from "../../policy/traits.ts";
import { policyText } from "../call/disclose-call.ts";
import { turnLanguage } from "../open/task-message.ts";
import type { Turn } from "../turn.ts";

/** A line of a reply, with the gateway's name before it. */
export const noteLine = (turn: Turn, sentence: string): string => fillWords(notesOf(turn).prefix, { text: sentence });

export const notesOf = (turn: Turn): Words["notes"] => wordsOf(turnLanguage(turn)).notes;

/** For a reason that has no sentence of its own: that the tool is not allowed. */
export function sentenceFor(turn: Turn, reason: Reason): string {
  const { lack, refused } = notesOf(turn);
  if (reason.code === "intent_forbids")
    return fillWords(lack.intent, { tool: quote(reason.tool), intents: list(reason.intents) });
  return knownSentence(turn, reason) ?? fillWords(refused, { tool: quote("tool" in reason ? reason.tool : "") });
}

/** Undefined for a reason that means nothing to a user: a tool that was not offered, or a mistake of the model. */
export function knownSentence(turn: Turn, reason: Reason): string | undefined {
  const language = turnLanguage(turn);
  const notes = notesOf(turn);
  if (!("tool" in reason)) return undefined;
  const fill = (text: string, values: Readonly<Record<string, string>> = {}) =>
    fillWords(text, { tool: quote(reason.tool), ...values });
  switch (reason.code) {
    case "rate_limited": {
      const { max, windowMs, retryAfterMs, shared } = reason;
      return fill(shared === undefined ? notes.limit.own : notes.limit.shared, {
        max: String(max),
        window: durationText(windowMs, language),
        time: waitText(retryAfterMs, language),
        group: quote(shared ?? ""),
      });
    }
    case "at_most_reached":
      return fill(notes.atMost[reason.per], { max: String(reason.max) });
    case "role_forbids":
      return fill(notes.lack.role, { role: quote(reason.role), roles: list(reason.roles) });
    case "auth_required":
      return fill(notes.lack.signIn);
    case "connection_missing":
      return linkSentence(turn, reason.connection, [reason.tool]);
    case "mode_forbids":
      return fill(notes.lack.mode, { mode: quote(reason.mode) });
    case "after_unmet":
      return fill(notes.lack.after, { tools: list(reason.after) });
    case "never_after":
      return fill(notes.lack.neverAfter, { tools: list(reason.read) });
    case "condition_denies":
      return fill(...refusal(turn.input.policy, reason, notes, language));
    case "confirmation_required":
    case "first_use":
      return fill(notes.answers.asked);
    case "approval_denied":
      return fill(notes.answers.denied);
    case "approval_expired":
      return fill(notes.answers.expired);
    case "already_undone":
      return fill(notes.answers.undone);
    default:
      return undefined;
  }
}

/** Which connection to link, by the policy's name for it, for one tool or several. */
export function linkSentence(turn: Turn, connection: string, tools: readonly string[]): string {
  const { connections } = turn.input.policy;
  const own = connections && Object.hasOwn(connections, connection) ? connections[connection] : undefined;
  const label = localText(own?.label, turnLanguage(turn));
  const shown = label === undefined ? quote(connection) : policyWords(plainLine(label, 100));
  return fillWords(notesOf(turn).lack.connection, { connection: shown, tool: list(tools) });
}

function refusal(
  policy: CompiledPolicy,
  { tool, say }: Extract<Reason, { code: "condition_denies" }>,
  { condition }: Words["notes"],
  language: Language,
): [text: string, values: Readonly<Record<string, string>>] {
  const words = conditionWords(policy, tool, say, language);
  return words.length === 0
    ? [condition.refusesAlone, {}]
    : [condition.refuses, { words: withFullStop(words.join("; "), wordsOf(language)) }];
}

/** The policy's texts for its conditions in this language, each on one line. */
export function conditionWords(
  policy: CompiledPolicy,
  tool: string,
  say: readonly string[],
  language: Language,
): readonly string[] {
  const traits = traitsOf(policy, tool);
  return say.flatMap((one) => {
    const text = textIn(policyText(traits, one), language);
    return text === undefined ? [] : [plainLine(text, 500)];
  });
}

/** Rounded up, so that trying again after it is not too early. */
function waitText(ms: number, language: Language): string {
  const unit = ms < 10 * MINUTE_MS ? SECOND_MS : MINUTE_MS;
  return durationText(Math.ceil(ms / unit) * unit, language);
}
