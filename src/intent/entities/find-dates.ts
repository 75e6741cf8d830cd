/**
 * Dates that say which day they mean, as ISO 8601 writes them. Pure.
 *
 * Left alone are dates that could be two (`03/04/2026`), and words that need a clock (`tomorrow`, `next Monday`): which day
 * that is depends on the user's time zone, which is not known here. A day without its year is `--11-22`.
 */
import { lazyRegExp } from "../../lib/once.ts";
import type { Span } from "./spans.ts";

/** Groups of a match and their meaning; undefined if it is no date. */
interface DateForm {
  readonly pattern: () => RegExp;
  readonly read: (groups: MatchGroups) => string | undefined;
}
type MatchGroups = Readonly<Record<string, string | undefined>>;

/** English whole and short; German, French, Spanish, Italian and Portuguese whole. */
const names: readonly (readonly string[])[] = [
  ["january", "jan", "januar", "jänner", "janvier", "enero", "gennaio", "janeiro"],
  ["february", "feb", "februar", "février", "febrero", "febbraio", "fevereiro"],
  ["march", "mar", "märz", "mars", "marzo", "março"],
  ["april", "apr", "avril", "abril", "aprile"],
  ["may", "mai", "mayo", "maggio", "maio"],
  ["june", "jun", "juni", "juin", "junio", "giugno", "junho"],
  ["july", "jul", "juli", "juillet", "julio", "luglio", "julho"],
  ["august", "aug", "août", "agosto"],
  ["september", "sept", "sep", "septembre", "septiembre", "settembre", "setembro"],
  ["october", "oct", "oktober", "octobre", "octubre", "ottobre", "outubro"],
  ["november", "nov", "novembre", "noviembre", "novembro"],
  ["december", "dec", "dezember", "décembre", "diciembre", "dicembre", "dezembro"],
];

const numbers = new Map(names.flatMap((month, index) => month.map((name) => [name, index + 1] as const)));

/** Words of their own as well: written small, and without a year, they are taken for those. */
const AMBIGUOUS = new Set(["march", "mar", "mars", "may", "mai", "jan", "dec", "sep", "jun", "nov"]);

/** Any of the names, the longer ones first. */
const MONTH_SOURCE = [...numbers.keys()].sort((a, b) => b.length - a.length).join("|");

const monthNumber = (name: string): number | undefined => numbers.get(name.toLowerCase());

const isSurelyMonth = (name: string): boolean => !AMBIGUOUS.has(name);

const START = String.raw`(?<![\p{L}\p{N}_/.,:-])`;
const END = String.raw`(?![\p{L}\p{N}_])(?![-/.,:]\d)`;
/** Not in words: nothing separates it from the next word. */
const NO_DIGIT_BEFORE = String.raw`(?<!\d)`;
const form = (source: string, read: DateForm["read"]): DateForm => ({ pattern: lazyRegExp(source, "giu"), read });

const TIME = String.raw`(?:[T ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.\d{1,9})?)?(?<zone>Z|[+-]\d{2}:\d{2})?)?`;
const ORDINAL = String.raw`(?:(?<ordinal>st|nd|rd|th|er|º)|\.)?`;
const YEAR = String.raw`(?<year>\d{4})`;

const forms: readonly DateForm[] = [
  form(String.raw`${START}${YEAR}(?<sign>[-/.])(?<month>\d{1,2})\k<sign>(?<day>\d{1,2})${TIME}${END}`, readIso),
  form(
    String.raw`${NO_DIGIT_BEFORE}(?:${YEAR} ?年 ?)?(?<month>\d{1,2}) ?月 ?(?<day>\d{1,2}) ?[日号號]|${NO_DIGIT_BEFORE}(?:(?<year2>\d{4})년 ?)?(?<month2>\d{1,2})월 ?(?<day2>\d{1,2})일`,
    ({ year, month, day, year2, month2, day2 }) => isoDate(year ?? year2, month ?? month2, day ?? day2),
  ),
  form(
    String.raw`${START}(?<day>\d{1,2})${ORDINAL}[ \u00a0](?:of |de )?(?<name>${MONTH_SOURCE})(?:[.,]?[ \u00a0](?:de )?${YEAR})?${END}`,
    readNamed,
  ),
  form(
    String.raw`${START}(?<name>${MONTH_SOURCE})\.?[ \u00a0](?<day>\d{1,2})${ORDINAL}(?:,?[ \u00a0]${YEAR})?${END}`,
    readNamed,
  ),
  form(String.raw`${START}(?<first>\d{1,2})(?<sign>[-/.])(?<second>\d{1,2})\k<sign>${YEAR}${END}`, readNumeric),
];

export function findDates(text: string): Span[] {
  const spans: Span[] = [];
  for (const { pattern, read } of forms) {
    for (const match of text.matchAll(pattern())) {
      const value = read(match.groups ?? {});
      if (value !== undefined) spans.push({ value, at: match.index, end: match.index + match[0].length });
    }
  }
  return spans;
}

/** @returns the date that `text` is, as a whole. */
export function readDate(text: string): string | undefined {
  const trimmed = text.trim();
  const whole = findDates(trimmed).find(({ at, end }) => at === 0 && end === trimmed.length);
  return whole === undefined ? undefined : String(whole.value);
}

function readIso({ year, month, day, hour, minute, second = "00", zone = "" }: MatchGroups): string | undefined {
  const date = isoDate(year, month, day);
  if (date === undefined || hour === undefined || minute === undefined) return date;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  return `${date}T${hour}:${minute}:${second}${zone.toUpperCase()}`;
}

/** `may 5 people`, `march 5 miles`: in lower case and without a year, only a word that can be nothing else is a month. */
function readNamed({ name = "", day, ordinal, year }: MatchGroups): string | undefined {
  if (year === undefined && ordinal === undefined && !isSurelyMonth(name)) return undefined;
  return isoDate(year, String(monthNumber(name)), day);
}

/** Day first or month first, if only one of them is a date; dots always mean day first. */
function readNumeric({ first, second, sign, year }: MatchGroups): string | undefined {
  const dayFirst = isoDate(year, second, first);
  const monthFirst = sign === "." ? undefined : isoDate(year, first, second);
  const ambiguous = Number(first) <= 12 && Number(second) <= 12 && first !== second;
  return ambiguous ? undefined : (dayFirst ?? monthFirst);
}

/** @returns undefined for a day that no calendar has. */
function isoDate(year: string | undefined, month: string | undefined, day: string | undefined): string | undefined {
  // Without a year, 29 February may be.
  const [y, m, d] = [Number(year ?? 2000), Number(month), Number(day)];
  const date = new Date(Date.UTC(y, m - 1, d));
  if (y < 1000 || date.getUTCMonth() !== m - 1 || date.getUTCDate() !== d) return undefined;
  const rest = `${String(m).padStart(2, "0")}-${String(d).padStart(2, "0")}`;
  return year === undefined ? `--${rest}` : `${year}-${rest}`;
}
