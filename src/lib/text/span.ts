/** A part of a text: indices in UTF-16 units, `end` behind the last one. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
