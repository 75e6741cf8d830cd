/** A part of a text: indices in UTF-16 units, `end` behind the last one. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Replaces parts of a text, in one pass. Where they overlap, the first one counts. @param fill gives a text of the same length. */
export function replaceSpans(text: string, parts: readonly Span[], fill: (part: string) => string): string {
  let out = "";
  let from = 0;
  for (const { start, end } of [...parts].sort((one, other) => one.start - other.start)) {
    if (end <= from) continue;
    const begin = Math.max(start, from);
    out += text.slice(from, begin) + fill(text.slice(begin, end));
    from = end;
  }
  return out + text.slice(from);
}
