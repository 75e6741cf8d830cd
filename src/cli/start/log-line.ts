/** A line of the gateway's log as a person reads it beside the terminal. Pure. */
import { stripVTControlCharacters } from "node:util";

/** How the log begins each of its lines; the runtime may put a mark before those of errors. */
const START = '{"time":"';

interface Line {
  readonly time: string;
  readonly level: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

/** Any other line, as it is. */
export function readableLine(text: string): string {
  const line = readLine(text);
  if (!line) return text;
  const { time, level, event, ...fields } = line;
  // The terminal's own zone: a person compares it with a clock.
  const clock = new Date(time).toTimeString().slice(0, 8);
  const mark = level === "info" ? [] : [level];
  const words = event === "turn" ? turnWords(fields) : event === "request" ? requestWords(fields) : undefined;
  return [clock, ...mark, ...(words ?? [event, ...plainWords(fields)])].filter((word) => word !== "").join("  ");
}

function readLine(text: string): Line | undefined {
  const start = text.indexOf(START);
  if (start < 0) return undefined;
  try {
    return JSON.parse(text.slice(start)) as Line;
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

interface LoggedDecision {
  readonly tool: string;
  readonly effect: string;
  readonly reasons: readonly string[];
}

interface LoggedRun {
  readonly tool: string;
  readonly status: string;
  readonly failure?: string | null;
}

function turnWords(fields: Fields): string[] {
  const { stop_reason: stop, state_closed: state, intents, steps, offered, withheld, error, user, role } = fields;
  const decisions = (fields.decisions ?? []) as readonly LoggedDecision[];
  const held = (intents ?? []) as readonly string[];
  const { undone = [] } = (fields.runs ?? {}) as { readonly undone?: readonly LoggedRun[] };
  return [
    `turn ${stop}${error === undefined ? "" : ` (${error})`}`,
    `${user} (${role})`,
    state === undefined ? "" : [state, ...held].join(" "),
    steps === 1 ? "1 step" : `${steps} steps`,
    offered === undefined ? "" : `offered ${offered}, withheld ${withheld}`,
    decisions.map(decisionWords).join(", "),
    undone.map(undoneWords).join(", "),
    duration(fields),
  ];
}

const decisionWords = ({ tool, effect, reasons }: LoggedDecision): string =>
  reasons.length === 0 ? `${tool} ${effect}` : `${tool} ${effect} (${reasons.join(", ")})`;

/** A managed call that was allowed and did not succeed. */
const undoneWords = ({ tool, status, failure }: LoggedRun): string =>
  `${tool} ${status.replace("_", " ")}${failure == null ? "" : ` (${failure})`}`;

function requestWords(fields: Fields): string[] {
  const { method, route, status, user } = fields;
  return [`${method} ${route ?? "(no route)"} ${status}`, user === undefined ? "" : String(user), duration(fields)];
}

function duration({ ms }: Fields): string {
  const total = (ms as { readonly total?: number } | undefined)?.total;
  return total === undefined ? "" : `${total} ms`;
}

const plainWords = (fields: Fields): string[] =>
  Object.entries(fields).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );

interface WorkerOutput {
  readonly onLine: (line: string, stream: "stdout" | "stderr") => void;
  /** From now on the Worker's own log is shown. */
  readonly showLog: () => void;
  /** The lines that were not shown, for a start that fails. */
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
    showLog() {
      serving = true;
    },
    withheld: () => withheld,
  };
}
