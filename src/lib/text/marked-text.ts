/** Cuts a text at the places that are marked in it: pieces that follow each other, each with what it is marked as. Pure. */

export interface Mark<T> {
  /** UTF-16 units, in the text. */
  readonly from: number;
  readonly to: number;
  readonly as: T;
}

interface Piece<T> {
  readonly text: string;
  readonly as: readonly T[];
}

/** The texts of the pieces make up the text; none is empty. */
export function cutAtMarks<T>(text: string, marks: readonly Mark<T>[]): readonly Piece<T>[] {
  const edges = marks.flatMap(({ from, to }) => [from, to]).filter((at) => at > 0 && at < text.length);
  const cuts = [...new Set([0, ...edges, text.length])].sort((one, other) => one - other);
  return cuts.slice(0, -1).map((from, index) => {
    const to = cuts[index + 1] ?? text.length;
    const over = marks.filter((mark) => mark.from <= from && to <= mark.to);
    return { text: text.slice(from, to), as: over.map((mark) => mark.as) };
  });
}
