/** A short message as answers are compared: plain letters, lower case, single spaces, without accents and
 * what is invisible. Pure. */

/** Variation selectors, joiners, marks of direction, soft hyphens; and the colour of a thumb. */
const unseen =
  /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\p{Variation_Selector}|[\u{1f3fb}-\u{1f3ff}]/gu;

export function plainWords(text: string): string {
  return (
    text
      .replace(unseen, "")
      .normalize("NFKC")
      .normalize("NFD")
      // Not for other scripts, where the mark makes another letter: が is no か.
      .replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
      .normalize("NFC")
      .toLowerCase()
      .replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
      .replace(/\s+/g, " ")
      .trim()
  );
}
