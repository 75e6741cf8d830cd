/** Reads amounts with their units: `£40` and `40 pounds`, `500g` and `500 grams`, `15%` and `15 percent`. Pure. */
import { lazyRegExp, once } from "../../../lib/once.ts";
import { numberForm } from "./canonical.ts";
import { CURRENCIES } from "./currency-names.ts";

export interface Quantity {
  /** As `numberForm` gives it. */
  readonly number: string;
  readonly unit: string;
}

/** Units other than currencies. No name belongs to two units. Kilobytes of 1,000 and of 1,024 have one name, so they are one. */
const UNITS: Readonly<Record<string, string>> = {
  // Several countries have dollars: so a dollar sign is no `usd`.
  $: "\\$|dollars?|bucks|dólares|ドル|달러|美元",
  usd: "usd|us\\$|us dollars?",
  "%": "%|percent|per cent|prozent|por ciento|pour ?cent|per cento|por cento|パーセント",
  mg: "mg|milligrams?|milligramm|miligramos?",
  g: "g|grams?|gramm|gramos?|grammes?|grammi|克|グラム",
  kg: "kg|kilos?|kilograms?|kilogramm|kilogramos?|kilogrammes?|公斤|千克|キロ",
  t: "tons?|tonnes?|tonnen?|toneladas?|吨",
  lb: "lbs?|pounds of|libras?",
  oz: "oz|ounces?|unzen?|onzas?",
  mm: "mm|millimet(?:er|re)s?|milímetros?",
  cm: "cm|centimet(?:er|re)s?|zentimeter|centímetros?|厘米",
  km: "km|kilomet(?:er|re)s?|kilómetros?|公里|キロメートル",
  ml: "ml|millilit(?:er|re)s?|mililitros?|毫升",
  l: "l|lit(?:er|re)s?|litros?|升|リットル",
  kb: "kb|kib|kilobytes?",
  mb: "mb|mib|megabytes?",
  gb: "gb|gib|gigabytes?",
  tb: "tb|tib|terabytes?",
  s: "s|secs?|seconds?|sekunden?|segundos?|secondes?|秒",
  min: "min|mins|minutes?|minuten?|minutos?|minuti|分钟|分間",
  h: "h|hrs?|hours?|stunden?|std|horas?|heures?|小时|時間",
  days: "days?|tage?n?|días?|jours?|天|日間",
  weeks: "weeks?|wochen?|semanas?|semaines?|周|週間",
  nights: "nights?|nächten?|nacht|noches?|nuits?|notti|noites?|泊|晚",
};

/** A letter that continues a name. Scripts without blanks have none. */
const LETTER = String.raw`[^\P{L}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]`;

/** The names of each unit, as alternatives of a pattern. */
const names = once(
  () =>
    new Map([
      ...Object.entries(UNITS),
      ...Object.entries(CURRENCIES).map(([code, known]) => [code, `${known}|${code}`] as const),
    ]),
);

/** Each unit is a group: one pattern for all of them, since each pattern takes a millisecond to make. */
const whole = once(() => new RegExp(`^(?:${[...names().values()].map((known) => `(${known})`).join("|")})$`, "u"));

function unitOf(name: string): string | undefined {
  const [, ...groups] = whole().exec(name) ?? [];
  return [...names().keys()][groups.findIndex((group) => group !== undefined)];
}

/** The text before and after a number of a unit. */
const besides = new Map<string, { readonly before: RegExp; readonly after: RegExp }>();

function besideOf(unit: string) {
  const known = besides.get(unit);
  if (known) return known;
  const of = names().get(unit) ?? "(?!)";
  const made = {
    before: new RegExp(`(?<!${LETTER}|[\\d$€£¥₹₩₽])(?:${of})\\s?$`, "u"),
    after: new RegExp(`^[\\s-]?(?:${of})(?!${LETTER}|\\d|[\\s-]?(?:per|pro|por|/))`, "u"),
  };
  besides.set(unit, made);
  return made;
}

/** A whole value that is a number with its unit. @param value folded. */
export function quantityOf(value: string): Quantity | undefined {
  // Most values are no number, and the pattern tries everything that may precede one.
  if (!/\d/.test(value)) return undefined;
  const [, before = "", digits = "", after = ""] =
    /^([^\d\s.,+-][^\d.,+-]{0,12}?)?\s?(\d[\d.,'’]{0,20}?)(?:\s?([^\d\s.,'’-][^\d]{0,14}))?$/u.exec(value) ?? [];
  if (digits === "" || (before === "") === (after === "")) return undefined;
  const number = numberForm(digits);
  const unit = unitOf(before === "" ? after : before);
  return number === undefined || unit === undefined ? undefined : { number, unit };
}

const AROUND = 16;
/** The end of the text before a whole number, without its unit. */
const opens = /(?:^|[\s("'“„«「『,:;—–、，。：]|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])$/u;

/** Only money is written before its number. */
const mayLead = (unit: string): boolean => unit === "$" || unit === "usd" || unit in CURRENCIES;

/** Words that make it another amount or another time: "2 weeks ago", "an hour and a half", "a quarter of an hour". */
const over = lazyRegExp(
  String.raw`^\s(?:ago|and (?:an? )?(?:half|quarter)|und (?:eine? )?(?:halbe?|viertel)|y (?:medi[ao]|cuarto)|et (?:demie?|quart)|e (?:mezz[ao]|mei[ao])|or two)(?!\p{L})`,
  "u",
);
const overBefore = lazyRegExp(String.raw`(?:^|[^\p{L}])(?:vor|hace|il y a|last|past|letzten)\s$`, "u");
const partBefore = lazyRegExp(String.raw`(?:^|[^\p{L}])(?:of|de|d['’]|viertel|hälfte|\p{L}*mal|\dx)\s?$`, "u");
/** "An hour and 20 minutes", "2 weeks and a day", "1 hour 30". */
const span = lazyRegExp(
  `(?:h|hrs?|hours?|stunden?|horas?|heures?|weeks?|wochen?|semanas?|semaines?|days?|tage?n?|d[ií]as?|jours?)$`,
  "u",
);
const goesOn = lazyRegExp(
  String.raw`^(?:,|\s(?:and|und|y|et|e))?\s(?:\d{1,2}|an?|one|two|three|eine?n?|zwei|drei|une?|una?|dos|deux)(?:$|[.,;!?]|\s?(?:min\p{L}*|m|h|hours?|stunden?|horas?|heures?|days?|tage?n?|d[ií]as?|jours?)(?!\p{L}))`,
  "u",
);

/** Whether the words around an amount make it another one. @param text folded. */
export function isOtherAmount(text: string, start: number, end: number): boolean {
  const after = text.slice(end, end + AROUND + 4);
  if (over().test(after) || overBefore().test(text.slice(Math.max(0, start - AROUND), start))) return true;
  return goesOn().test(after) && span().test(text.slice(start, end));
}

/** "Twice a week" and "5 euros a week" are frequencies: "a" counts only at the beginning of a span or a sentence. */
const spanBefore = lazyRegExp(
  String.raw`(?:^|[,;:.!?(–—]\s?|(?<!\p{L})(?:for|in|within|over|about|by|only|just|is|takes?|lasts?|stay|book|it|him|her|them)\s)$`,
  "u",
);
const often = lazyRegExp(String.raw`(?:once|twice|thrice|times|\p{L}*mal|\dx)\s(?:(?:for|in|within|over)\s)?$`, "u");

/** Whether the number at a position is of a unit, and whole. @param text folded. */
export function isOfUnit(text: string, start: number, end: number, unit: string): boolean {
  const known = besideOf(unit);
  const before = text.slice(Math.max(0, start - AROUND), start);
  const named = known.after.exec(text.slice(end, end + AROUND + 4));
  if (named && opens.test(before)) return !isOtherAmount(text, start, end + named[0].length);
  // "Week 14" and "0.5 ml 3 times" are no 14 weeks and no 3 ml.
  return mayLead(unit) && known.before.test(before) && !/^(?:[\d\p{L}@_/]|[.,-]\d)/u.test(text.slice(end, end + 2));
}

/** "A week", "eine Woche": one of a unit. @param text folded. */
export function onesOf(text: string, unit: string): readonly { readonly start: number; readonly end: number }[] {
  const pattern = new RegExp(
    `(?<!${LETTER}|half\\s|halbe?\\s)(?:an?|one|ein|eine|einen|einer|una?|une|uma?|een)\\s(?:${names().get(unit) ?? "(?!)"})(?!${LETTER}|\\d)`,
    "gu",
  );
  return [...text.matchAll(pattern)]
    .filter(({ 0: written, index }) => {
      const before = text.slice(Math.max(0, index - AROUND), index);
      if (isOtherAmount(text, index, index + written.length) || partBefore().test(before) || often().test(before))
        return false;
      return !/^an?\s/u.test(written) || spanBefore().test(before);
    })
    .map(({ 0: written, index }) => ({ start: index, end: index + written.length }));
}
