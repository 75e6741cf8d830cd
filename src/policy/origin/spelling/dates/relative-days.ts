/**
 * Reads days relative to the writer's today: `tomorrow`, `übermorgen`, `in two weeks`, `next Tuesday`, `el martes`, `周三`. Pure.
 *
 * Which day that is depends on when it is read. So a text gives forms without a date: `+1` for tomorrow, `w2` for the Tuesday of the coming
 * week, `w2+` for one of the next two. `relativeForms` gives the forms that a date has today.
 */
import { lazyRegExp } from "../../../../lib/once.ts";
import { DAY_MS } from "../../../../lib/time.ts";
import { ordinals } from "./ordinals.ts";

/** With the number of days from today. */
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
/** German, as in diaries. They are words of other languages, so they count only if a time follows. */
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

/** A relative day in a text, and its form. */
interface RelativeDay {
  readonly form: string;
  readonly start: number;
  readonly end: number;
}

/** Longer texts are not typed orders. */
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
 * The names of a date today. The day is that of Greenwich: near midnight, users elsewhere may have another name for it, and are asked.
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

interface Day {
  readonly form: string;
  readonly start: number;
  readonly end: number;
}

/** Words within this distance may move a day. */
const NEAR_WORDS = 3;
/** UTF-16 units in which those words are searched for. */
const AROUND = 60;

/** Words that make it another day. */
const moves = lazyRegExp(
  String.raw`^(?:weeks?|fortnights?|after|before|from|but|except|next|following|other|wochen?|nach|vor|au(?:ß|ss)er|semanas?|despu[ée]s|antes|excepto|salvo|depois|semaines?|apr[èe]s|avant|sauf|settiman[ae]|dopo|prima|\d{1,2}(?:st|nd|rd|th))$`,
  "u",
);
/** The same in scripts without blanks. `下午` is the afternoon. */
const hanBefore = /(?:[再来來下次大上先前后後每毎除]|[周週](?![日天一二三四五六]))/u;
const hanAfter = /(?:[再次前后後除]|[下来來](?=[个個]?[周週星礼])|[周週](?![日天一二三四五六])|以外)/u;
const HAN_AROUND = 4;

/** The number of a day next to a weekday. An hour after it is no such number. */
const numberAfter = lazyRegExp(
  String.raw`^(?:日|\s?曜日)?[\s,.(（、]{0,3}(?:(?:the|den|dem|der|el|le|il|am|día|dia)\s)?(?:\d{1,2}(?![\d:]|\.\d|\s?(?:[ap]\.?m|uhr|h(?!\p{L})|時|点|點|o['’]clock))|en\s(?:huit|quinze)(?!\sheures)|[一二三四五六七八九十]{1,3}[月日号號])`,
  "u",
);
const numberBefore = /[\d一二三四五六七八九十]\s?(?:[日号號]|\.|st|nd|rd|th)[\s,(（]{0,2}$/u;

/** Words that are also names or of another language. */
const ambiguous = /^(?:sun|mon|tues?|weds?|thurs?|thu|fri|sat|domingo|morgen|mañana)$/u;
const preposition = lazyRegExp(
  String.raw`(?:^|[^\p{L}])(?:on|this|until|till|für|bis|ab|auf|para|este|el|desde)\s$`,
  "u",
);
const timeBefore = lazyRegExp(String.raw`\d\s?(?::\d{2}|[ap]\.?m\.?|uhr|h)[,\s]{1,2}$`, "u");
const timeAfter = lazyRegExp(
  String.raw`^[.,]{0,2}\s?(?:(?:at|um|ab|gegen)\s(?:\d|half|quarter|noon|halb|viertel|\p{L}+\suhr)|a\slas?\s|à\s\d|\d{1,2}(?:[:.]\d{2}|\s?(?:[ap]\.?m|uhr|h(?!\p{L})))|(?:noon|morning|afternoon|evening|früh|vormittag|mittag|nachmittag|abend)(?!\p{L})|por\sla\s)`,
  "u",
);
/** A name or a feast. */
const title = lazyRegExp(
  String.raw`(?:^|[^\p{L}])(?:mr|mrs|ms|miss|dr|herrn?|frau|señora?|sra?|paciente|called|named|good|black|ash|cyber|easter|palm|holy|casual|una|cada|otra|hasta)\.?\s$`,
  "u",
);

/**
 * Whether the words around a relative day leave in doubt which day it is (`friday week`, `the day before friday`, `friday the 11th`), or
 * whether it is a day at all (`Mr Friday`, `the sun is out`). Then it does not count, and the user is asked.
 * @param text folded. @param days of the other kind: `in two weeks` next to a weekday is another day.
 */
function isDoubtful(text: string, day: Day, days: readonly Day[]): boolean {
  const before = text.slice(Math.max(0, day.start - AROUND), day.start);
  const after = text.slice(day.end, day.end + AROUND);
  const written = text.slice(day.start, day.end);
  const isWeekday = day.form.startsWith("w");
  if (title().test(before) || (isWeekday && /^['’]s\s/u.test(after))) return true;
  if (ambiguous.test(written) && !preposition().test(before) && !timeBefore().test(before) && !timeAfter().test(after))
    return true;
  const words = [...wordsOf(before).slice(-NEAR_WORDS), ...wordsOf(after).slice(0, NEAR_WORDS)];
  if (words.some((word) => moves().test(word))) return true;
  if (hanBefore.test(before.slice(-HAN_AROUND)) || hanAfter.test(after.slice(0, HAN_AROUND))) return true;
  if (days.some((other) => isNear(text, day, other))) return true;
  if (!isWeekday) return false;
  return numberAfter().test(after) || numberBefore.test(before) || words.some((word) => ordinals().has(word));
}

/** Without articles. */
const wordsOf = (text: string): readonly string[] =>
  (text.match(/[\p{L}\p{N}-]+/gu) ?? []).filter(
    (word) => !/^(?:the|an?|of|der|die|das|den|de|del|la|el|le)$/.test(word),
  );

/** `in two weeks`, `dans 3 jours`. */
const isCount = (text: string, { start, end }: Day): boolean =>
  /^(?:in|en|dentro|dans|tra|fra|em)\s/u.test(text.slice(start, end));

function isNear(text: string, day: Day, other: Day): boolean {
  // Most are far away: only near ones are checked.
  if (other.start > day.end + AROUND || day.start > other.end + AROUND) return false;
  const gap = other.start >= day.end ? text.slice(day.end, other.start) : text.slice(other.end, day.start);
  return wordsOf(gap).length < NEAR_WORDS;
}
