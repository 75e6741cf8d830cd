/** Finds the known name that an unknown one was most likely meant to be. Pure. */

/** The work grows with the product of both lengths, and with the number of names. */
const MAX_LENGTH = 40;
const MAX_NAMES = 1_000;

/** @returns the nearest of `names`, or undefined if none is near. Case, `_`, `-` and `.` make no difference. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  const wanted = folded(written);
  if (wanted === "" || wanted.length > MAX_LENGTH) return undefined;
  let nearest: string | undefined;
  let least = allowedEdits(wanted) + 1;
  let compared = 0;
  for (const name of names) {
    if (++compared > MAX_NAMES) break;
    const candidate = folded(name);
    if (candidate === wanted) return name;
    if (Math.abs(candidate.length - wanted.length) >= least) continue;
    const edits = editDistance(wanted, candidate, least);
    if (edits >= least) continue;
    nearest = name;
    least = edits;
  }
  return nearest;
}

const folded = (name: string): string => name.toLowerCase().replace(/[_.\-\s]/g, "");

/** In short names one letter makes another word. */
function allowedEdits({ length }: string): number {
  if (length < 3) return 0;
  return length < 6 ? 1 : 2;
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
 * @param enough from here on the exact number does not matter.
 */
function editDistance(left: string, right: string, enough: number): number {
  let before: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const next = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let edits = Math.min(at(last, column) + 1, at(next, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && swapped) edits = Math.min(edits, at(before, column - 2) + 1);
      next.push(edits);
    }
    // A swap reaches back two rows, so both must be beyond.
    if (Math.min(...last, ...next) >= enough) return enough;
    before = last;
    last = next;
  }
  return at(last, right.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;

/** The end of a message about an unknown name; empty if no known name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? "" : `: did you mean \`${nearest}\`?`;
}
