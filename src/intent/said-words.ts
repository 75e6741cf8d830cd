/**
 * What a user says in a message, apart from what it only mentions or brings along: quotations, quoted lines, fenced code. Somebody
 * else's words may be looked for in what to answer, and must never be what makes a call by itself. Pure.
 */
import { withoutPasted } from "./lexical/pasted.ts";
import { quotesOf } from "./lexical/quotes.ts";

/** Where something was met in the message, in UTF-16 units. */
interface Met {
  readonly at: number;
  readonly text: string;
}

export interface SaidWords {
  /** Whether the words are the user's own: not pasted, and in no quotation. Of no words: whether there are any such. */
  readonly says: (met: Met) => boolean;
  /** Likewise, or all of a quotation: who names a value may put it in quotation marks. */
  readonly names: (met: Met) => boolean;
}

/** @param message as `userTextOf` gave it. */
export function readSaid(message: string): SaidWords {
  const own = withoutPasted(message);
  const quotes = quotesOf(own);
  const isOwn = ({ at, text }: Met) =>
    text === "" ? /[\p{L}\p{N}]/u.test(own) : own.slice(at, at + text.length) === message.slice(at, at + text.length);
  const around = ({ at, text }: Met) => quotes.find(({ start, end }) => start < at && at + text.length < end);
  return {
    says: (met) => isOwn(met) && (met.text === "" || !around(met)),
    names: (met) => {
      const quote = around(met);
      return isOwn(met) && (!quote || own.slice(quote.start + 1, quote.end - 1).trim() === met.text.trim());
    },
  };
}
