/** Prepares a value for the search in texts: all its spellings. Pure. */
import { once } from "../../../lib/once.ts";
import {
  accountForm,
  addressOfMailbox,
  folded,
  isComparable,
  isIban,
  looksLikeAddress,
  numberForm,
  numberText,
} from "./canonical.ts";
import { isNamedCurrency } from "./currency-names.ts";
import { dateForm } from "./dates/dates.ts";
import { wholeTime } from "./dates/times.ts";
import { groupedDigits } from "./digit-runs.ts";
import { asciiHosts } from "./host-names.ts";
import { otherSpellings, spelledMail } from "./other-spellings.ts";
import { familyFirst } from "./person-names.ts";
import { onOneLine } from "./plain-marks.ts";
import { type Quantity, quantityOf } from "./quantities.ts";
import { separatorForm, type Token, tokensOf } from "./tokens.ts";

/** A value that is searched for as a sequence of tokens. */
export interface TokenSequence {
  readonly tokens: readonly Token[];
  readonly separators: readonly string[];
  /** An address or several: then the text between two tokens counts. */
  readonly isAddress: boolean;
  /** Its first or last letter is of a script without blanks, so the text must end there too. */
  readonly bounded: { readonly start: boolean; readonly end: boolean };
  /** Its digits, which may be written in groups. */
  readonly digits: string | undefined;
  /** Words, and no address: a part of a name in quotation marks is another name. */
  readonly isName: boolean;
  /** A year, and no whole date. */
  readonly holdsYear: boolean;
}

/** A value, read once for all texts. */
export interface ComparedValue extends TokenSequence {
  readonly number: string | undefined;
  readonly account: RegExp | undefined;
  readonly date: string | undefined;
  /** The same with its host in ASCII, if a host may be written in two ways. */
  readonly ascii: TokenSequence | undefined;
  /** Other spellings of the whole. */
  readonly others: () => readonly TokenSequence[];
  /** The same as a mail address that is spelled out. */
  readonly spelled: () => readonly TokenSequence[];
  /** The same with a person's family name first. */
  readonly familyFirst: () => TokenSequence | undefined;
  /** A number as JSON has it: it may be written in words. */
  readonly spoken: number | undefined;
  readonly time: string | undefined;
  /** The code of a currency that is also written as a sign or a word. */
  readonly currency: string | undefined;
  /** A number with its unit. */
  readonly quantity: Quantity | undefined;
}

/** Undefined for a value that can never be grounded. */
export function readValue(value: string | number): ComparedValue | undefined {
  const text = typeof value === "number" ? numberText(value) : onOneLine(value);
  if (text === undefined || !isComparable(text)) return undefined;
  const plain = folded(addressOfMailbox(text) ?? text.trim());
  const ascii = asciiHosts(plain);
  const form = isName(plain) ? plain.replaceAll("\u2019", "'") : plain;
  const sequence = sequenceOf(form);
  // `75 USD` is no 75: the user may have written euros.
  const number = /[\p{L}$€£¥₹₩₽%°]/u.test(form) ? undefined : numberForm(form);
  if (sequence.tokens.length === 0 && number === undefined) return undefined;
  const account = accountForm(form) ?? (/^\d{7,15}$/.test(form) ? form : undefined);
  return {
    ...sequence,
    holdsYear: sequence.holdsYear && typeof value === "string",
    number,
    account: account === undefined ? undefined : accountPattern(account),
    date: dateForm(form),
    ascii: ascii === plain && !ascii.includes("xn--") ? undefined : sequenceOf(ascii),
    others: once(() => otherSpellings(plain).map(sequenceOf)),
    spelled: once(() => spelledMail(plain).map(sequenceOf)),
    familyFirst: once(() => {
      const other = familyFirst(plain);
      return other === undefined ? undefined : sequenceOf(other);
    }),
    spoken: typeof value === "number" ? value : spokenText(form),
    time: wholeTime(form),
    currency: isNamedCurrency(form) ? form : undefined,
    quantity: quantityOf(form),
  };
}

/** An amount as a text. A smaller number in a text is often the number of something, and in words how many. */
const spokenText = (text: string): number | undefined =>
  /^\d{2,12}(?:\.\d{1,2})?$/.test(text) && Number(text) >= 20 ? Number(text) : undefined;

/** In an address another apostrophe is another address. */
const isName = (value: string): boolean => !/[@/\\:]/.test(value);

function sequenceOf(plain: string): TokenSequence {
  const tokens = [...tokensOf(plain)];
  const mixed = tokens.some(({ isCjk }) => isCjk) && tokens.some(({ isCjk }) => !isCjk);
  const cut = tokens.length === 1 || (mixed && /[@/.]/.test(plain));
  return {
    tokens,
    separators: tokens.slice(1).map((token, at) => separatorForm(plain, tokens[at]?.end ?? 0, token.start)),
    isAddress: tokens.some(({ form }) => form.includes("@") || form.includes("/")) || looksLikeAddress(plain),
    bounded: { start: cut && tokens[0]?.isCjk === true, end: cut && tokens.at(-1)?.isCjk === true },
    digits: groupedDigits(plain),
    isName: /\p{L}/u.test(plain) && !/@|:\/\//.test(plain),
    holdsYear:
      /(?<![\d.,/-])(?:19|20)\d{2}(?![\d.,/-])/.test(plain) && plain.length < 40 && dateForm(plain) === undefined,
  };
}

/** Finds an account or a phone number however its groups are written. The form holds at most 34 letters, digits and a plus. */
function accountPattern(form: string): RegExp {
  const isCode = /[a-z]/.test(form);
  const isPhone = /^[+0]/.test(form);
  // Blanks separate two numbers, unless a `+` or a zero says that it is a phone number.
  const between = isCode
    ? "[ .-]?"
    : isPhone
      ? String.raw`(?:[\s()./-]{0,3}|\s?\(0\)\s?)`
      : form.length >= 12
        ? "[ -]?"
        : String.raw`(?:[.-]|\)\s?)?`;
  const [sign, digits] = form.startsWith("+") ? [String.raw`(?:\+|00)`, form.slice(1)] : ["", form];
  const before = String.raw`(?<![^\s"'“„«(,;:<>\[\x60、。「：\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])`;
  // After it neither a letter nor another group of digits: a part of a number is another number.
  // An IBAN ends where its check digits say: a number after a blank is another one.
  const group = isIban(form) ? "[./-]" : "[ ./-]";
  const after = String.raw`(?!\p{N}|[^\P{L}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]|${group}\d)(?![@_/])`;
  return new RegExp(`${before}\\(?${sign}${[...digits].join(between)}${after}`, "u");
}
