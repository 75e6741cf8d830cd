/** A value and where it stands in the text that was read, in UTF-16 units. */
export interface Span {
  readonly value: string | number;
  readonly at: number;
  /** Behind its last unit. */
  readonly end: number;
}

export const overlaps = (a: Pick<Span, "at" | "end">, b: Pick<Span, "at" | "end">): boolean =>
  a.at < b.end && b.at < a.end;
