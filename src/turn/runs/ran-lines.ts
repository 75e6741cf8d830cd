/** What came of the managed calls that were just approved, where others still wait: the model tells of all only after those. */
import { fillWords } from "../../approvals/words/fill-words.ts";
import { wordsOf } from "../../approvals/words/words-of.ts";
import type { RunStatus } from "../../tools/run.ts";
import { turnLanguage } from "../confirm/disclose-for.ts";
import type { Turn } from "../turn.ts";

/** @returns "" where nothing was answered, or nothing was run on it. */
export function ranLines(turn: Turn): string {
  if ((!turn.answer && !turn.input.request.answers) || turn.log.runs.length === 0) return "";
  const words = wordsOf(turnLanguage(turn)).runs;
  const lines = turn.log.runs.map(({ tool, status }) => fillWords(words[wordFor[status]], { tool }));
  return `Toolgate: ${lines.join("  \n")}`;
}

const wordFor: Readonly<Record<RunStatus, "done" | "notDone" | "perhapsDone">> = {
  succeeded: "done",
  failed: "notDone",
  not_started: "notDone",
  started: "perhapsDone",
  unknown: "perhapsDone",
};
