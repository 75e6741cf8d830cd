/**
 * Which words of a message are the user's own, and not in a quotation, a quoted line or fenced code. Somebody else's words may be
 * looked up, and must never cause a call by themselves. Pure.
 */
import { hasLetterOrDigit } from "../lib/text/characters.ts";
import { clausesOf } from "./lexical/clauses.ts";
import { fold } from "./lexical/fold.ts";
import { quotesOf } from "./lexical/message-parts.ts";
import { isNegated } from "./lexical/negation.ts";
import { withoutPasted } from "./lexical/pasted-text.ts";

/** Where something stands in the message, in UTF-16 units; an empty text stands for the whole message. */
interface Occurrence {
  readonly at: number;
  readonly text: string;
}

interface UserWords {
  /** Whether the words are the user's own. For the whole message: whether it holds any such words. */
  readonly states: (words: Occurrence) => boolean;
  /** Whether the user names a value, which may be a whole quotation. What the user does not want ("not N4") is not named. */
  readonly names: (words: Occurrence) => boolean;
}

/** @param message as `userTextOf` gave it. */
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
