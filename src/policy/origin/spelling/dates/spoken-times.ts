/** Times of day in words: `half past eight`, `Viertel nach neun`, `las tres y media`, `huit heures et demie`, `下午三点半`. Pure. */
import { once } from "../../../../lib/once.ts";
import { DAY_PARTS, hourOfDay } from "./day-parts.ts";

/** English, German, Spanish, French, Italian, Portuguese. No word is two numbers. */
const WORDS: Readonly<Record<number, string>> = {
  1: "one eins ein una une uma",
  2: "two zwei dos deux due duas",
  3: "three drei tres trois tre três",
  4: "four vier cuatro quatre quattro quatro",
  5: "five fünf cinco cinq cinque",
  6: "six sechs seis sei",
  7: "seven sieben siete sept sette sete",
  8: "eight acht ocho huit otto oito",
  9: "nine neun nueve neuf nove",
  10: "ten zehn diez dix dieci dez",
  11: "eleven elf once onze undici",
  12: "twelve zwölf doce douze dodici doze midi",
  13: "treize dreizehn",
  14: "quatorze vierzehn",
  16: "seize sechzehn",
  17: "dix-sept siebzehn",
  18: "dix-huit achtzehn",
  19: "dix-neuf neunzehn",
  0: "minuit",
  15: "quarter fifteen viertel dreiviertel fünfzehn cuarto quince quart quinze quarto 一刻",
  20: "twenty zwanzig veinte vingt venti vinte",
  25: "twenty-five fünfundzwanzig veinticinco vingt-cinq",
  30: "half thirty halb dreißig dreissig media treinta demi demie trente mezza mezzo meia trinta 半",
  35: "thirty-five trente-cinq",
  40: "forty vierzig cuarenta quarante quaranta quarenta",
  45: "forty-five fünfundvierzig quarante-cinq 三刻",
  50: "fifty fünfzig cincuenta cinquante",
  55: "fifty-five cinquante-cinq",
};

const numbers = once(
  () => new Map(Object.entries(WORDS).flatMap(([number, words]) => words.split(" ").map((word) => [word, +number]))),
);

const HAN = "〇一二三四五六七八九十";

/** `back`: the minutes are before the hour. */
const patterns = once(() => {
  const word = [...numbers().keys()]
    .filter((one) => !/[半刻]/u.test(one))
    .toSorted((a, b) => b.length - a.length)
    .join("|");
  const [h, m] = [String.raw`(?<h>${word}|\d{1,2})`, String.raw`(?<m>${word}|\d{1,2})`];
  const start = String.raw`(?<![\p{L}\d-]|\d[:.,])`;
  const part = String.raw`,?\s(?<part>${DAY_PARTS})`;
  const edge = String.raw`(?![\p{L}\d]|[:.,]\d|-\p{L})`;
  const pattern = (source: string) => new RegExp(`${start}${source}(?:${part})?${edge}`, "gu");
  return [
    pattern(
      String.raw`(?:a\s)?(?<m>half|quarter|five|ten|twenty|twenty-five|\d?[05])\s(?:(?<back>to|before)|past|after)\s${h}`,
    ),
    pattern(String.raw`${h}\so['’]clock`),
    // A number and minutes are a time only where the part of the day says so.
    new RegExp(String.raw`${start}${h}(?:\s${m})?${part}${edge}`, "gu"),
    pattern(
      String.raw`(?:(?<back>halb|dreiviertel)|(?<m>viertel|fünf|zehn|zwanzig|\d?[05])\s(?:(?<before>vor)|nach))\s${h}(?:\suhr)?`,
    ),
    pattern(String.raw`${h}\suhr(?:\s${m})?`),
    pattern(String.raw`las?\s${h}(?:\shoras)?(?:\s(?:(?<back>menos)|y)\s${m})?(?:\sen\spunto)?`),
    pattern(String.raw`${h}\sheures?(?:\s(?:(?<back>moins)\s(?:le\s)?|et\s)?${m})?`),
    pattern(String.raw`(?<h>midi|minuit)(?:\s(?:et\s)?(?<m>demie?|quart))?`),
    pattern(String.raw`alle\s${h}(?:\s(?:(?<back>meno)|e)\s(?:un\s)?${m})?`),
    pattern(String.raw`às\s${h}(?:\shoras)?(?:\se\s${m})?`),
    new RegExp(
      String.raw`(?:(?<part>${DAY_PARTS})\s?)?(?<![\d${HAN}])(?<h>\d{1,2}|[${HAN}两]{1,3})(?:点|點|時(?!間))(?:钟|整)?(?:(?<m>半|[一三]刻|(?:\d{1,2}|[${HAN}]{1,3})(?=分))分?)?(?![\d${HAN}])`,
      "gu",
    ),
  ];
});

const mayHold =
  /\s(?:past|to|before|after)\s|clock|halb|viertel|\suhr|las?\s|heure|midi|minuit|alle\s|às\s|morning|afternoon|evening|night|abends|nachts|morgens|früh|mittags|[点點時]/u;

/** A time with the place where it stands. @param text folded. */
export function spokenTimesIn(text: string): readonly { clock: number; start: number; end: number }[] {
  if (!mayHold.test(text)) return [];
  return patterns().flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ 0: written, index, groups }) => {
      const clock = minutesOfDay(groups ?? {});
      if (clock === undefined) return [];
      const place = { start: index, end: index + written.length };
      // "Half past two" is in the afternoon, too, where nobody says which half of the day.
      const isEither = groups?.part === undefined && clock >= 60 && clock < 8 * 60;
      return (isEither ? [clock, clock + 720] : [clock]).map((one) => ({ clock: one, ...place }));
    }),
  );
}

function minutesOfDay(groups: Readonly<Record<string, string | undefined>>): number | undefined {
  const { h = "", m, back, before, part } = groups;
  const hour = hourOfDay(numberOf(h), part);
  const minutes = m === undefined ? (back === undefined ? 0 : numberOf(back)) : numberOf(m);
  if (hour === undefined || !(minutes < 60)) return undefined;
  const sign = back !== undefined || before !== undefined ? -1 : 1;
  return (hour * 60 + sign * minutes + 1_440) % 1_440;
}

/** `NaN` where it is none. */
function numberOf(word: string): number {
  const known = numbers().get(word);
  if (known !== undefined) return known;
  if (/^\d+$/.test(word)) return Number(word);
  const [, tens, ones = ""] = /^(?:(.?)十)?(.?)$/u.exec(word.replace("两", "二")) ?? [];
  const digit = (one: string) => HAN.indexOf(one);
  if (ones !== "" && digit(ones) < 0) return Number.NaN;
  return (tens === undefined ? 0 : tens === "" ? 10 : 10 * digit(tens)) + (ones === "" ? 0 : digit(ones));
}
