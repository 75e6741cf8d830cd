/** What to show of the runtime's output. */
import { stripVTControlCharacters } from "node:util";
import { readableLine } from "./log-line.ts";

export interface WorkerOutput {
  readonly onLine: (line: string, stream: "stdout" | "stderr") => void;
  /** From now on the Worker's own log is shown. */
  readonly serves: () => void;
  /** All that was not shown, for when the start fails. */
  readonly withheld: () => readonly string[];
}

/** Until the Worker serves, only errors are shown. */
export function workerOutput(show: (line: string, stream: "stdout" | "stderr") => void): WorkerOutput {
  let serving = false;
  const withheld: string[] = [];
  return {
    onLine(raw, stream) {
      // Errors are coloured whatever the environment says.
      const line = stripVTControlCharacters(raw);
      if (line.trim() === "") return;
      if (serving || stream === "stderr") show(readableLine(line), stream);
      else withheld.push(line);
    },
    serves() {
      serving = true;
    },
    withheld: () => withheld,
  };
}
