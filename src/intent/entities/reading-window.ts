/**
 * The parts of a message in which entities are looked for. Pure.
 *
 * Who pastes a document says before or after it what is wanted; a value from its middle is nobody's argument, and may be
 * an attacker's. So of a long message the beginning and the end are read, which also bounds the time.
 */

/** UTF-16 units at each end. */
const END = 4_000;

export interface Window {
  /** Full-width forms as the plain ones (`Ｎ４` → `N4`): the same length, so that places are true in the message. */
  readonly text: string;
  /** Where it begins in the message. */
  readonly offset: number;
  /** What touches a cut may be half of something. */
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
}

export function readingWindows(message: string): readonly Window[] {
  if (message.length <= 2 * END) {
    return [{ text: plainWidth(message), offset: 0, cutBefore: false, cutAfter: false }];
  }
  const tail = message.length - END;
  return [
    { text: plainWidth(message.slice(0, END)), offset: 0, cutBefore: false, cutAfter: true },
    { text: plainWidth(message.slice(tail)), offset: tail, cutBefore: true, cutAfter: false },
  ];
}

/** @returns whether the span from `at` to `end` stands whole in the window. */
export const standsWhole = (window: Window, at: number, end: number): boolean =>
  !(window.cutBefore && at === 0) && !(window.cutAfter && end === window.text.length);

const FULL_WIDTH = /[\uff01-\uff5e\u3000]/g;

function plainWidth(text: string): string {
  return text.replace(FULL_WIDTH, (char) =>
    char === "\u3000" ? " " : String.fromCharCode(char.charCodeAt(0) - 0xfee0),
  );
}
