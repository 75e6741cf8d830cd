/** Stretches of a message in which entities are looked for, and those that they take. Indices are UTF-16 units. Pure. */

/** A value and its place in the text that was read. */
export interface Span {
  readonly value: string | number;
  readonly at: number;
  /** Behind its last unit. */
  readonly end: number;
}

export const overlaps = (a: Pick<Span, "at" | "end">, b: Pick<Span, "at" | "end">): boolean =>
  a.at < b.end && b.at < a.end;

/** UTF-16 units that are read at each end of a long message. */
const END = 4_000;

export interface Window {
  /** Full-width forms as the plain ones (`Ｎ４` → `N4`): the same length, so that places are true in the message. */
  readonly text: string;
  /** The index in the message at which it begins. */
  readonly offset: number;
  /** A value that touches a cut may be half of something. */
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
}

/**
 * The whole message, or its beginning and its end, which bounds the time. A user who pastes a document says what is wanted before or after
 * it; a value from its middle is no argument of the user's, and may be an attacker's.
 */
export function readingWindows(message: string): readonly Window[] {
  const text = plainWidth(message);
  if (text.length <= 2 * END) return [{ text, offset: 0, cutBefore: false, cutAfter: false }];
  const tail = text.length - END;
  return [
    { text: text.slice(0, END), offset: 0, cutBefore: false, cutAfter: true },
    { text: text.slice(tail), offset: tail, cutBefore: true, cutAfter: false },
  ];
}

const plainWidth = (text: string): string =>
  text.replace(/[\uff01-\uff5e\u3000]/g, (char) =>
    char === "\u3000" ? " " : String.fromCharCode(char.charCodeAt(0) - 0xfee0),
  );

/** A window's spans by their places in the message, without those that the cut may have halved. */
export const inMessage = <S extends Span>({ offset, text, ...cut }: Window, spans: readonly S[]): S[] =>
  spans
    .filter(({ at, end }) => !(cut.cutBefore && at === 0) && !(cut.cutAfter && end === text.length))
    .map((span) => ({ ...span, at: span.at + offset, end: span.end + offset }));
