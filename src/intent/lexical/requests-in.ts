/** The part of a message that is read, and the requests and sentences in it. Pure. */

import type { Span } from "../../lib/text/span.ts";
import { QUOTE_MARK } from "../user-message/own-words.ts";

/** Longer than almost all that people type: some seven hundred words. */
const longMessage = 4_000;
const half = longMessage / 2;

/**
 * All of a message, or its beginning and its end if it is long: users say what they want before or after a text that they
 * pasted. An intent that is missed is not lost: the model still chooses through the handshake.
 */
export function excerpt(message: string): readonly Span[] {
  if (message.length <= longMessage) return [{ start: 0, end: message.length }];
  return [
    { start: 0, end: breakNear(message, half, -1) },
    { start: breakNear(message, message.length - half, 1), end: message.length },
  ];
}

/** Never through a word: half of "latest" is "test". Text without spaces is cut between any two characters. */
function breakNear(message: string, limit: number, step: 1 | -1): number {
  for (let offset = 0; offset < 200; offset += 1) {
    const unit = message.charCodeAt(limit + step * offset);
    if (unit === 32 || (unit >= 9 && unit <= 13) || unit === 0x3000) return limit + step * offset;
  }
  const unit = message.charCodeAt(limit);
  return unit >= 0xdc00 && unit <= 0xdfff ? limit + step : limit;
}

/** UTF-16 units that a sentence model reads of a clause, and of a message that has none. */
const maxClause = 500;
const maxWhole = 1_000;
const maxClauses = 16;

const bullet = /(?:^|\n)[ \t]*(?:[-*•‣–]|\(?\d{1,2}[.)、]|\(?[a-h][.)])[ \t]+/gi;
const number = /(?:^|[\s:,;。、])\(?(\d{1,2})[.)、](?=\s*\p{L})/gu;
const joint =
  /\s*;\s*|[,.!?]?\s+(?:and then|and also|after that|afterwards|also|then|und dann|außerdem|et puis|ensuite|y luego|también)\b,?\s+|(?:然后|另外|还有|それから|あと、|그리고 )/gi;

/** Alone it asks for nothing: "open the first page, then https://example.com". */
const address = /https?:\/\/\S+/g;

/**
 * The requests of a message that asks for several things: "1. … 2. …", bullets, lines, "…; …", "… and then …". For layers that
 * read a sentence as a whole.
 * @param own as `ownWords` gives it.
 * @returns one clause, the message cut to size, if it enumerates nothing.
 */
export function requestsIn(own: string): readonly string[] {
  const text = own
    .replace(/[ \t]{3,}/g, "\n")
    .replace(/\u2026+/g, "\u2026")
    .replace(/\ufffc+/g, QUOTE_MARK)
    .trim();
  const read = excerpt(text).map(({ start, end }) => text.slice(start, end));
  const clauses = split(read.join("\n"))
    .map((clause) => clause.trim().slice(0, maxClause))
    .filter((clause) => /\p{L}/u.test(clause.replace(address, "")));
  return clauses.length > 1 ? clauses.slice(0, maxClauses) : [text.slice(0, maxWhole)];
}

/** The space between two sentences. */
const sentenceEnd = /(?<=[.!?…])\s+|(?<=[。！？])\s*|\n+/u;

/**
 * The sentences of clauses that have several, and the halves of those that an "and" may join: a user who tells a story and then asks for
 * something asks in one of them.
 */
export function sentencesIn(clauses: readonly string[]): readonly string[] {
  const sentences = clauses.flatMap((clause) =>
    clause.split(sentenceEnd).flatMap((sentence) => [sentence.trim(), ...halves(sentence)]),
  );
  const read = sentences.filter((sentence) => /\p{L}\P{L}*\p{L}/u.test(sentence) && !clauses.includes(sentence));
  return [...new Set(read)].slice(0, maxClauses);
}

/** Japanese joins by the ending of the verb. */
const conjunction =
  /,?\s+(?:and|und|y|et)\s+(?!\S+$)|[，,、](?=[再并並把帮幫]|然后|然後|顺便|順便)|(?<=[てで])[、，]/giu;
const enoughWords = /(?:\S+\s+){2}\S|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{5}/u;

/** The parts around each "and" that may join two requests; none if a part is too short to be one. */
function halves(sentence: string): readonly string[] {
  const parts = sentence.split(conjunction).map((part) => part.trim());
  return parts.length > 1 && parts.every((part) => enoughWords.test(part)) ? parts : [];
}

function split(message: string): string[] {
  const bullets = [...message.matchAll(bullet)];
  if (bullets.length > 1) return between(message, bullets);
  const numbers = [...message.matchAll(number)].filter((match, index) => Number(match[1]) === index + 1);
  if (numbers.length > 1) return between(message, numbers);
  const lines = message.split(/\n+/).filter((line) => line.trim() !== "");
  // Prose that is wrapped, or pasted, is no list.
  if (lines.length > 1 && lines.length <= maxClauses && lines.every((line) => line.length <= 200)) {
    return lines.flatMap((line) => line.split(joint));
  }
  return message.length > maxWhole ? [] : message.split(joint);
}

function between(message: string, marks: readonly RegExpExecArray[]): string[] {
  return [
    message.slice(0, marks[0]?.index),
    ...marks.map((mark, index) => message.slice(mark.index + mark[0].length, marks[index + 1]?.index)),
  ];
}
