/**
 * How a session of a client that names none is found again: by the first user message with the first reply. Pure.
 * System text takes no part: it often holds the date.
 */
import { lengthPrefixed, sha256Hex } from "../lib/digest.ts";

/** How much of a first reply's text takes part; a longer one is remembered by its beginning. */
export const PAIR_TEXT = 2000;

/** @param opening digest of the first user message. @param callIds of the first reply; where there are some, its text takes no part. */
export function pairOf(opening: string, callIds: readonly string[], text: string): string {
  const reply = callIds.length > 0 ? ["calls", ...callIds] : ["text", squeeze(text).slice(0, PAIR_TEXT)];
  // The cut may fall within a character, and models send halves of them.
  return sha256Hex(lengthPrefixed(opening, ...reply.map((part) => part.toWellFormed())));
}

/** UTF-16 units that are looked at at once: each white space of them is held until all are replaced, some 150 bytes each. */
const PIECE = 64 * 1024;

/** White space is not kept alike by all frontends. */
export function squeeze(text: string): string {
  let out = "";
  let spaced = false;
  for (let at = 0; at < text.length; at += PIECE) {
    const piece = text.slice(at, at + PIECE).replace(/\s+/g, " ");
    out += spaced && piece.startsWith(" ") ? piece.slice(1) : piece;
    spaced = piece.endsWith(" ");
  }
  return out.trim();
}
