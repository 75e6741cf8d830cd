/** Other spellings of a whole value that name the same thing. Pure. */

/** @param value folded, of one line. */
export function otherSpellings(value: string): readonly string[] {
  const others: string[] = [];
  // Windows reads both slashes alike.
  if (/^[a-z]:[\\/]/.test(value))
    others.push(value.includes("\\") ? value.replaceAll("\\", "/") : value.replaceAll("/", "\\"));
  if (/[@/\\:]/.test(value)) return others;
  // A dash between two blanks parts a title. Within a word it is another word.
  if (/ [-–—] /u.test(value)) for (const dash of ["-", "–", "—"]) others.push(value.replace(/ [-–—] /gu, ` ${dash} `));
  return others.filter((other) => other !== value);
}

/** The lines of a postal address, as they stand in a sentence. Lines of a mail's head, of a path or a URL stay as they are. */
export const onOneLine = (value: string): string =>
  /^[\p{L}\p{N}\p{M} .,'’-]+(?:\r?\n[\p{L}\p{N}\p{M} .,'’-]+){1,5}$/u.test(value)
    ? value.replace(/,? *\r?\n */g, ", ")
    : value;
