/** A long word of the policy that a message's word stands for, although two letters are wrong. Pure. */

const shortest = 8;
/** Own words that are compared with one of the message: bounds the time. */
const maxCompared = 100;

/** The first of the nearest, which begins with the same letter; undefined where none is within two edits. */
export function wordTwoEditsAway(word: string, own: readonly string[]): string | undefined {
  if (word.length < shortest) return undefined;
  let [compared, best, found] = [0, 3, undefined as string | undefined];
  for (const other of own) {
    if (other[0] !== word[0] || other.length < shortest || Math.abs(other.length - word.length) > 2) continue;
    if (++compared > maxCompared) break;
    const edits = editsBetween(word, other, best - 1);
    if (edits < best) [best, found] = [edits, other];
  }
  return found;
}

/** Edits that turn one into the other: letters dropped, added, replaced, or neighbours swapped; `most + 1` where more are needed. */
function editsBetween(a: string, b: string, most: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, (beforeLast[j - 2] ?? 0) + 1);
      row.push(edits);
    }
    if (Math.min(...row) > most) return most + 1;
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? most + 1;
}
