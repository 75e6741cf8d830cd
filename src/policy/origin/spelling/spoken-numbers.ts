/** Reads numbers in words, or with a word that multiplies them: `twenty-five`, `1.5 million`, `5k`, `3万`. Pure. */
import { lazyRegExp, once } from "../../../lib/once.ts";
import { hanNumbersIn } from "./han-numbers.ts";
import { type NumberPlace, numberWordsIn } from "./number-words.ts";

/** Longer texts are not typed orders, and reading them costs too much. */
const MAX_TEXT = 8_000;

const FACTORS: readonly (readonly [factor: number, words: string])[] = [
  [1e3, "k|grand|thousand|tausend|tsd|duizend|mil|mille|mila|тыс|тысяч[аиу]?|tys|tysiące|tysięcy"],
  [
    1e6,
    "million|millions|millionen|mio|mln|miljoen|millón|millones|milhão|milhões|milione|milioni|milion[yó]?w?|млн|миллион(?:а|ов)?",
  ],
  [1e9, "bn|billions?|mrd|milliarden?|mil millones|milliards?|miliardi|miljard|млрд|миллиард(?:а|ов)?"],
  [12, "dozen|dutzend|dozijn|docenas?|douzaines?|dozzin[ae]|dúzias?"],
  [1e5, "lakh|lakhs"],
  [1e7, "crore|crores"],
];
const ALL = FACTORS.map(([, words]) => words).join("|");
const factors = once(() => FACTORS.map(([factor, words]) => ({ factor, words: new RegExp(`^(?:${words})$`, "u") })));
/** Three digits after a separator could be thousands: then there is no number. */
const scaled = lazyRegExp(
  String.raw`(?<![\p{L}\p{N}.,_/-]|\d\s)[$€£¥₹₩₽]?(?<count>\d{1,6}(?:[.,]\d{1,2})?)\s?(?<word>${ALL})(?![\p{L}\p{N}_@/-]|\.\p{L}|\s\d)|(?<=[$€£¥₹₩₽]\s?)(?<![\p{L}\p{N}.,_/-])(?<dear>\d{1,6}(?:[.,]\d{1,2})?)\s?(?:m|mm)(?![\p{L}\p{N}_@/-])`,
  "gu",
);
const factorNext = lazyRegExp(
  String.raw`^\s?(?:(?:thousand|grand|billions?|bn|mrd|milliarden?|milliards?|miliardi|mln|mio|millions?|millionen|tausend|duizend|miljoen|millón|millones|milhão|milhões|milione|milioni|тысяч[аиу]?|тыс|млн|миллион(?:а|ов)?|tysięcy|tysiące|lakh|crore)(?!\p{L})|[万萬億亿만억]|(?:and|und|y|et|e)\s(?:a |ein )?(?:half|halb\p{L}*|medi[oa]|demie?|mezz[oa]|mei[oa])(?!\p{L})|\s[1-7][/⁄][2-8](?![\d/])|[½¼¾])`,
  "u",
);

/** Whether a text goes on with a word that multiplies the number before it, or with a fraction. */
export const startsWithFactor = (text: string): boolean => factorNext().test(text);

const english = /(?<!\p{L})(?:the|my|for|and|please|with|this|that|from|your|to)(?!\p{L})/u;

/** @param text folded. */
export function spokenNumbersIn(text: string): readonly NumberPlace[] {
  if (text.length > MAX_TEXT) return [];
  return [
    ...scaledIn(text),
    ...halvesIn(text),
    ...andHalvesIn(text),
    ...fractionsIn(text),
    ...numberWordsIn(text),
    ...hanNumbersIn(text),
  ];
}

/** `half a million`, `a quarter million`, `eine halbe Million`, `medio millón`. */
const halfOf = lazyRegExp(
  String.raw`(?<![\p{L}\p{N}-])(?:half an?|(?<quarter>(?:a )?quarter(?: of a)?|eine viertel)|eine halbe|ein halbes|een half|een halve|medio|media|un demi|une demi|mezzo|meio|meia)[\s-](?<word>${ALL})(?![\p{L}\p{N}_@/-])`,
  "gu",
);

function* halvesIn(text: string): Generator<NumberPlace> {
  for (const { 0: written, index, groups } of text.matchAll(halfOf())) {
    const factor = factors().find(({ words }) => words.test(groups?.word ?? ""))?.factor ?? 0;
    yield { value: factor / (groups?.quarter === undefined ? 2 : 4), start: index, end: index + written.length };
  }
}

const HALF_WORDS: Readonly<Record<string, number>> = {
  anderthalb: 1.5,
  eineinhalb: 1.5,
  einein: 1.5,
  zweieinhalb: 2.5,
  dreieinhalb: 3.5,
  viereinhalb: 4.5,
  fünfeinhalb: 5.5,
  sechseinhalb: 6.5,
  siebeneinhalb: 7.5,
  achteinhalb: 8.5,
  neuneinhalb: 9.5,
  zehneinhalb: 10.5,
  anderhalve: 1.5,
  полтора: 1.5,
  полторы: 1.5,
};
const halfWord = lazyRegExp(`(?<!\\p{L})(?:${Object.keys(HALF_WORDS).join("|")})(?!\\p{L})`, "gu");
const halfOne = lazyRegExp(
  String.raw`(?<![\p{L}\p{N}-])(?:half an?|(?:ein(?:e|en|es)? )?halbe[rns]?|medi[oa]|une? demi|mezz[oa]|mei[oa])[\s-](?=\p{L})(?!(?:${ALL})(?!\p{L}))`,
  "gu",
);
const SMALL = [
  "one ein una un une uma um",
  "two zwei dos deux due dois duas",
  "three drei tres trois tre três",
  "four vier cuatro quatre quattro quatro",
  "five fünf cinco cinq cinque",
  "six sechs seis sei",
  "seven sieben siete sept sette sete",
  "eight acht ocho huit otto oito",
  "nine neun nueve neuf nove",
  "ten zehn diez dix dieci dez",
].map((words) => words.split(" "));
const andHalf = lazyRegExp(
  String.raw`(?<![\p{L}\p{N}.,-])(?<count>\d{1,3}|${SMALL.flat().join("|")})\s(?:[\p{L}]{3,12}\s)?(?:and a half|und ein halbe[rns]?|y medi[oa]|et demie?|e mezz[oa]|e mei[oa])(?![\p{L}\p{N}])|(?<![第\d.,一二两三四五六七八九十百千])(?<han>[一二两三四五六七八九])个半`,
  "gu",
);

/** `two and a half`, `anderthalb`, `half a kilo`, `两个半`. With a multiplying word after it, it is another number. */
function* andHalvesIn(text: string): Generator<NumberPlace> {
  for (const { 0: word, index } of text.matchAll(halfWord()))
    if (!startsWithFactor(text.slice(index + word.length, index + word.length + 12)))
      yield { value: HALF_WORDS[word] ?? 0, start: index, end: index + word.length };
  for (const { 0: words, index } of text.matchAll(halfOne()))
    yield { value: 0.5, start: index, end: index + words.trimEnd().length };
  for (const { 0: words, index, groups } of text.matchAll(andHalf())) {
    const end = index + words.length;
    if (startsWithFactor(text.slice(end, end + 12))) continue;
    const { count = "", han } = groups ?? {};
    const known =
      han === undefined
        ? SMALL.findIndex((all) => all.includes(count)) + 1 || Number(count)
        : "一二三四五六七八九".indexOf(han.replace("两", "二")) + 1;
    yield { value: known + 0.5, start: index, end };
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
    const { dear, count = dear ?? "", word = dear === undefined ? "" : "million" } = groups ?? {};
    // In English it is short for million.
    if (word === "mil" && english.test(text)) continue;
    const factor = factors().find(({ words }) => words.test(word))?.factor ?? 0;
    const hundredths = Math.round(Number(count.replace(",", ".")) * 100);
    yield { value: (hundredths * factor) / 100, start: index, end: index + written.length };
  }
}
