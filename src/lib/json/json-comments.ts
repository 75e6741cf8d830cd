/** Removes comments and trailing commas from JSON that people write: files of policies and cases, and the text of the console's editor. Pure. */

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"?`;
const COMMENT = String.raw`\/\/[^\n\r]*|\/\*[\s\S]*?\*\/`;
const TRAILING_COMMA = String.raw`(?<=[^\s[{,:]\s*),(?=\s*[}\]])`;

/** Plain JSON of the same length: what is removed becomes blanks, so that positions stay the same. */
export function withoutComments(text: string): string {
  const plain = blank(text, new RegExp(`${STRING}|${COMMENT}`, "g"));
  return blank(plain, new RegExp(`${STRING}|${TRAILING_COMMA}`, "g"));
}

const blank = (text: string, parts: RegExp): string =>
  text.replace(parts, (part) => (part.startsWith('"') ? part : part.replace(/[^\n\r]/g, " ")));
