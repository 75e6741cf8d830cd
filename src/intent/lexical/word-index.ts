/**
 * All occurrences of many words in a text. The words are sorted: those that begin with the units read so far are a range, which each
 * character narrows. Pure.
 */
export interface WordIndex {
  /** Ascending. */
  readonly words: readonly string[];
  /** The place of each in the list that was indexed. */
  readonly numbers: readonly number[];
}

/** @param words each once, each run of spaces in them a single one. */
export function indexWords(words: readonly string[]): WordIndex {
  const numbers = [...words.keys()].sort((a, b) => ((words[a] as string) < (words[b] as string) ? -1 : 1));
  return { words: numbers.map((number) => words[number] as string), numbers };
}

const space = 32;

/** Any white space is the space of a word, however long it is: "write  down", also at the end of a line. */
const isSpace = (unit: number): boolean => unit === space || (unit >= 9 && unit <= 13) || unit === 0xa0;

/** Calls back for every word that begins at `start`, the shortest first, with its number, its end and its beginning. */
export function wordsAt(
  { words, numbers }: WordIndex,
  text: string,
  start: number,
  found: (number: number, end: number, start: number) => void,
): void {
  let low = 0;
  let high = words.length;
  let at = start;
  for (let depth = 0; low < high && at < text.length; depth += 1) {
    const unit = isSpace(text.charCodeAt(at)) ? space : text.charCodeAt(at);
    low = firstWith(words, low, high, depth, unit);
    high = firstWith(words, low, high, depth, unit + 1);
    at += 1;
    while (unit === space && isSpace(text.charCodeAt(at))) at += 1;
    if (low < high && words[low]?.length === depth + 1) found(numbers[low] as number, at, start);
  }
}

/** The first word of a range whose unit at `depth` is at least `unit`; a word that has ended comes before all others. */
function firstWith(words: readonly string[], from: number, to: number, depth: number, unit: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] as string).charCodeAt(depth) >= unit) high = middle;
    else low = middle + 1;
  }
  return low;
}
