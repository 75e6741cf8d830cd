/** Two texts compared line by line, in bounded work (Myers, from both ends inwards). Pure. */

export interface ComparedLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/**
 * Lines that only one text has. With more, everything between the common beginning and end counts as removed and added: few
 * more could be shown, and the work grows with their square (1,000 took 8 ms).
 */
const MAX_DIFFERENCES = 400;

/** Every line of both, in order; in a block of changes removed lines come before added ones. */
export function compareLines(before: readonly string[], after: readonly string[]): ComparedLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const middle = removedFirst(
    compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
  );
  return [...linesOf("same", before.slice(0, start)), ...middle, ...linesOf("same", before.slice(before.length - end))];
}

const linesOf = (kind: ComparedLine["kind"], lines: readonly string[]): ComparedLine[] =>
  lines.map((text) => ({ kind, text }));

function compareMiddle(before: readonly string[], after: readonly string[]): ComparedLine[] {
  const rounds = before.length > 0 && after.length > 0 ? search(before, after) : undefined;
  return rounds ? walkBack(before, after, rounds) : [...linesOf("removed", before), ...linesOf("added", after)];
}

/** How far each diagonal is reached with 0, 1, 2, … differences; undefined if it takes too many. */
function search(before: readonly string[], after: readonly string[]): Int32Array[] | undefined {
  const most = Math.min(before.length + after.length, MAX_DIFFERENCES);
  const reached = new Int32Array(2 * most + 3);
  const rounds: Int32Array[] = [];
  for (let count = 0; count <= most; count += 1) {
    rounds.push(reached.slice(most + 1 - count - 1, most + 1 + count + 2));
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      const at = most + 1 + diagonal;
      const [left, right] = [reached[at - 1] ?? 0, reached[at + 1] ?? 0];
      let x = diagonal === -count || (diagonal !== count && left < right) ? right : left + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      reached[at] = x;
      if (x >= before.length && x - diagonal >= after.length) return rounds;
    }
  }
  return undefined;
}

function walkBack(before: readonly string[], after: readonly string[], rounds: readonly Int32Array[]): ComparedLine[] {
  const out: ComparedLine[] = [];
  let [x, y] = [before.length, after.length];
  for (let count = rounds.length - 1; count >= 0; count -= 1) {
    const reached = rounds[count];
    const diagonal = x - y;
    const reach = (one: number) => reached?.[one + count + 1] ?? 0;
    const down = diagonal === -count || (diagonal !== count && reach(diagonal - 1) < reach(diagonal + 1));
    const from = down ? diagonal + 1 : diagonal - 1;
    const [fromX, fromY] = count === 0 ? [0, 0] : [reach(from), reach(from) - from];
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      out.push({ kind: "same", text: before[x] ?? "" });
    }
    if (count === 0) break;
    if (down) out.push({ kind: "added", text: after[fromY] ?? "" });
    else out.push({ kind: "removed", text: before[fromX] ?? "" });
    [x, y] = [fromX, fromY];
  }
  return out.reverse();
}

function removedFirst(lines: readonly ComparedLine[]): ComparedLine[] {
  const out: ComparedLine[] = [];
  let added: ComparedLine[] = [];
  for (const line of lines) {
    if (line.kind === "added") {
      added.push(line);
      continue;
    }
    if (line.kind === "same") {
      out.push(...added);
      added = [];
    }
    out.push(line);
  }
  return [...out, ...added];
}
