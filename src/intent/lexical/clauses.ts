/** Where clauses and sentences end, in folded bare text. Pure. */
import { imperatives } from "./imperatives.ts";

export interface Clause {
  readonly start: number;
  readonly end: number;
  /** Number of the sentence that it belongs to. */
  readonly sentence: number;
}

const verbs = imperatives.join("|");
/** A new sentence begins behind the first kind; a new clause behind the second, and before the third. */
const boundary = new RegExp(
  [
    /(?<sentence>[.!?](?=\s|$)|[\n。！？\uffff])/,
    /(?<behind>[,;:，、；：()—–])/,
    new RegExp(
      `\\b(?<before>but|however|whereas|aber|sondern|mais|pero|sino|(?:and|or|und|et|y) (?:then|also|instead|please|dann|puis|ensuite|luego|despues|${verbs})|then (?:${verbs}))\\b`,
    ),
    /(?<before2>而是|而且|然后|然後|但是|不过|그리고 |하지만 )/,
  ]
    .map((part) => part.source)
    .join("|"),
  "g",
);

export function clausesOf(bare: string): readonly Clause[] {
  const clauses: Clause[] = [];
  let start = 0;
  let sentence = 0;
  const close = (end: number) => {
    if (end > start) clauses.push({ start, end, sentence });
    start = end;
  };
  for (const match of bare.matchAll(boundary)) {
    const groups = match.groups ?? {};
    const behind = groups.sentence ?? groups.behind;
    close(behind === undefined ? match.index : match.index + match[0].length);
    if (groups.sentence !== undefined) sentence += 1;
  }
  close(bare.length);
  return clauses;
}

/** @param clauses in order; every index of the text is in one of them. */
export function clauseAt(clauses: readonly Clause[], index: number): Clause {
  let [low, high] = [0, clauses.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((clauses[middle]?.start ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return clauses[low] ?? { start: 0, end: index, sentence: 0 };
}
