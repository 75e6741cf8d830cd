/** The user's own sentences in a message, with `""` for each quoted part. Pure. */
import { lazyRegExp } from "../../lib/once.ts";
import { hasLetterOrDigit } from "../../lib/text/characters.ts";
import type { Span } from "../../lib/text/span.ts";
import { QUOTE_MARK } from "../user-message/own-words.ts";
import { quotedMaterialIn } from "../user-message/quoted-material.ts";

/** UTF-16 units of the beginning and of the end that are read: users say what they want before or after a pasted text. */
const reach = 600;
const maxSentences = 12;

const ends = lazyRegExp(String.raw`[.!?…]+(?=\s|$)|[。！？\n]+`, "g");

export function ownSentences(message: string): readonly string[] {
  const isLong = message.length > 2 * reach;
  const read = isLong ? `${message.slice(0, reach)}\n${message.slice(-reach)}` : message;
  const own = withMarks(read, quotedMaterialIn(read)).replaceAll(QUOTE_MARK, '""');
  const sentences: string[] = [];
  let start = 0;
  for (const match of own.matchAll(ends())) {
    const end = match.index + match[0].length;
    push(sentences, own.slice(start, end));
    start = end;
  }
  push(sentences, own.slice(start));
  return sentences.slice(0, maxSentences);
}

/** In lower case, Latin letters without accents. */
export const plainSentence = (sentence: string): string =>
  sentence
    .toLowerCase()
    .replaceAll("’", "'")
    .normalize("NFD")
    .replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .normalize("NFC")
    .trim();

function push(sentences: string[], sentence: string): void {
  if (hasLetterOrDigit(sentence)) sentences.push(sentence.trim());
}

const quotedSentence = lazyRegExp(`[.!?。！？]["'”’“»«」』]$`, "u");

/** "Call me now." Tell her that I will: the mark that ends the sentence is inside the quotation. */
const closesSentence = (text: string, start: number, end: number): boolean =>
  quotedSentence().test(text.slice(start, end)) &&
  /^(?:\s+\p{Lu}|\p{sc=Han}|[\p{sc=Hira}\p{sc=Kana}])/u.test(text.slice(end, end + 3));

function withMarks(text: string, parts: readonly Span[]): string {
  if (parts.length === 0) return text;
  let out = "";
  let from = 0;
  for (const { start, end } of [...parts].sort((one, other) => one.start - other.start)) {
    if (start > from || (start === from && end > from)) {
      out += `${text.slice(from, start)}""${closesSentence(text, start, end) ? "\n" : ""}`;
    }
    from = Math.max(from, end);
  }
  return out + text.slice(from);
}
