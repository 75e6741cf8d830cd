/** Reads times of day as people write them: `17:00`, `5 pm`, `17 Uhr`, `17h30`, `5 de la tarde`, `午後5時`, `half past five`. Pure. */
import { lazyRegExp, once } from "../../../../lib/once.ts";
import { DAY_PARTS, hourOfDay } from "./day-parts.ts";

/** A time in a text. */
export interface WrittenTime {
  /** `17:00`, or `17:00:30`. */
  readonly form: string;
  readonly start: number;
  readonly end: number;
}

/** Longer texts are not typed orders, and reading them for words costs too much. */
const MAX_SPOKEN = 8_000;

const patterns = [
  lazyRegExp(
    String.raw`(?<![\d:.])(?<h>\d{1,2}):(?<m>\d{2})(?::(?<s>\d{2})(?:\.\d{1,6})?)?(?:\s?(?<part>${DAY_PARTS})(?!\p{L}))?(?![\d:])`,
    "gu",
  ),
  lazyRegExp(String.raw`(?<![\d:.,])(?<h>\d{1,2})(?:[.:](?<m>\d{2}))?\s?(?<part>${DAY_PARTS})(?!\p{L})`, "gu"),
  lazyRegExp(
    String.raw`(?<![\d:.,])(?<h>\d{1,2})(?:\.(?<m>\d{2}))?\s?(?:uhr|uur|heures?|h|ч)(?:\s?(?<after>[0-5]\d))?(?:\s(?<part>${DAY_PARTS}))?(?![\p{L}\d])`,
    "gu",
  ),
  lazyRegExp(String.raw`(?<![\d:.,])(?<h>[01]\d|2[0-3])(?<m>[0-5]\d)\s?(?:hours|hrs|uhr)(?!\p{L})`, "gu"),
  lazyRegExp(
    String.raw`(?:(?<part>${DAY_PARTS})\s?)?(?<!\d)(?<h>\d{1,2})\s?시(?!간)(?:\s?(?:(?<m>\d{1,2})\s?분|(?<thirty>반)))?`,
    "gu",
  ),
  lazyRegExp(
    String.raw`(?<!\p{L})(?<![\d:.,])(?:at|um|om|alle|às|as|kl\.?|ore|o godz\.?|в)\s(?<h>\d{1,2})[.](?<m>[0-5]\d)(?![\p{L}\d]|[.:,]\d)`,
    "gu",
  ),
  lazyRegExp(
    String.raw`(?<!\p{L}|after|fore)(?:(?<noon>at noon|to noon|noon|mezzogiorno|mediodía|meio-dia|полдень|12 uhr mittags|正午)|(?<midnight>midnight|mitternacht|medianoche|mezzanotte|meia-noite|полночь|午夜))(?!\p{L})`,
    "gu",
  ),
] as const;

/** @param text folded. @returns times in the order of the text. */
export function timesIn(text: string): readonly WrittenTime[] {
  const times: WrittenTime[] = [];
  for (const pattern of patterns)
    for (const { 0: written, index, groups } of text.matchAll(pattern())) {
      const form = formOf(groups ?? {});
      if (form !== undefined) times.push({ form, start: index, end: index + written.length });
    }
  if (text.length <= MAX_SPOKEN)
    for (const { clock, start, end } of spokenTimesIn(text))
      times.push({ form: clockForm(Math.floor(clock / 60), clock % 60), start, end });
  return times.toSorted((a, b) => a.start - b.start);
}

/** The time that a whole value is. @param value folded. */
export function wholeTime(value: string): string | undefined {
  if (value.length > 40 || !/^\d{1,2}(?::\d{2}|\s?[ap]\.?m)/.test(value)) return undefined;
  return timesIn(value).find(({ start, end }) => start === 0 && end === value.length)?.form;
}

/** @param clock digits with colons. Undefined if it is no time of day. */
export function timeForm(clock: string): string | undefined {
  const [h, m, s] = clock.split(":");
  return formOf({ h, m, s: s?.replace(/\.\d+$/, "") });
}

function formOf(groups: Readonly<Record<string, string | undefined>>): string | undefined {
  if (groups.noon !== undefined) return "12:00";
  if (groups.midnight !== undefined) return "0:00";
  const minute = groups.thirty === undefined ? Number(groups.m ?? groups.after ?? 0) : 30;
  const second = Number(groups.s ?? 0);
  const hour = hourOfDay(Number(groups.h), groups.part);
  if (hour === undefined || minute > 59 || second > 59) return undefined;
  const clock = clockForm(hour, minute);
  return second === 0 ? clock : `${clock}:${String(second).padStart(2, "0")}`;
}

const clockForm = (hour: number, minute: number): string => `${hour}:${String(minute).padStart(2, "0")}`;

/** English, German, Spanish, French, Italian, Portuguese. No word is two numbers. */
const NUMBER_WORDS: Readonly<Record<number, string>> = {
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

const numbersByWord = once(
  () =>
    new Map(Object.entries(NUMBER_WORDS).flatMap(([number, words]) => words.split(" ").map((word) => [word, +number]))),
);

const HAN = "〇一二三四五六七八九十";

/** `back`: the minutes are before the hour. */
const spokenPatterns = once(() => {
  const word = [...numbersByWord().keys()]
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
    // A number and minutes are a time only with a part of the day.
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

/** Each time with its position. @param text folded. */
function spokenTimesIn(text: string): readonly { clock: number; start: number; end: number }[] {
  if (!mayHold.test(text)) return [];
  return spokenPatterns().flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ 0: written, index, groups }) => {
      const clock = minutesOfDay(groups ?? {});
      if (clock === undefined) return [];
      const place = { start: index, end: index + written.length };
      // "Half past two" may also be in the afternoon, if the text does not say which half of the day.
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

/** `NaN` if it is none. */
function numberOf(word: string): number {
  const known = numbersByWord().get(word);
  if (known !== undefined) return known;
  if (/^\d+$/.test(word)) return Number(word);
  const [, tens, ones = ""] = /^(?:(.?)十)?(.?)$/u.exec(word.replace("两", "二")) ?? [];
  const digit = (one: string) => HAN.indexOf(one);
  if (ones !== "" && digit(ones) < 0) return Number.NaN;
  return (tens === undefined ? 0 : tens === "" ? 10 : 10 * digit(tens)) + (ones === "" ? 0 : digit(ones));
}
