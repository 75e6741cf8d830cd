/**
 * The gateway's own lines in a reply about calls: those that run unasked, if the policy wants a line for each, and those that were
 * cancelled or run on an answer.
 */

import { unconfirmedLine } from "../../approvals/disclosure/title.ts";
import { fillWords, wordsOf } from "../../approvals/words/words.ts";
import { redactArguments } from "../../lib/redact.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { Reply } from "../../ports/reply-port.ts";
import type { RunStatus } from "../../tools/run.ts";
import { discloseFor } from "../call/disclose-call.ts";
import { turnLanguage } from "../open/task-message.ts";
import type { Arguments } from "../step/read-arguments.ts";
import type { VettedCall } from "../step/vetted-call.ts";
import type { Turn } from "../turn.ts";
import { updateLog } from "../turn-log.ts";

/** @returns "" if there is nothing to report. */
export function unconfirmedLines(turn: Turn, calls: readonly VettedCall[]): string {
  const { policy, request } = turn.input;
  if (!policy.confirmation.discloseUnasked || request.jsonMode) return "";
  return calls
    .filter(({ answered }) => !answered)
    .map(({ modelCall, vettedArguments: args }) => {
      const traits = traitsOf(policy, modelCall.name);
      const shown = redactArguments(JSON.parse(args) as Arguments, traits.redact);
      const disclosure = discloseFor(turn, traits, []);
      return unconfirmedLine({ disclosure, args: shown }, disclosure.language);
    })
    .join("  \n");
}

/** Before the calls run; in a reply that is sent whole, before the answer. Changes the turn. */
export function showUnconfirmed(turn: Turn, reply: Pick<Reply, "say">, calls: readonly VettedCall[]): void {
  say(turn, reply, unconfirmedLines(turn, calls));
}

/** Writes that a call was cancelled, before the model's text. Changes the turn. */
export function sendNotice(turn: Turn, reply: Pick<Reply, "say">): void {
  const { notice } = turn.log;
  updateLog(turn.log, { notice: "" });
  say(turn, reply, notice);
}

function say(turn: Turn, reply: Pick<Reply, "say">, lines: string): void {
  if (lines === "") return;
  const { text, preface } = turn.log;
  const { stream } = turn.input.request;
  const before = stream ? text : preface;
  const words = `${before === "" ? "" : "\n\n"}${lines}`;
  updateLog(turn.log, stream ? { text: text + words } : { preface: preface + words });
  reply.say(words);
}

/** @returns "" if nothing was answered, or nothing was run on the answer. */
export function ranLines(turn: Turn): string {
  if ((!turn.answer && !turn.input.request.answers) || turn.log.runs.length === 0) return "";
  const words = wordsOf(turnLanguage(turn)).runs;
  const lines = turn.log.runs.map(({ tool, status }) =>
    fillWords(byOutcome(status, [words.done, words.notDone, words.perhapsDone]), { tool }),
  );
  return `Toolgate: ${lines.join("  \n")}`;
}

/** The text for a run that was done, for one that was not, or for one with an unknown outcome. */
export function byOutcome(
  status: RunStatus,
  [done, notDone, perhaps]: readonly [done: string, notDone: string, perhaps: string],
): string {
  if (status === "succeeded") return done;
  return status === "failed" || status === "not_started" ? notDone : perhaps;
}
