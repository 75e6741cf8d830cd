/**
 * What a user says in a message, apart from what it only mentions or brings along: quotations, quoted lines, fenced code. Somebody
 * else's words may be looked for in what to answer, and must never be what makes a call by itself. Pure.
 */
import { hasLetterOrDigit } from "../lib/text/characters.ts";
import { clausesOf } from "./lexical/clauses.ts";
import { fold } from "./lexical/fold.ts";
import { isNegated } from "./lexical/negation.ts";
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
  /** Likewise, or all of a quotation: who names a value may put it in quotation marks. Not what is named as unwanted: "not N4". */
  readonly names: (met: Met) => boolean;
}

/** @param message as `userTextOf` gave it. */
export function readSaid(message: string): SaidWords {
  const own = withoutPasted(message);
  const quotes = quotesOf(own);
  const isOwn = ({ at, text }: Met) =>
    text === "" ? hasLetterOrDigit(own) : own.slice(at, at + text.length) === message.slice(at, at + text.length);
  const around = ({ at, text }: Met) => quotes.find(({ start, end }) => start < at && at + text.length < end);
  return {
    says: (met) => isOwn(met) && (met.text === "" || !around(met)),
    names: (met) => {
      const quote = around(met);
      const whole = !quote || own.slice(quote.start + 1, quote.end - 1).trim() === met.text.trim();
      return whole && isOwn(met) && !isUnwanted(own, met);
    },
  };
}

function isUnwanted(own: string, { at, text }: Met): boolean {
  const { bare, startOf } = fold(own, [{ start: 0, end: own.length }]);
  const place = (index: number) => {
    let found = 0;
    while (found < bare.length && startOf(found) < index) found += 1;
    return found;
  };
  return isNegated(bare, clausesOf(bare), { start: place(at), end: place(at + text.length) });
}
