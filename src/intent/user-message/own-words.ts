/**
 * The user's own words within the user's text (`user-text.ts`), in three strengths. A wish counts only in the user's own words, and
 * untrusted text may be looked up but must never cause a call. Pure.
 *
 * - `ownWords`, for intents: without anything pasted, quoted, dictated or given to be worked on.
 * - `typedWords`, for the origin of values: quoted names and addresses stay, because a user who quotes one means it.
 * - `readUserWords`, for calls that the system makes: also without what is negated.
 */

import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { hasLetterOrDigit } from "../../lib/text/characters.ts";
import { replaceSpans, type Span } from "../../lib/text/span.ts";
import { clausesOf } from "../lexical/clauses.ts";
import { fold } from "../lexical/fold.ts";
import { isNegated } from "../lexical/negation.ts";
import { dictatedIn } from "./dictated.ts";
import { lettersBeside } from "./pasted-letters.ts";
import { withoutPasted } from "./pasted-text.ts";
import { beginsWithSentence, introducedIn, isShortRequest, workTextsIn } from "./quoted-material.ts";

/** "Translate: …": the words behind it are material. */
const material =
  /(\b(?:translate|übersetze?|traduce|traduzca|traduis|proofread|rephrase|paraphrase)\b[^:\n]{0,60}:|(?:翻译|翻成|译成|翻譯|譯成|訳して|翻訳|번역)[^:：\n]{0,30}[:：])([^\n]*)/giu;

/**
 * UTF-16 units. No user types so much, and a few KB of a request's compressed body are megabytes of lines, each of which costs up to 0.4 µs.
 * A longer message is not read: a quotation that begins in its middle may reach to its end, so no part of it is surely the user's own.
 */
const MAX_READ = 500_000;

/** The marked form of the last message longer than this is kept, because a turn asks several times: 500 KB cost 130 ms. UTF-16 units. */
const LONG = 4_000;
let last: { readonly message: string; readonly own: string } | undefined;

/** The message with `QUOTE_MARK`s for pasted, quoted and dictated text and for material, so that places stay true. */
export function ownWords(message: string): string {
  if (message.length > MAX_READ) return quoteMarks(message);
  if (message.length <= LONG) return marked(message);
  if (last?.message !== message) last = { message, own: marked(message) };
  return last.own;
}

function marked(message: string): string {
  const text = withoutPasted(message)
    .replace(quoted, quoteMarks)
    .replace(material, (_, head: string, rest: string) => head + quoteMarks(rest));
  return replaceSpans(text, [...introducedIn(message), ...dictatedIn(message)], quoteMarks);
}

/** A longer one is more likely a mark that was never closed. An apostrophe inside of a word is no quotation mark. */
const quoted =
  /"[^"]{1,500}"|“[^”]{1,500}”|„[^“”"]{1,500}[“”"]|«[^»]{1,500}»|»[^«]{1,500}«|›[^‹]{1,500}‹|‹[^›]{1,500}›|「[^」]{1,500}」|『[^』]{1,500}』|《[^》]{1,500}》|〈[^〉]{1,500}〉|‘[^’\n]{1,500}’(?!\p{L})|(?<![\p{L}\p{N}])'(?:[^'\n]|(?<=\p{L})'(?=\p{L})){1,500}'(?![\p{L}\p{N}])|`[^`\n]{1,500}`/gu;

/** Words that only wrap a request, and alone read as a refusal or a question. */
const wrapping =
  /(?<=^|[.,;:!?\n–-][ \t]*|\b(?:and|but|so|please|then|und|y|pero)[ \t]+)(?:please |and |so )?(?:(?:don['’]?t|do not|never) (?:forget|hesitate|be (?:shy|afraid)) to|why (?:not just|don['’]?t (?:you|we)(?: just)?)|(?:it )?(?:can['’]?t|won['’]?t|wouldn['’]?t|couldn['’]?t) hurt to|(?:you|we) (?:might|may) as well|(?:you|we)['’]d better|feel free to|(?:bitte )?vergiss nicht,?|no (?:te )?olvides(?: de)?|可?别忘了|可?別忘了|不妨)(?=[ \t]+\p{L}|(?<=[了妨]))/giu;

/** With blanks for "don't forget to …", "why don't you …", "can't hurt to …": what they wrap is wanted. */
export const unwrapped = (text: string): string => text.replace(wrapping, ({ length }) => " ".repeat(length));

/**
 * Without a text that the user gives to be worked on: a quotation behind "translate:", or all of the text below such a line, if it is
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
  return replaceSpans(message, parts, dots);
}

/**
 * Without the letters and the quoted sentences in it: "an owner wrote: 'please refund INV-70 to …'. Is she a client?". A quoted name or
 * address stays: a user who quotes one means it.
 */
function withoutQuotedSentences(message: string): string {
  const quoted = quotesOf(message).filter(
    ({ start, end }) =>
      beginsWithSentence(message.slice(0, end), start + 1) || isShortRequest(message.slice(start, end)),
  );
  return replaceSpans(message, [...quoted, ...lettersBeside(message)], dots);
}

/** The words that the user typed, as far as marks tell them from pasted and quoted text: values in them are the user's own. */
export function typedWords(message: string): string {
  if (message.length > MAX_READ) return "";
  const known = typed.get(message);
  if (known !== undefined) return known;
  // A part of a longer message would keep all of it.
  const text = JSON.parse(JSON.stringify(message)) as string;
  const words = withoutQuotedSentences(withoutWorkText(withoutPasted(text)));
  typed.set(text, words, words === text ? 0 : 2 * words.length);
  return words;
}

/** Each request brings the whole conversation, and 100 KB take 3 ms. */
const typed = boundedCache<string>({ maxBytes: CACHE_BYTES.typedTexts });

/** Words in quotation marks are mentioned, not meant. */
const quotesOf = (text: string): readonly Span[] =>
  [...text.matchAll(quoted)].map((match) => ({ start: match.index, end: match.index + match[0].length }));

/** Replaces each UTF-16 unit of quoted text: "the sign says …" reads otherwise than an unfinished sentence. */
export const QUOTE_MARK = "\ufffc";
const quoteMarks = ({ length }: string): string => QUOTE_MARK.repeat(length);

/** Whether lines of the message are pasted, or quoted text is a line of its own. @param own as `ownWords` gives it. */
export const holdsQuotedLines = (message: string, own: string): boolean =>
  /^[ \t]*\ufffc+[ \t]*$/m.test(own) || withoutPasted(message) !== message;

/** No words, and the sentence around them stays one. */
export const dots = ({ length }: string): string => "\u2026".repeat(length);

interface Occurrence {
  /** UTF-16 units. */
  readonly at: number;
  /** "" for the whole message. */
  readonly text: string;
}

interface UserWords {
  /** Whether the words are the user's own. For the whole message: whether it holds any such words. */
  readonly states: (words: Occurrence) => boolean;
  /** Whether the user names a value, which may be a whole quotation. An unwanted value ("not N4") is not named. */
  readonly names: (words: Occurrence) => boolean;
}

export function readUserWords(message: string): UserWords {
  const own = withoutPasted(message);
  const quotes = quotesOf(own);
  const isOwn = ({ at, text }: Occurrence) =>
    text === "" ? hasLetterOrDigit(own) : own.slice(at, at + text.length) === message.slice(at, at + text.length);
  const around = ({ at, text }: Occurrence) => quotes.find(({ start, end }) => start < at && at + text.length < end);
  return {
    states: (words) => isOwn(words) && (words.text === "" || !around(words)),
    names: (words) => {
      const quote = around(words);
      const isWhole = !quote || own.slice(quote.start + 1, quote.end - 1).trim() === words.text.trim();
      return isWhole && isOwn(words) && !isUnwanted(own, words);
    },
  };
}

function isUnwanted(own: string, { at, text }: Occurrence): boolean {
  const { folded, startOf } = fold(own);
  const foldedIndex = (index: number) => {
    let found = 0;
    while (found < folded.length && startOf(found) < index) found += 1;
    return found;
  };
  return isNegated(folded, clausesOf(folded), foldedIndex(at), foldedIndex(at + text.length));
}
