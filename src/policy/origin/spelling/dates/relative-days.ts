/**
 * Days that a writer names from their own today: `tomorrow`, `übermorgen`, `in two weeks`, `next Tuesday`, `el martes`, `周三`. Pure.
 *
 * Which day that is depends on when it is read. So a text gives forms without a date: `+1` for tomorrow, `w2` for the Tuesday of the coming
 * week, `w2+` for one of the next two. `relativeForms` gives those that a date has today.
 */
import { lazyRegExp } from "../../../../lib/once.ts";
import { DAY_MS } from "../../../../lib/time.ts";
import { isCount, isDoubtful } from "./moved-days.ts";

/** By how many days they lie ahead. */
const DAYS: readonly (readonly [ahead: number, words: string])[] = [
  [
    2,
    "(?:the )?day after tomorrow|übermorgen|uebermorgen|pasado mañana|après-demain|dopodomani|depois de amanhã|后天|後天|明後日",
  ],
  [
    1,
    "tomorrow|tmrw|(?<!(?:guten|am|jeden|heute|gestern|schönen|den|diesen|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\\s)morgen|(?<!(?:la|esta|pasado)\\s)mañana|demain|domani|(?<!de\\s)amanhã|明天|明日(?!後)",
  ],
  [0, "today|tonight|heute|hoy|aujourd['’]hui|oggi|hoje|vandaag|今天|今日|今晚"],
];

const WEEKDAYS: readonly string[] = [
  "sunday|sun|sonntag|domingo|dimanche|domenica|(?:周|星期|礼拜)[日天]|日曜",
  "monday|mon|montag|lunes|lundi|lunedì|segunda-feira|(?:周|星期|礼拜)一|月曜",
  "tuesday|tues?|dienstag|martes|mardi|martedì|terça-feira|(?:周|星期|礼拜)二|火曜",
  "wednesday|weds?|mittwoch|miércoles|mercredi|mercoledì|quarta-feira|(?:周|星期|礼拜)三|水曜",
  "thursday|thurs?|thu|donnerstag|jueves|jeudi|giovedì|quinta-feira|(?:周|星期|礼拜)四|木曜",
  "friday|fri|freitag|viernes|vendredi|venerdì|sexta-feira|(?:周|星期|礼拜)五|金曜",
  "saturday|sat|samstag|sonnabend|sábado|samedi|sabato|(?:周|星期|礼拜)六|土曜",
];
/** German, as in diaries. They are words of other languages, so only where a time follows. */
const SHORT_WEEKDAYS = ["so", "mo", "di", "mi", "do", "fr", "sa"];
const TIME_FOLLOWS = String.raw`(?=\.?,?\s(?:um\s)?\d{1,2}(?:[:.]\d{2}|\s?(?:uhr|h))(?![\p{L}\d]))`;
const weekdayWords = WEEKDAYS.map((words, at) => `(?<w${at}>${words}|${SHORT_WEEKDAYS[at]}${TIME_FOLLOWS})`);

const NEXT = "next|nächste[nrs]?|kommende[nrs]?|próximo|prochain|prossimo|下(?:个)?|来週の?";
const PAST = "last|past|letzte[nrs]?|vergangene[nrs]?|vorige[nrs]?|pasado|上(?:个)?|先週の?";

const COUNTS: ReadonlyMap<string, number> = new Map(
  ["a an one eine einer einem un una une uma um", "two zwei dos deux due duas", "three drei tres trois tre três"]
    .concat([
      "four vier cuatro quatre",
      "five fünf cinco cinq",
      "six sechs seis",
      "seven sieben siete",
      "eight acht ocho",
    ])
    .flatMap((words, at) => words.split(" ").map((word) => [word, at + 1] as const)),
);
const AHEAD = String.raw`(?:in|en|dentro de|dans|tra|fra|em)\s(?<count>\d{1,2}|${[...COUNTS.keys()].join("|")})\s(?:(?<days>days?|tage?n?|días?|jours?|giorni|dias?)|weeks?|wochen?|semanas?|semaines?|settiman[ae])`;

const LETTER_BEFORE = String.raw`(?<![\p{sc=Latin}\p{N}_@.-])`;
const LETTER_AFTER = String.raw`(?![\p{sc=Latin}\p{N}_@-])`;
const named = lazyRegExp(
  `${LETTER_BEFORE}(?:${DAYS.map(([ahead, words]) => `(?<d${ahead}>${words})`).join("|")}|${AHEAD})${LETTER_AFTER}`,
  "gu",
);
const weekday = lazyRegExp(
  `${LETTER_BEFORE}(?:(?<past>${PAST})\\s?)?(?:(?<next>${NEXT})\\s?)?(?:${weekdayWords.join("|")})${LETTER_AFTER}(?!\\spasado)`,
  "gu",
);

/** A place in a text, and the form of what it says. */
interface RelativeDay {
  readonly form: string;
  readonly start: number;
  readonly end: number;
}

/** A longer text is no order that somebody typed. */
const MAX_TEXT = 8_000;

/** @param text folded. */
export function relativeDaysIn(text: string): readonly RelativeDay[] {
  if (text.length > MAX_TEXT) return [];
  const found: RelativeDay[] = [];
  for (const { 0: written, index, groups = {} } of text.matchAll(named())) {
    const ahead =
      groups.count === undefined ? [0, 1, 2].find((one) => groups[`d${one}`] !== undefined) : countIn(groups);
    if (ahead !== undefined) found.push({ form: `+${ahead}`, start: index, end: index + written.length });
  }
  for (const { 0: written, index, groups = {} } of text.matchAll(weekday())) {
    if (groups.past !== undefined) continue;
    const day = WEEKDAYS.findIndex((_, at) => groups[`w${at}`] !== undefined);
    const form = `w${day}${groups.next === undefined ? "" : "+"}`;
    found.push({ form, start: index, end: index + written.length });
  }
  const counted = found.filter((day) => isCount(text, day));
  const others = found.filter((day) => !isCount(text, day));
  return [
    ...counted.filter((day) => !isDoubtful(text, day, others)),
    ...others.filter((day) => !isDoubtful(text, day, counted)),
  ];
}

function countIn({ count = "", days }: Readonly<Record<string, string | undefined>>): number {
  const number = COUNTS.get(count) ?? Number(count);
  return days === undefined ? 7 * number : number;
}

/**
 * What a date is called today. The day is that of Greenwich: around midnight elsewhere a date may be called otherwise, and is asked about.
 * @param date `2026-3-3`. @param now in milliseconds.
 */
export function relativeForms(date: string, now: number): readonly string[] {
  const ahead = daysAhead(date, now);
  if (ahead === undefined || ahead < 0 || ahead > 400) return [];
  const day = new Date(now + ahead * DAY_MS).getUTCDay();
  return [
    `+${ahead}`,
    ...(ahead <= 7 ? [`w${day}`] : []),
    // Some mean the coming one by "next Tuesday", and some the one after it.
    ...(ahead >= 1 && ahead <= 14 ? [`w${day}+`] : []),
  ];
}

/** Negative for a day that is over. @param date `2026-3-3`. @param now in milliseconds. */
export function daysAhead(date: string, now: number): number | undefined {
  const [, year, month, day] = /^(\d{1,4})-(\d{1,2})-(\d{1,2})$/.exec(date) ?? [];
  if (year === undefined) return undefined;
  return Math.floor(Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY_MS) - Math.floor(now / DAY_MS);
}
