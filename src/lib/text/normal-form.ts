/**
 * Unicode normalisation in time linear in the text. Engines sort the combining marks behind a letter by insertion: 64,000 of
 * them take 3 s, and a request may hold millions. Pure.
 */

const RUN = 64;
/** The two half-width marks of kana are letters that decompose to combining marks. */
const mark = /[\p{M}\uff9e\uff9f]/u;
const longRun = /[\p{M}\uff9e\uff9f]{64}/u;
/** No text in any language has so many on one letter: Unicode's own bound is 30 (UAX #15, stream-safe text). */
const pieces = /[^\p{M}\uff9e\uff9f]*[\p{M}\uff9e\uff9f]{0,32}/gu;

/** `String.prototype.normalize`, but of 64 marks in a row each 32 are normalised for themselves. */
export const normalForm = (text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string =>
  mayHoldRun(text) && longRun.test(text)
    ? text.replace(pieces, (piece) => piece.normalize(form))
    : text.normalize(form);

/** A run holds each sixty-fourth character, whichever one begins with: 8 ns a character less than to look at all. */
function mayHoldRun(text: string): boolean {
  for (let at = RUN - 1; at < text.length; at += RUN) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x300 && mark.test(String.fromCodePoint(text.codePointAt(at - (isLow(unit) ? 1 : 0)) ?? 0)))
      return true;
  }
  return false;
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
