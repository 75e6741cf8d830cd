/** What to show of the development server's output: the worker's own lines, warnings and errors. */
import { stripVTControlCharacters } from "node:util";
import { readableLine } from "./log-line.ts";

const readyLine = /^\[wrangler:info\] Ready on /;
const chatter =
  /^(\[wrangler:info\] |⎔ |🪵|Using secrets defined in |▲ \[WARNING\] Scheduled Workers |\s+To manually trigger a scheduled |\s+curl .*\/scheduled"$|\s+For more details, see .*cron-triggers|\s*$)/u;

export interface WorkerOutput {
  readonly onLine: (line: string, stream: "stdout" | "stderr") => void;
  /** All that was not shown, for when the start fails. */
  readonly withheld: () => readonly string[];
}

/** Up to the line that says that it listens, stdout is wrangler's alone. */
export function workerOutput(show: (line: string, stream: "stdout" | "stderr") => void): WorkerOutput {
  let listening = false;
  const withheld: string[] = [];
  return {
    onLine(raw, stream) {
      // Errors are coloured whatever the environment says.
      const line = stripVTControlCharacters(raw);
      const shown = (listening || stream === "stderr") && !chatter.test(line);
      if (shown) show(readableLine(line), stream);
      else if (!listening) withheld.push(line);
      listening ||= readyLine.test(line);
    },
    withheld: () => withheld,
  };
}
