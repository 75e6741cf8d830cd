/**
 * Commands of the user to the gateway: `/toolgate status`, `reset` and `help` are answered here, without the model. `undo` is refused here
 * if questions are open; else `undo/undo-command.ts` does it. UserGuard does the reset itself, at the open.
 */

import { fillWords, type Words, wordsOf } from "../../approvals/words/words.ts";
import type { Language } from "../../lib/text/languages.ts";
import type { Reason } from "../../policy/reasons.ts";
import { type Ending, stopEnding } from "../../ports/turns/ending.ts";
import { askPeople } from "../confirm/question.ts";
import { frameOf } from "../confirm/question-frame.ts";
import { statusGuidance } from "../offer/guidance.ts";
import { factsOf, offerFor } from "../offer/offer-step.ts";
import { visibleWithheld } from "../offer/visible-withheld.ts";
import { stateOf, type Turn } from "../turn.ts";
import { updateLog } from "../turn-log.ts";
import { turnLanguage } from "./task-message.ts";
import { type Command, questionFirstText, readCommand } from "./user-message.ts";

/** The gateway's answer to a command, or undefined for any other message. */
export function answerCommand(turn: Turn, now: number): Ending | undefined {
  const command = readCommand(turn.input.conversation.newMessage);
  if (!command) return undefined;
  // Undo needs more than a text: `undo-command.ts`.
  if (command === "undo") return questionFirst(turn, now);
  if (command === "reset") updateLog(turn.log, { waiting: [] });
  return stopEnding("completed", textOf(command, turn, now));
}

/**
 * An undo command does not cancel other calls that wait: they are asked about again. If an undo waits, the command wants the same, and that
 * question answers it (`answer-waiting.ts`).
 */
function questionFirst(turn: Turn, now: number): Ending | undefined {
  const open = (turn.opened.waiting ?? []).filter(
    ({ status, usedBy }) => usedBy === null && (status === "pending" || status === "approved"),
  );
  if (turn.input.request.answers || open.every(({ undoes }) => undoes !== undefined)) return undefined;
  return askPeople(turn, open, now, { notice: questionFirstText(turnLanguage(turn)) });
}

function textOf(command: Exclude<Command, "undo">, turn: Turn, now: number): string {
  switch (command) {
    case "reset":
      return wordsOf(turnLanguage(turn)).commands.reset;
    case "status":
      return statusText(turn, now);
    case "help":
      return [helpText(turnLanguage(turn)), ...stillWaiting(turn, now)].join("\n");
  }
}

function helpText(language: Language): string {
  const { commands, frame } = wordsOf(language);
  const { yes, no, edit, always, preview, learnMore } = frame.options;
  return fillWords(commands.help.join("\n"), { yes, no, edit, always, preview, learnMore, field: frame.field });
}

/** An answer counts only if the codes are in the message before it. */
const stillWaiting = (turn: Turn, now: number): readonly string[] =>
  turn.log.waiting.length > 0 ? ["", frameOf(turn, turn.log.waiting, now, { explained: false })] : [];

/** In the user's language, with the code that the documentation explains. */
function reasonText(code: Reason["code"], { reasons }: Words["commands"]["status"]): string {
  const known: Readonly<Record<string, string>> = reasons;
  return Object.hasOwn(known, code) ? `${known[code]}: ${code}` : code;
}

function statusText(turn: Turn, now: number): string {
  const { principal, policy } = turn.input;
  const words = wordsOf(turnLanguage(turn)).commands.status;
  const offer = offerFor(turn, factsOf(turn, now));
  const way = statusGuidance(turn, offer);
  const withheld = visibleWithheld(turn, offer.withheld).map(
    ({ name, reasons }) => `${name} (${reasons.map(({ code }) => reasonText(code, words)).join(", ")})`,
  );
  const line = (name: string, value: string) => `${name}: ${value}`;
  const handshake = offer.handshake ? ` ${words.and} ${offer.handshake.name}` : "";
  return [
    `Toolgate: ${words.session} ${turn.sessionId}`,
    [
      line(words.state, words.states[stateOf(turn)]),
      line(words.intent, turn.log.intents.join(", ") || words.none),
      line(words.mode, turn.mode),
      line(words.role, principal.role),
    ].join("; "),
    line(words.detected, turn.opened.detected.join(", ") || words.nothing),
    line(words.policy, `${policy.name ?? words.unnamed} (${policy.version.slice(0, 12)})`),
    line(words.offered, `${offer.offered.map((tool) => tool.name).join(", ") || words.none}${handshake}`),
    line(words.withheld, withheld.join(", ") || words.none),
    ...(way === undefined ? [] : [way]),
    line(words.waiting, turn.log.waiting.map(({ tool, code }) => `${tool} (${code})`).join(", ") || words.none),
    ...stillWaiting(turn, now),
  ].join("\n");
}
