/**
 * Reads dates as people write them: `2026-03-03`, `3 March 2026`, `March 3, 2026`, `03.03.2026`, `3. März`, `3 de marzo`, `3月3日`; with a time
 * if there is one: `3 March at 5 pm`. Pure.
 * If day and month could be exchanged (`03/04/2026`) and the language does not decide, a date matches only one written in the same order.
 */
import { once } from "../../../../lib/once.ts";
import { ordinals } from "./ordinals.ts";
import { daysAhead, relativeDaysIn, relativeForms } from "./relative-days.ts";
import { inGreenwich, zoneAfter } from "./time-zones.ts";
import { timeForm, timesIn } from "./times.ts";

/** English, German, Spanish, French, Italian, Portuguese, Dutch, Swedish, Polish, Russian, Turkish. */
const MONTHS = [
  "january jan januar enero ene janvier gennaio gen janeiro januari stycznia января январь ocak",
  "february feb februar febrero fevrier février febbraio fevereiro februari lutego февраля февраль şubat",
  "march mar marz maerz mrz märz marzo mars março maart marca марта март mart",
  "april apr abril abr avril aprile kwietnia апреля апрель nisan",
  "may mai mayo maggio mag maio mei maj maja мая май mayıs",
  "june jun juni junio juin giugno giu junho czerwca июня июнь haziran",
  "july jul juli julio juillet luglio lug julho lipca июля июль temmuz",
  "august aug agosto ago aout août augustus augusti sierpnia августа август ağustos",
  "september sep sept septiembre septembre settembre set setembro września сентября сентябрь eylül",
  "october oct oktober okt octubre octobre ottobre ott outubro października октября октябрь ekim",
  "november nov noviembre novembre novembro listopada ноября ноябрь kasım",
  "december dec dezember dez diciembre dic decembre décembre dicembre dezembro grudnia декабря декабрь aralık",
];

const HAN_DIGITS = "〇一二三四五六七八九";

const monthNumbers = once(
  () => new Map(MONTHS.flatMap((names, at) => names.split(" ").map((name) => [name, at + 1] as const))),
);

const patterns = once(() => {
  const longestFirst = (words: Iterable<string>) => [...words].toSorted((a, b) => b.length - a.length).join("|");
  const month = longestFirst(monthNumbers().keys());
  const ordinal = longestFirst(ordinals().keys());
  const year = String.raw`(?<y>\d{4}|['’]\d{2})`;
  return {
    iso: /(?<![\d-])(?<y>\d{4})-(?<m>\d{1,2})-(?<d>\d{1,2})(?![\d-])/gu,
    yearFirst: /(?<![\d/.])(?<y>\d{4})(?<mark>[/.])(?<m>\d{1,2})\k<mark>(?<d>\d{1,2})(?![\d/])/gu,
    dotted: /(?<![\d.])(?<d>\d{1,2})\.\s?(?<m>\d{1,2})\.(?:\s?(?<y>\d{4}|\d{2}))?(?![\d.])/gu,
    slashed: /(?<![\d/])(?<a>\d{1,2})[/-](?<b>\d{1,2})[/-](?<y>\d{4})(?![\d/-])/gu,
    // Neither with the day nor with the year first would this be a date.
    american: /(?<![\d/])(?<m>\d{1,2})\/(?<d>1[3-9]|2\d|3[01])\/(?<y>\d{2})(?![\d/-])/gu,
    compact:
      /(?<![\d\p{L}_./#-])(?<y>(?:19|20)\d{2})(?<m>0[1-9]|1[0-2])(?<d>0[1-9]|[12]\d|3[01])(?![\d\p{L}_/-]|\.\d)/gu,
    asian: /(?:(?<y>\d{4})\s?[年년]\s?)?(?<!\d)(?<m>\d{1,2})\s?[月월]\s?(?<d>\d{1,2})\s?[日号號일]/gu,
    dayFirst: new RegExp(
      String.raw`(?<![\p{L}\d])(?<d>\d{1,2})(?:(?:st|nd|rd|th|er|\.|º|-го)?[\s-]|\.)(?:of\s|de\s)?(?<name>${month})(?![\p{L}])\.?(?:,?[\s-](?:del?\s)?${year})?(?!\d)`,
      "gu",
    ),
    monthFirst: new RegExp(
      String.raw`(?<![\p{L}\d])(?<name>${month})(?![\p{L}])\.?\s(?<d>\d{1,2})(?:st|nd|rd|th)?(?:,?\s${year})?(?![\d:])`,
      "gu",
    ),
    ordinalFirst: new RegExp(
      String.raw`(?<![\p{L}\d-])(?<ordinal>${ordinal})\s(?:of\s|de\s|di\s)?(?<name>${month})(?![\p{L}])\.?(?:,?\s(?:del?\s)?${year})?(?!\d)`,
      "gu",
    ),
    ordinalLast: new RegExp(
      String.raw`(?<![\p{L}\d])(?<name>${month})\s(?:the\s)?(?<ordinal>${ordinal})(?![\p{L}-])(?:,?\s${year})?(?!\d)`,
      "gu",
    ),
    era: /令和\s?(?<reiwa>\d{1,2}|元)年\s?(?<m>\d{1,2})月\s?(?<d>\d{1,2})日/gu,
    han: /(?:(?<y>\d{4}|[〇零一二三四五六七八九]{4})年)?(?<![\d一二三四五六七八九十])(?<hm>[一二三四五六七八九十]{1,2})月(?<hd>[一二三四五六七八九十]{1,3})[日号號]/gu,
  };
});

/** The same for a whole text: at its beginning they fail at once. */
const wholePatterns = once(() => Object.values(patterns()).map(({ source }) => new RegExp(`^(?:${source})$`, "u")));

/** Every date has one of these: a digit, a sign for a month, or words with a blank between them. */
const mayBeDate = /^(?=.*[\d月\s])[^@]{4,60}$/u;

/** A date in a text. */
export interface DatePlace {
  /** Year (0 if there is none), month and day: `2026-3-3`; with a time `2026-3-3 17:00`. Relative to today: `+1`, see `relative-days.ts`. */
  readonly form: string;
  readonly start: number;
  readonly end: number;
}

/** Words of languages that write the day before the month, without words that are English too. */
const dayFirst =
  /(?<!\p{L})(?:el|del|día|dia|para|por|le|du|il|vom|bitte|und|den|der|für|não|em|op|voor|на|до|для|в)(?!\p{L})/u;
const english = /(?<!\p{L})(?:the|my|for|and|please|with|this|that|from|your|to|on)(?!\p{L})/u;

/** Words that show the language of a message. */
const MAX_LANGUAGE = 2_000;

function daysIn(text: string): readonly DatePlace[] {
  const places: DatePlace[] = [];
  const beginning = text.slice(0, MAX_LANGUAGE);
  const isDayFirst = dayFirst.test(beginning) && !english.test(beginning);
  for (const pattern of Object.values(patterns()))
    for (const { 0: written, index, groups } of text.matchAll(pattern)) {
      const form = formOf(groups ?? {});
      const place = { start: index, end: index + written.length };
      if (form !== undefined) places.push({ form, ...place });
      const ofDay = isDayFirst && form?.includes("?") ? formOf(groups ?? {}, true) : undefined;
      if (ofDay !== undefined) places.push({ form: ofDay, ...place });
    }
  // "Tuesday, 8 December" is that day, and no other Tuesday.
  const isOfDate = (day: { start: number; end: number }) =>
    places.some(({ start, end }) => isBeside(text.slice(day.end, start)) || isBeside(text.slice(end, day.start)));
  places.push(...relativeDaysIn(text).filter((day) => !isOfDate(day)));
  return places.toSorted((a, b) => a.start - b.start);
}

/** Between a weekday and its date. */
const isBeside = (gap: string): boolean => /^[,.\s(]{1,2}(?:(?:the|den|dem|der|el|le)\s)?$/u.test(gap);

/** The dates, and each time with the date that it belongs to. @param text folded. */
export function datePlaces(text: string): readonly DatePlace[] {
  const dates = daysIn(text);
  if (dates.length === 0) return dates;
  const places = [...dates];
  let next = 0;
  for (const time of timesIn(text)) {
    while ((dates[next]?.start ?? text.length) < time.start) next += 1;
    const [before, after] = [dates[next - 1], dates[next]];
    const gaps = [
      { date: before, gap: before && text.slice(before.end, time.start) },
      { date: after, gap: after && text.slice(time.end, after.start) },
    ];
    // A time belongs to the nearer date, in the same sentence.
    const [nearest] = gaps.filter(({ gap }) => gap !== undefined && belongs(gap)).toSorted(byGap);
    if (!nearest?.date) continue;
    const { form, start, end } = nearest.date;
    const place = { start: Math.min(start, time.start), end: Math.max(end, time.end) };
    places.push({ ...place, form: withTime(form, time.form) });
    // A time without a zone is never one of a zone.
    const zone = zoneAfter(text.slice(time.end, time.end + 14), text.charAt(time.start - 1) === "t");
    if (zone !== undefined && /^\d+-[\d-]+$/.test(form))
      places.push({ ...place, form: inGreenwich(form, time.form, zone) });
  }
  return places;
}

const MAX_GAP = 30;
const belongs = (gap: string): boolean => gap.length <= MAX_GAP && !/[\d.!?。！？\n]/u.test(gap);
/** A time after a comma belongs to a date only if no other time is nearer. */
const distance = (gap = ""): number => gap.length + (/[,;，、]/u.test(gap) ? MAX_GAP : 0);
const byGap = (a: { gap: string | undefined }, b: { gap: string | undefined }): number =>
  distance(a.gap) - distance(b.gap);

/** Midnight is how programs write a day without a time. */
const withTime = (date: string, time: string): string => (time === "0:00" ? date : `${date} ${time}`);

/** The date that a whole value is, with its time if it has one; undefined for others. @param value folded. */
export function dateForm(value: string): string | undefined {
  if (!mayBeDate.test(value)) return undefined;
  const [, date = value, clock, zone] =
    /^(.{6,40}?)(?:t|,?\s)(\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)(z|[+-]\d{2}:?\d{2})?$/u.exec(value) ?? [];
  const time = clock === undefined ? "0:00" : timeForm(clock);
  if (time === undefined) return undefined;
  for (const pattern of wholePatterns()) {
    const found = pattern.exec(date);
    if (!found) continue;
    const form = formOf(found.groups ?? {});
    if (form === undefined || form.includes("?") || zone === undefined) return form && withTime(form, time);
    const offset = zoneAfter(zone, true);
    return offset === undefined ? undefined : inGreenwich(form, time, offset);
  }
  return undefined;
}

/**
 * A date without a year is the last one or the next one, and `tomorrow` is the day after this one.
 * @param value as `dateForm` gives it.
 * @param now in milliseconds; absent: every year is near, and no day is tomorrow.
 */
export function isSameDate(value: string, isWritten: (form: string) => boolean, now?: number): boolean {
  if (isWritten(value)) return true;
  const { day = value, time = "" } = /^(?<day>[\d-]+)(?<time> .+)?$/.exec(value)?.groups ?? {};
  const ahead = now === undefined || day.startsWith("0-") ? 0 : (daysAhead(day, now) ?? 0);
  if (Math.abs(ahead) <= 366 && isWritten(value.replace(/^\d+/, "0"))) return true;
  return now !== undefined && relativeForms(day, now).some((form) => isWritten(`${form}${time}`));
}

function formOf(groups: Readonly<Record<string, string | undefined>>, isDayFirst = false): string | undefined {
  const year = yearOf(groups);
  if (groups.a !== undefined) {
    const [a, b] = [Number(groups.a), Number(groups.b)];
    if (a > 12 && b <= 12) return valid(year, b, a);
    if (b > 12 && a <= 12) return valid(year, a, b);
    if (a === b || isDayFirst) return valid(year, b, a);
    // Only the same reading is the same date: `2/11/2026` and `02/11/2026`.
    return valid(year, a, b) && valid(year, b, a) && `${year}?${a}/${b}`;
  }
  const { name, m, d, ordinal, hm, hd } = groups;
  const month = name === undefined ? (hm === undefined ? Number(m) : hanNumber(hm)) : (monthNumbers().get(name) ?? 0);
  const day = ordinal === undefined ? (hd === undefined ? Number(d) : hanNumber(hd)) : (ordinals().get(ordinal) ?? 0);
  return valid(year, month, day);
}

/** Zero if none is written. */
function yearOf({ y, reiwa }: Readonly<Record<string, string | undefined>>): number {
  if (reiwa !== undefined) return 2018 + (reiwa === "元" ? 1 : Number(reiwa));
  const digits = (y ?? "0").replace(/^['’]/, "");
  if (!/^\d+$/.test(digits))
    return Number([...digits.replaceAll("零", "〇")].map((one) => HAN_DIGITS.indexOf(one)).join(""));
  return digits.length === 2 ? 2000 + Number(digits) : Number(digits);
}

/** Up to 99. */
function hanNumber(text: string): number {
  const digit = (one: string) => HAN_DIGITS.indexOf(one);
  const ten = text.indexOf("十");
  if (ten === -1) return text.length === 1 ? digit(text) : 0;
  return (ten === 0 ? 10 : 10 * digit(text.charAt(0))) + (ten === text.length - 1 ? 0 : digit(text.charAt(ten + 1)));
}

const valid = (year: number, month: number, day: number): string | undefined =>
  month >= 1 && month <= 12 && day >= 1 && day <= 31 ? `${year}-${month}-${day}` : undefined;
