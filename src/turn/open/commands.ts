/**
 * What a user writes to the gateway itself: `/toolgate status`, `reset` and `help` are answered here, without the model. `undo` is
 * refused here where questions are open; else `undo/undo-command.ts` does it. The reset itself happens in UserGuard, at the open.
 */

import type { Ending } from "../../ports/turns/ending.ts";
import { askPeople, frameOf } from "../confirm/question.ts";
import { factsOf, offerFor } from "../offer/offer-step.ts";
import { visibleWithheld } from "../offer/visible-withheld.ts";
import { wayForward } from "../offer/way-forward.ts";
import { stateOf, type Turn } from "../turn.ts";
import { recordWaiting } from "../turn-log.ts";
import { type Command, QUESTION_FIRST, readCommand } from "./user-message.ts";

/** The gateway's answer to a command, or undefined for any other message. */
export function answerCommand(turn: Turn, now: number): Ending | undefined {
  const command = readCommand(turn.input.conversation.newMessage);
  if (!command) return undefined;
  // Undoing takes more than an answer: `undo-command.ts`.
  if (command === "undo") return questionFirst(turn, now);
  if (command === "reset") recordWaiting(turn.log, []);
  return { kind: "stop", stopReason: "completed", finishReason: "stop", text: textOf(command, turn, now) };
}

/**
 * What waits is not cancelled by who wants something else taken back: it is asked again. Where it is an undo that waits,
 * the same is wanted, and that question is as good an answer (`answer-waiting.ts`).
 */
function questionFirst(turn: Turn, now: number): Ending | undefined {
  const open = (turn.opened.waiting ?? []).filter(
    ({ status, settledBy }) => settledBy === null && (status === "pending" || status === "approved"),
  );
  if (turn.input.request.answers || open.every(({ undoes }) => undoes !== undefined)) return undefined;
  return askPeople(turn, open, now, { said: QUESTION_FIRST });
}

function textOf(command: Exclude<Command, "undo">, turn: Turn, now: number): string {
  switch (command) {
    case "reset":
      return "Toolgate: the session is reset. No intent is held, no call waits, and the mode is the default.";
    case "status":
      return statusText(turn, now);
    case "help":
      return [HELP, ...stillWaiting(turn, now)].join("\n");
  }
}

const HELP = [
  "Toolgate: write one of these, alone in a message:",
  "- `/toolgate status` tells where you stand: intent, mode, and which tools are offered or withheld, and why",
  "- `/toolgate undo` takes back the last call that can be undone",
  "- `/toolgate reset` begins anew: no intent is held, and no call waits",
  "",
  "A question is answered by `yes` or `no` (`no: why`); with its code (`yes K7QF`) where several wait, or it says so.",
  "`edit field=value` changes a value first; `always` allows what comes later too; `preview` shows everything; `learn more` tells",
  "about the tool; anything else cancels the call.",
].join("\n");

/** The answer to it counts only where the codes stand in the message before. */
const stillWaiting = (turn: Turn, now: number): readonly string[] =>
  turn.log.waiting.length > 0 ? ["", frameOf(turn, turn.log.waiting, now, { explained: false })] : [];

function statusText(turn: Turn, now: number): string {
  const { principal, policy } = turn.input;
  const offer = offerFor(turn, factsOf(turn, now));
  const way = wayForward(turn, offer);
  const withheld = visibleWithheld(turn, offer.withheld).map(
    ({ name, reasons }) => `${name} (${reasons.map((reason) => reason.code).join(", ")})`,
  );
  return [
    `Toolgate: session ${turn.sessionId}`,
    `state: ${stateOf(turn)}; intent: ${turn.log.intents.join(", ") || "none"}; mode: ${turn.mode}; role: ${principal.role}`,
    `detected: ${turn.opened.detected.join(", ") || "nothing"}`,
    `policy: ${policy.name ?? "unnamed"} (${policy.version.slice(0, 12)})`,
    `offered: ${offer.offered.map((tool) => tool.name).join(", ") || "none"}${offer.handshake ? `, and ${offer.handshake.name}` : ""}`,
    `withheld: ${withheld.join(", ") || "none"}`,
    ...(way === undefined ? [] : [way]),
    `waiting: ${turn.log.waiting.map(({ tool, code }) => `${tool} (${code})`).join(", ") || "none"}`,
    ...stillWaiting(turn, now),
  ].join("\n");
}
