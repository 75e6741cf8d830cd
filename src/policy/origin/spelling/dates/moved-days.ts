/**
 * Whether the words around a relative day leave in doubt which day it is: `friday week`, `the day before friday`, `friday the 11th`, or
 * whether it is a day at all: `Mr Friday`, `the sun is out`. Then it counts for nothing, and a person is asked. Pure.
 */
import { lazyRegExp } from "../../../../lib/once.ts";
import { ordinals } from "./ordinals.ts";

interface Day {
  readonly form: string;
  readonly start: number;
  readonly end: number;
}

/** Words within this distance may move a day. */
const WORDS = 3;
/** Where those words stand. */
const AROUND = 60;

/** They make another day of it. */
const moves = lazyRegExp(
  String.raw`^(?:weeks?|fortnights?|after|before|from|but|except|next|following|other|wochen?|nach|vor|au(?:ß|ss)er|semanas?|despu[ée]s|antes|excepto|salvo|depois|semaines?|apr[èe]s|avant|sauf|settiman[ae]|dopo|prima|\d{1,2}(?:st|nd|rd|th))$`,
  "u",
);
/** The same in scripts without blanks. `下午` is the afternoon. */
const hanBefore = /(?:[再来來下次大上先前后後每毎除]|[周週](?![日天一二三四五六]))/u;
const hanAfter = /(?:[再次前后後除]|[下来來](?=[个個]?[周週星礼])|[周週](?![日天一二三四五六])|以外)/u;
const HAN_AROUND = 4;

/** The number of a day beside a weekday. After it an hour is none. */
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

/** @param text folded. @param days of the other kind: `in two weeks` beside a weekday is another day. */
export function isDoubtful(text: string, day: Day, days: readonly Day[]): boolean {
  const before = text.slice(Math.max(0, day.start - AROUND), day.start);
  const after = text.slice(day.end, day.end + AROUND);
  const written = text.slice(day.start, day.end);
  const isWeekday = day.form.startsWith("w");
  if (title().test(before) || (isWeekday && /^['’]s\s/u.test(after))) return true;
  if (ambiguous.test(written) && !preposition().test(before) && !timeBefore().test(before) && !timeAfter().test(after))
    return true;
  const words = [...wordsOf(before).slice(-WORDS), ...wordsOf(after).slice(0, WORDS)];
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
export const isCount = (text: string, { start, end }: Day): boolean =>
  /^(?:in|en|dentro|dans|tra|fra|em)\s/u.test(text.slice(start, end));

function isNear(text: string, day: Day, other: Day): boolean {
  // Most are far off: only the others cost a look.
  if (other.start > day.end + AROUND || day.start > other.end + AROUND) return false;
  const gap = other.start >= day.end ? text.slice(day.end, other.start) : text.slice(other.end, day.start);
  return wordsOf(gap).length < WORDS;
}
