/** Two JSON values compared line by line, as people read them. Pure. */
import { diff } from "node:util";

interface Line {
  readonly mark: "-" | "+" | " ";
  readonly text: string;
}

/** Lines around a difference that are told with it. */
const CONTEXT = 3;

/** Every line of both, marked where it stands in one of them alone. */
export const lineDifferences = (before: unknown, after: unknown): string[] => marked(before, after).map(told);

/** The differences with what is around them; `…` where lines that are the same are left out. None: no difference. */
export function lineHunks(before: unknown, after: unknown): string[] {
  const lines = marked(before, after);
  const near = new Set<number>();
  for (const [index, { mark }] of lines.entries()) {
    if (mark !== " ") for (let at = index - CONTEXT; at <= index + CONTEXT; at++) near.add(at);
  }
  const out: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (!near.has(index)) continue;
    if (!near.has(index - 1) && index > 0) out.push("  …");
    out.push(told(line));
  }
  return out;
}

const marks = { "-1": "-", "0": " ", "1": "+" } as const;

function marked(before: unknown, after: unknown): Line[] {
  const lines = diff(linesOf(after), linesOf(before)).map(([operation, text]) => ({
    mark: marks[String(operation) as keyof typeof marks],
    text,
  }));
  return removedFirst(lines);
}

/** Of lines that change together, those that go stand before those that come. */
function removedFirst(lines: readonly Line[]): Line[] {
  const out: Line[] = [];
  let added: Line[] = [];
  for (const line of lines) {
    if (line.mark === "+") {
      added.push(line);
      continue;
    }
    if (line.mark === " ") {
      out.push(...added);
      added = [];
    }
    out.push(line);
  }
  return [...out, ...added];
}

const told = ({ mark, text }: Line): string => `${mark} ${text}`;
const linesOf = (value: unknown): string[] => JSON.stringify(value, null, 2).split("\n");
