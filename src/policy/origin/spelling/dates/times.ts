/** Times of day as people write them: `17:00`, `5 pm`, `17 Uhr`, `17h30`, `5 de la tarde`, `午後5時`, `half past five`. Pure. */
import { lazyRegExp } from "../../../../lib/once.ts";
import { DAY_PARTS, hourOfDay } from "./day-parts.ts";
import { spokenTimesIn } from "./spoken-times.ts";

/** A time in a text. */
export interface WrittenTime {
  /** `17:00`, or `17:00:30`. */
  readonly form: string;
  readonly start: number;
  readonly end: number;
}

/** A longer text is no order that somebody typed, and reading it for words costs too much. */
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

/** @param clock digits with colons. Undefined where it is no time of day. */
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
