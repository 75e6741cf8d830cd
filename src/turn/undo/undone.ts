/** What came of undoing a call by a tool that Toolgate runs itself, told to the user in the gateway's own words. */

import { fillWords } from "../../approvals/words/fill-words.ts";
import { wordsOf } from "../../approvals/words/words-of.ts";
import { plainLine } from "../../lib/text/visible-text.ts";
import type { KeptRun } from "../../ports/run-port.ts";
import { turnLanguage } from "../confirm/disclose-for.ts";
import type { Ending } from "../ending.ts";
import { readCommand } from "../open/read-command.ts";
import type { Turn, TurnDeps } from "../turn.ts";

/** UTF-16 units of what an executor says of a failure. */
const MAX_DETAIL = 300;

/** @param done the tool whose call was to be taken back. */
export function undoneEnding(turn: Turn, undone: readonly { readonly done: string; readonly ran: KeptRun }[]): Ending {
  const words = wordsOf(turnLanguage(turn)).runs;
  const lines = undone.map(({ done, ran }) => {
    const why = ran.outcome?.detail ? fillWords(words.why, { detail: plainLine(ran.outcome.detail, MAX_DETAIL) }) : "";
    return fillWords(words[wordFor[ran.status]], { tool: done, undo: ran.tool, why });
  });
  return {
    kind: "stop",
    stopReason: "completed",
    finishReason: "stop",
    text: `Toolgate: ${lines.join("\n")}`,
  };
}

const wordFor: Readonly<Record<KeptRun["status"], "undone" | "notUndone" | "perhapsUndone">> = {
  succeeded: "undone",
  failed: "notUndone",
  not_started: "notUndone",
  started: "perhapsUndone",
  unknown: "perhapsUndone",
};

/** The same request again, whose earlier try has undone something: that is told, and nothing else is undone. */
export async function undoResumed(
  { guard }: TurnDeps,
  turn: Turn,
  runs: readonly KeptRun[],
): Promise<Ending | undefined> {
  const { conversation, request } = turn.input;
  const mayUndo = readCommand(conversation.newMessage) === "undo" || turn.answer || request.answers;
  if (!mayUndo) return undefined;
  const calls = await Promise.all(runs.map(({ id }) => guard.calls.find(id)));
  const undone = await Promise.all(
    calls.map(async (call, index) => {
      const done = call?.undoes ? await guard.calls.find(call.undoes) : undefined;
      return done ? [{ done: done.tool, ran: runs[index] as KeptRun }] : [];
    }),
  );
  const told = undone.flat();
  return told.length > 0 && told.length === runs.length ? undoneEnding(turn, told) : undefined;
}
