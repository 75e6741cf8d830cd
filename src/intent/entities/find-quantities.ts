/** Numbers with a unit: `5 kg`, `1,5 Stunden`, `$20`, `30分`. Pure. Units are written the one way that `units` lists first. */
import { once } from "../../lib/once.ts";
import type { Span } from "./spans.ts";

/** One number, as part of an expression: `1,500.5`, `1.500,5`, `0.5`, `12`. Each alternative reads a character once. */
const NUMBER_SOURCE = String.raw`\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,9})?|\d{1,3}(?:\.\d{3}){1,4},\d{1,9}|\d{1,15}(?:[.,]\d{1,9})?`;

const WHOLE = new RegExp(`^[+-]?(?:${NUMBER_SOURCE})$`);

/** @returns undefined if it is no number, or too long to be held exactly. */
export function readNumber(text: string): number | undefined {
  const plain = text.trim().replace(/^\u2212/, "-");
  if (!WHOLE.test(plain)) return undefined;
  const value = Number(withPoint(plain));
  return Number.isFinite(value) ? value : undefined;
}

/** `1,500` are fifteen hundred, `1,5` is one and a half. */
function withPoint(text: string): string {
  if (/^[+-]?\d{1,3}(?:,\d{3})+(?:\.|$)/.test(text)) return text.replaceAll(",", "");
  if (text.includes(",")) return text.replaceAll(".", "").replace(",", ".");
  return text;
}

const units: readonly (readonly string[])[] = [
  ["kg", "kilo", "kilos", "kilogram", "kilograms", "kilogramm", "公斤", "キロ", "킬로"],
  ["g", "gram", "grams", "gramm", "グラム", "克", "그램"],
  ["mg", "milligram", "milligrams"],
  ["t", "ton", "tons", "tonne", "tonnes"],
  ["lb", "lbs", "pound", "pounds"],
  ["oz", "ounce", "ounces"],
  ["km", "kilometre", "kilometres", "kilometer", "kilometers", "公里", "キロメートル"],
  ["m", "metre", "metres", "meter", "meters", "メートル", "米", "미터"],
  ["cm", "centimetre", "centimetres", "centimeter", "centimeters", "センチ", "厘米"],
  ["mm", "millimetre", "millimetres", "millimeter", "millimeters"],
  ["mi", "mile", "miles", "英里", "マイル"],
  ["ft", "foot", "feet"],
  ["inch", "inches"],
  ["l", "litre", "litres", "liter", "liters", "リットル", "升"],
  ["ml", "millilitre", "millilitres", "milliliter", "milliliters"],
  ["s", "sec", "secs", "second", "seconds", "sekunde", "sekunden", "秒", "초"],
  ["min", "mins", "minute", "minutes", "minuten", "minuto", "minutos", "分", "分間", "分钟", "分鐘", "분"],
  [
    "h",
    "hr",
    "hrs",
    "hour",
    "hours",
    "stunde",
    "stunden",
    "heure",
    "heures",
    "hora",
    "horas",
    "時間",
    "小时",
    "小時",
    "시간",
  ],
  ["day", "days", "tag", "tage", "tagen", "jour", "jours", "día", "días", "日間", "天"],
  ["week", "weeks", "woche", "wochen", "semaine", "semaines", "semana", "semanas", "週間", "周", "주"],
  ["month", "months", "monat", "monate", "monaten", "mois", "mes", "meses", "か月", "ヶ月", "个月", "個月", "개월"],
  ["year", "years", "jahr", "jahre", "jahren", "ans", "année", "années", "año", "años", "年間"],
  ["KB", "kilobyte", "kilobytes"],
  ["MB", "megabyte", "megabytes"],
  ["GB", "gigabyte", "gigabytes"],
  ["TB", "terabyte", "terabytes"],
  ["%", "percent", "per cent", "prozent", "パーセント", "％"],
  ["°C", "℃", "degrees celsius"],
  ["°F", "℉", "degrees fahrenheit"],
  ["km/h", "kph"],
  ["mph"],
  ["EUR", "€", "euro", "euros"],
  ["USD", "$", "us$", "dollar", "dollars", "ドル", "美元", "달러"],
  ["GBP", "£"],
  ["JPY", "¥", "yen", "円"],
  ["CNY", "yuan", "元", "人民币"],
  ["KRW", "₩", "won", "원"],
  ["INR", "₹", "rupee", "rupees"],
];

const names = once(
  () => new Map(units.flatMap((unit) => unit.map((name) => [name.toLowerCase(), unit[0] ?? name] as const))),
);
const escaped = (text: string): string => text.replace(/[$/.]/g, "\\$&");
const source = (all: readonly string[]) =>
  [...all]
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join("|");
const CURRENCY_SIGNS = ["us$", "€", "$", "£", "¥", "₩", "₹"];

const NUMBER = `(?<number>${NUMBER_SOURCE})`;
const START = String.raw`(?<![\p{N}_]|[\p{N}][.,:/-]|[A-Za-z])`;
/** A unit of a script with spaces must be followed by the end of a word; of the other scripts the longest unit is taken. */
const END = `(?:(?<![A-Za-zÀ-ɏ])|(?![A-Za-zÀ-ɏ0-9_]|-[A-Za-z]))`;

const AFTER = once(
  () =>
    new RegExp(`${START}(?<minus>[-\u2212])?${NUMBER}[ \u00a0]?(?<unit>${source([...names().keys()])})${END}`, "giu"),
);
const BEFORE = once(
  () =>
    new RegExp(
      `(?<unit>${source(CURRENCY_SIGNS)}|(?<![A-Za-z])(?:EUR|USD|GBP|JPY) )[ \u00a0]?${NUMBER}(?![\\d.,]*\\d)`,
      "giu",
    ),
);

export function findQuantities(text: string): Span[] {
  return [AFTER(), BEFORE()].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const { number = "", unit = "", minus } = match.groups ?? {};
      const value = readNumber(`${minus ? "-" : ""}${number}`);
      const name = names().get(unit.trim().toLowerCase());
      if (value === undefined || name === undefined) return [];
      return [{ value: `${value} ${name}`, at: match.index, end: match.index + match[0].length }];
    }),
  );
}
