/**
 * How large a pattern becomes when its counted repetitions are written out. RE2 writes them out before it says that they are
 * too many, and `.{1000}` is seven characters. Pure.
 */

/** What has a structure of its own; any other character is an atom. */
const TOKENS =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\[:\^?\w*:\]|\\[\s\S]|[^\]\\])*\]?|\{(\d+)(?:,(\d*))?\}|[\s\S]/g;

interface Group {
  size: number;
  /** Of its last part: what a repetition repeats. */
  last: number;
}

/** @returns about the number of instructions, never fewer than half of them. @param source in RE2 syntax. */
export function patternSize(source: string): number {
  const open: Group[] = [{ size: 0, last: 0 }];
  for (const [token, least, most] of source.matchAll(TOKENS)) {
    const group = open.at(-1) as Group;
    if (token === "(") open.push({ size: 2, last: 0 });
    else if (token === ")" && open.length > 1) {
      open.pop();
      const outer = open.at(-1) as Group;
      outer.size += group.size;
      outer.last = group.size;
    } else if (least !== undefined) {
      const times = Math.max(Number(least), Number(most || 0), 1);
      group.size += group.last * (times - 1);
      group.last *= times;
    } else {
      group.last = token.startsWith("\\Q") ? token.length : 1;
      group.size += group.last;
    }
  }
  return open.reduce((sum, { size }) => sum + size, 0);
}
