/** Finds the ends of clauses and sentences in folded text. Pure. */
import { once } from "../../lib/once.ts";
import { alternatives } from "./grammar.ts";

export interface Clause {
  readonly start: number;
  readonly end: number;
}

/** A clause ends behind the group, and before the other matches. */
const boundary = once(() => {
  const verbs = alternatives("imperatives");
  const sequel = `(?:${alternatives("and")}) (?:${alternatives("sequels")}|${verbs})|then (?:${verbs})`;
  return new RegExp(
    [
      String.raw`(?<behind>[.!?](?=\s|$)|[\n。！？\uffff,;:，、；：()—–])`,
      String.raw`\b(?:${alternatives("contrasts")}|${sequel})\b`,
      alternatives("contrasts", "unspaced"),
    ].join("|"),
    "g",
  );
});

export function clausesOf(folded: string): readonly Clause[] {
  const matches = [...folded.matchAll(boundary())];
  const ends = matches.map(({ 0: text, index, groups }) =>
    groups?.behind === undefined ? index : index + text.length,
  );
  const starts = [0, ...ends];
  return starts.flatMap((start, i) => {
    const end = ends[i] ?? folded.length;
    return end > start ? [{ start, end }] : [];
  });
}

/** @param clauses in order; every index of the text is in one of them. */
export function clauseAt(clauses: readonly Clause[], index: number): Clause {
  let [low, high] = [0, clauses.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((clauses[middle]?.start ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return clauses[low] ?? { start: 0, end: index };
}
