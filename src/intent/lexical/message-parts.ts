/** Which parts of a message are read, and which of them are the user's own words. Pure. */

import { dictatedIn } from "./dictated.ts";
import { lettersBeside, type Part } from "./others-blocks.ts";
import { beginsWithSentence, introducedIn, isShortRequest, workTextsIn } from "./others-words.ts";
import { withoutPasted } from "./pasted-text.ts";

/** Longer than almost all that people type: some seven hundred words. */
const longMessage = 4_000;
const half = longMessage / 2;

/**
 * All of a message, or its beginning and its end where it is long: what a person wants stands before or after what the person
 * pasted. An intent that is missed is not lost: the model still chooses through the handshake.
 */
export function excerpt(message: string): readonly Part[] {
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

/** "Translate: …": what follows is material. */
const material =
  /(\b(?:translate|übersetze?|traduce|traduzca|traduis|proofread|rephrase|paraphrase)\b[^:\n]{0,60}:|(?:翻译|翻成|译成|翻譯|譯成|訳して|翻訳|번역)[^:：\n]{0,30}[:：])([^\n]*)/giu;

/**
 * UTF-16 units. Nobody types so much, and a few KB of a request's compressed body are megabytes of lines, each of which costs up to 0.4 µs. Of a
 * longer message nothing is read: what begins in its middle may reach to its end, so no part of it is surely the user's own.
 */
const MAX_READ = 500_000;

/** A turn asks several times about its message: that of 500 KB costs 130 ms. */
let last: { readonly message: string; readonly own: string } | undefined;

/** The message with marks for what is somebody else's, dictated or material, so that places stay true. */
export function ownWords(message: string): string {
  if (message.length > MAX_READ) return quoteMarks(message);
  if (message.length <= longMessage) return marked(message);
  if (last?.message !== message) last = { message, own: marked(message) };
  return last.own;
}

function marked(message: string): string {
  const text = withoutPasted(message)
    .replace(quoted, quoteMarks)
    .replace(material, (_, head: string, rest: string) => head + quoteMarks(rest));
  return withReplaced(text, [...introducedIn(message), ...dictatedIn(message)], quoteMarks);
}

/** @param fill as long as what it is given. In one pass: a dialogue has a part for each line. */
function withReplaced(text: string, parts: readonly Part[], fill: (part: string) => string): string {
  let out = "";
  let from = 0;
  for (const { start, end } of [...parts].sort((one, other) => one.start - other.start)) {
    if (end <= from) continue;
    const begin = Math.max(start, from);
    out += text.slice(from, begin) + fill(text.slice(begin, end));
    from = end;
  }
  return out + text.slice(from);
}

/** A longer one is more likely a mark that was never closed. An apostrophe inside of a word is no quotation mark. */
const quoted =
  /"[^"]{1,500}"|“[^”]{1,500}”|„[^“”"]{1,500}[“”"]|«[^»]{1,500}»|»[^«]{1,500}«|›[^‹]{1,500}‹|‹[^›]{1,500}›|「[^」]{1,500}」|『[^』]{1,500}』|《[^》]{1,500}》|〈[^〉]{1,500}〉|‘[^’\n]{1,500}’(?!\p{L})|(?<![\p{L}\p{N}])'(?:[^'\n]|(?<=\p{L})'(?=\p{L})){1,500}'(?![\p{L}\p{N}])|`[^`\n]{1,500}`/gu;

/** What only wraps a request, and alone reads as a refusal or a question. */
const wrapping =
  /(?<=^|[.,;:!?\n–-][ \t]*|\b(?:and|but|so|please|then|und|y|pero)[ \t]+)(?:please |and |so )?(?:(?:don['’]?t|do not|never) (?:forget|hesitate|be (?:shy|afraid)) to|why (?:not just|don['’]?t (?:you|we)(?: just)?)|(?:it )?(?:can['’]?t|won['’]?t|wouldn['’]?t|couldn['’]?t) hurt to|(?:you|we) (?:might|may) as well|(?:you|we)['’]d better|feel free to|(?:bitte )?vergiss nicht,?|no (?:te )?olvides(?: de)?|可?别忘了|可?別忘了|不妨)(?=[ \t]+\p{L}|(?<=[了妨]))/giu;

/** With blanks for "don't forget to …", "why don't you …", "can't hurt to …": what they wrap is wanted. */
export const unwrapped = (text: string): string => text.replace(wrapping, ({ length }) => " ".repeat(length));

/**
 * Without a text that the user gives to be worked on: a quotation behind "translate:", or all that stands below such a line, where it is
 * more than a list of names. A letter to be translated may hold an order and an address.
 */
function withoutWorkText(message: string): string {
  const texts = workTextsIn(message);
  if (texts.length === 0) return message;
  const quotes = new Map(quotesOf(message).map((part) => [part.start, part]));
  const parts = texts.map(({ start, isBelow }) => ({
    start,
    end: quotes.get(start)?.end ?? (isBelow && beginsWithSentence(message, start) ? message.length : start),
  }));
  return withReplaced(message, parts, dots);
}

/**
 * Without the letters and the quoted sentences in it: "an owner wrote: 'please refund INV-70 to …'. Is she a client?". A quoted name or
 * address stays, for who quotes that says what is meant.
 */
function withoutOthersSentences(message: string): string {
  const quoted = quotesOf(message).filter(
    ({ start, end }) =>
      beginsWithSentence(message.slice(0, end), start + 1) || isShortRequest(message.slice(start, end)),
  );
  return withReplaced(message, [...quoted, ...lettersBeside(message)], dots);
}

/** What the user typed, as far as marks tell it from others' words: values in it are the user's own. */
export const typedWords = (message: string): string =>
  message.length > MAX_READ ? "" : withoutOthersSentences(withoutWorkText(withoutPasted(message)));

/** Words in quotation marks are mentioned, not meant. */
export const quotesOf = (text: string): readonly Part[] =>
  [...text.matchAll(quoted)].map((match) => ({ start: match.index, end: match.index + match[0].length }));

/** Stands for each UTF-16 unit of others' words: "the sign says …" reads otherwise than an unfinished sentence. */
export const QUOTE_MARK = "\ufffc";
const quoteMarks = ({ length }: string): string => QUOTE_MARK.repeat(length);

/** Whether lines of the message are pasted, or others' words are a line of their own. @param own as `ownWords` gives it. */
export const holdsOthersLines = (message: string, own: string): boolean =>
  /^[ \t]*\ufffc+[ \t]*$/m.test(own) || withoutPasted(message) !== message;

/** No words, and the sentence around them stays one. */
export const dots = ({ length }: string): string => "\u2026".repeat(length);

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
 * @returns one clause, the message cut to size, where it enumerates nothing.
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

/** What stands between two sentences. */
const sentenceEnd = /(?<=[.!?…])\s+|(?<=[。！？])\s*|\n+/u;

/**
 * The sentences of clauses that have several, and the halves of those that an "and" may join: who tells a story and then asks for
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

/** What stands before and behind each "and" that may join two requests; nothing where a part is too short to be one. */
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
