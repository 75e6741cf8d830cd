/** Times as people read them, in each language that ships: one form everywhere. Pure. */

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../time.ts";
import type { Language } from "./languages.ts";

interface TimeWords {
  readonly locale: string;
  readonly day: string;
  readonly days: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
  readonly join: string;
  readonly ago: string;
  readonly now: string;
}

const words: Readonly<Record<Language, TimeWords>> = {
  en: {
    locale: "en-GB",
    day: "# day",
    days: "# days",
    hour: "# h",
    minute: "# min",
    second: "# s",
    join: " ",
    ago: "# ago",
    now: "just now",
  },
  zh: {
    locale: "zh-CN",
    day: "# 天",
    days: "# 天",
    hour: "# 小时",
    minute: "# 分钟",
    second: "# 秒",
    join: " ",
    ago: "#前",
    now: "刚刚",
  },
  ja: {
    locale: "ja-JP",
    day: "# 日",
    days: "# 日",
    hour: "# 時間",
    minute: "# 分",
    second: "# 秒",
    join: " ",
    ago: "#前",
    now: "たった今",
  },
  de: {
    locale: "de-DE",
    day: "# Tag",
    days: "# Tagen",
    hour: "# Std.",
    minute: "# Min.",
    second: "# Sek.",
    join: " ",
    ago: "vor #",
    now: "gerade eben",
  },
  es: {
    locale: "es-ES",
    day: "# día",
    days: "# días",
    hour: "# h",
    minute: "# min",
    second: "# s",
    join: " ",
    ago: "hace #",
    now: "ahora mismo",
  },
  fr: {
    locale: "fr-FR",
    day: "# jour",
    days: "# jours",
    hour: "# h",
    minute: "# min",
    second: "# s",
    join: " ",
    ago: "il y a #",
    now: "à l'instant",
  },
  ko: {
    locale: "ko-KR",
    day: "#일",
    days: "#일",
    hour: "#시간",
    minute: "#분",
    second: "#초",
    join: " ",
    ago: "# 전",
    now: "방금",
  },
};

/** `23 h 59 min`, `5 min 10 s`, `2 days 3 h`: at most two units, so that 59 minutes are not rounded to an hour. */
export function durationText(ms: number, language: Language): string {
  const near = ms < 10 * MINUTE_MS ? Math.max(SECOND_MS, floor(ms, SECOND_MS)) : floor(ms + MINUTE_MS / 2, MINUTE_MS);
  if (near >= 2 * DAY_MS) return units(near, [DAY_MS, HOUR_MS], language);
  if (near >= HOUR_MS) return units(near, [HOUR_MS, MINUTE_MS], language);
  return near >= 10 * MINUTE_MS ? units(near, [MINUTE_MS], language) : units(near, [MINUTE_MS, SECOND_MS], language);
}

/** `2 min ago`, in one unit. */
export function agoText(ms: number, language: Language): string {
  if (ms < MINUTE_MS) return words[language].now;
  const size = [DAY_MS, HOUR_MS, MINUTE_MS].find((one) => ms >= one) ?? MINUTE_MS;
  return words[language].ago.replace("#", units(floor(ms, size), [size], language));
}

/** `23 Dec 2026, 01:00 UTC`. Without a time zone in the reader's own, which is not named. */
export function dateText(ms: number, language: Language, timeZone?: "UTC"): string {
  const format = dateFormat(language, timeZone);
  return timeZone === undefined ? format.format(ms) : `${format.format(ms)} UTC`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Made once: a list has a hundred dates, and each format takes as long to make as a line to draw. */
function dateFormat(language: Language, timeZone: "UTC" | undefined): Intl.DateTimeFormat {
  const key = `${language} ${timeZone}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(words[language].locale, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  formats.set(key, made);
  return made;
}

const floor = (ms: number, size: number): number => Math.floor(ms / size) * size;

function units(ms: number, sizes: readonly number[], language: Language): string {
  const { join } = words[language];
  let rest = ms;
  const parts: string[] = [];
  for (const size of sizes) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(nameOf(size, count, language).replace("#", String(count)));
  }
  return parts.join(join);
}

function nameOf(size: number, count: number, language: Language): string {
  const { day, days, hour, minute, second } = words[language];
  if (size === DAY_MS) return count === 1 ? day : days;
  return size === HOUR_MS ? hour : size === MINUTE_MS ? minute : second;
}
