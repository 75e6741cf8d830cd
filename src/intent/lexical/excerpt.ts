/**
 * The part of a message that is read for intents: all of it, or its beginning and its end where it is long. What a person
 * wants stands before or after what the person pasted; a pasted document must not select intents by the words it holds.
 * What is missed is not lost: the model still chooses through the handshake. Pure.
 */
export interface Piece {
  /** Index in the message, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** In UTF-16 units. Longer than almost all that people type: some seven hundred words. */
export const longMessage = 4_000;
const half = longMessage / 2;

export function excerpt(message: string): readonly Piece[] {
  if (message.length <= longMessage) return [{ start: 0, end: message.length }];
  return [
    { start: 0, end: lastBreak(message, half) },
    { start: firstBreak(message, message.length - half), end: message.length },
  ];
}

/** Never through a word: half of "latest" is "test". Text without spaces is cut between any two characters. */
function lastBreak(message: string, limit: number): number {
  for (let at = limit; at > limit - 200; at -= 1) if (isSpace(message.charCodeAt(at))) return at;
  return limit - (isLow(message.charCodeAt(limit)) ? 1 : 0);
}

function firstBreak(message: string, limit: number): number {
  for (let at = limit; at < limit + 200; at += 1) if (isSpace(message.charCodeAt(at))) return at;
  return limit + (isLow(message.charCodeAt(limit)) ? 1 : 0);
}

const isSpace = (unit: number) => unit === 32 || (unit >= 9 && unit <= 13) || unit === 0x3000;
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
