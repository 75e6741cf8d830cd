/** Numbers that a text holds in words, or with a word that multiplies them: `twenty-five`, `1.5 million`, `5k`, `3万`. Pure. */
import { latePattern, once } from "../../../lib/once.ts";
import { hanNumbersIn } from "./han-numbers.ts";
import { type NumberPlace, numberWordsIn } from "./number-words.ts";

/** A longer text is no order that somebody typed, and reading it costs too much. */
const MAX_TEXT = 8_000;

const FACTORS: readonly (readonly [factor: number, words: string])[] = [
  [1e3, "k|thousand|tausend|tsd|duizend|mil|mille|mila|тыс|тысяч[аиу]?|tys|tysiące|tysięcy"],
  [
    1e6,
    "million|millions|millionen|mio|mln|miljoen|millón|millones|milhão|milhões|milione|milioni|milion[yó]?w?|млн|миллион(?:а|ов)?",
  ],
  [12, "dozen|dutzend|dozijn|docenas?|douzaines?|dozzin[ae]|dúzias?"],
  [1e5, "lakh|lakhs"],
  [1e7, "crore|crores"],
];
const ALL = FACTORS.map(([, words]) => words).join("|");
const factors = once(() => FACTORS.map(([factor, words]) => ({ factor, words: new RegExp(`^(?:${words})$`, "u") })));
/** Three digits after a separator could be thousands: then there is no number. */
const scaled = latePattern(
  String.raw`(?<![\p{L}\p{N}.,_/-]|\d\s)[$€£¥₹₩₽]?(?<count>\d{1,6}(?:[.,]\d{1,2})?)\s?(?<word>${ALL})(?![\p{L}\p{N}_@/-]|\.\p{L}|\s\d)`,
  "gu",
);
const factorNext = latePattern(
  String.raw`^\s?(?:(?:thousand|millions?|millionen|tausend|duizend|miljoen|millón|millones|milhão|milhões|milione|milioni|тысяч[аиу]?|тыс|млн|миллион(?:а|ов)?|tysięcy|tysiące|lakh|crore)(?!\p{L})|[万萬億亿만억])`,
  "u",
);

/** Whether a text goes on with a word that multiplies the number before it. */
export const startsWithFactor = (text: string): boolean => factorNext().test(text);

const english = /(?<!\p{L})(?:the|my|for|and|please|with|this|that|from|your|to)(?!\p{L})/u;

/** @param text folded. */
export function spokenNumbersIn(text: string): readonly NumberPlace[] {
  if (text.length > MAX_TEXT) return [];
  return [...scaledIn(text), ...halvesIn(text), ...fractionsIn(text), ...numberWordsIn(text), ...hanNumbersIn(text)];
}

/** `half a million`, `eine halbe Million`, `medio millón`. */
const halfOf = latePattern(
  String.raw`(?<![\p{L}\p{N}-])(?:half an?|eine halbe|ein halbes|een half|een halve|medio|media|un demi|une demi|mezzo|meio|meia)[\s-](?<word>${ALL})(?![\p{L}\p{N}_@/-])`,
  "gu",
);

function* halvesIn(text: string): Generator<NumberPlace> {
  for (const { 0: written, index, groups } of text.matchAll(halfOf())) {
    const factor = factors().find(({ words }) => words.test(groups?.word ?? ""))?.factor ?? 0;
    yield { value: factor / 2, start: index, end: index + written.length };
  }
}

/** `2 1/2`: without a whole number before it, it could be a date. */
const mixedNumber = /(?<![\p{L}\p{N}.,/_-]|\d\s)(?<whole>\d{1,3})\s(?<part>[1-7])[/⁄](?<of>[2-8])(?![\p{L}\p{N}/_-])/gu;

function* fractionsIn(text: string): Generator<NumberPlace> {
  for (const { 0: written, index, groups } of text.matchAll(mixedNumber)) {
    const share = Number(groups?.part) / Number(groups?.of);
    if (share < 1) yield { value: Number(groups?.whole) + share, start: index, end: index + written.length };
  }
}

function* scaledIn(text: string): Generator<NumberPlace> {
  for (const { 0: written, index, groups } of text.matchAll(scaled())) {
    const { count = "", word = "" } = groups ?? {};
    // In English it is short for million.
    if (word === "mil" && english.test(text)) continue;
    const factor = factors().find(({ words }) => words.test(word))?.factor ?? 0;
    const hundredths = Math.round(Number(count.replace(",", ".")) * 100);
    yield { value: (hundredths * factor) / 100, start: index, end: index + written.length };
  }
}
