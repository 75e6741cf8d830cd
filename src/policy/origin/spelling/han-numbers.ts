/** Reads numbers in Chinese, Japanese and Korean writing: `三つ`, `两箱`, `五百块`, `1.5万元`, `3만원`, `두 개`, `ゼロ`. Pure. */
import { lazyRegExp, once } from "../../../lib/once.ts";
import type { NumberPlace } from "./number-words.ts";

const DIGITS = "〇一二三四五六七八九";
const KOREAN_DIGITS = "영일이삼사오육칠팔구";
const UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000, 십: 10, 백: 100, 천: 1_000 };
const LARGE: Readonly<Record<string, number>> = { 万: 1e4, 萬: 1e4, 만: 1e4, 億: 1e8, 亿: 1e8, 억: 1e8 };
const NATIVE = "하나 두 세 네 다섯 여섯 일곱 여덟 아홉 열".split(" ");

const HAN = "〇零一二三四五六七八九两兩十百千万萬億亿";
const HANGUL = "일이삼사오육칠팔구십백천만억";
/** Counters and counted things. Without one a numeral is often a part of a word: `十分`, `百度`, `万一`. */
const COUNTERS =
  "つ|個|个|箱|件|份|台|本|张|張|枚|冊|瓶|盒|包|袋|块|元|円|人(?!民)|位|名|杯|只|条|套|双|斤|公斤|美元|欧元|日元|ドル|ユーロ|缶|セット|ケース|パック|把|支|辆|间|次|回|股|吨|米|克|升|颗|粒|棵|朵|封|篇|页|头|匹|足|頭|羽|着|食|泊";
const KOREAN_COUNTERS = "원|달러|유로|개|명|병|박스|상자|잔|권|장|대|마리|봉지|켤레|통";

const patterns = once(() => ({
  han: lazyRegExp(String.raw`(?<![第\d.,${HAN}])(?<run>[${HAN}]{1,12})\s?(?:${COUNTERS})`, "gu"),
  hangul: lazyRegExp(
    String.raw`(?<![\d.,\p{sc=Hang}])(?<run>[${HANGUL}]{0,10}[십백천만억][${HANGUL}]{0,10})\s?(?:${KOREAN_COUNTERS})`,
    "gu",
  ),
  digits: lazyRegExp(
    String.raw`(?<![\p{sc=Latin}\d.,${HAN}-])(?<run>\d{1,4}(?:\.\d{1,2})?[百千万萬億亿백천만억](?:\d{1,4}[百千万萬백천만]|(?<=[百千백천])[万萬만]){0,5}(?:(?<=[万萬만])\d{4})?)(?![\d${HAN}십백천만억])`,
    "gu",
  ),
  native: lazyRegExp(
    String.raw`(?<![\d\p{sc=Hang}])(?<native>${NATIVE.join("|")})\s?(?:${KOREAN_COUNTERS.replace("원|달러|유로|", "")})`,
    "gu",
  ),
}));

/** A zero that something becomes has no counter: `设为零`, `ゼロにする`, `영으로`. In `零售` and `영화` the sign is a part of a word. */
const nothing = lazyRegExp(
  String.raw`(?<=[为為成到至是归歸])零(?![\p{sc=Han}\d.])|(?<=[をがはも])零(?=[にでへと])|(?<!\p{sc=Kana}|ー)ゼロ(?!\p{sc=Kana}|ー|[\d.])|(?<!\p{sc=Hang})(?:영|제로)(?=(?:으?로|이다|입니다|개)(?!\p{sc=Hang}))`,
  "gu",
);

/** @param text folded. */
export function hanNumbersIn(text: string): readonly NumberPlace[] {
  const places: NumberPlace[] = [];
  for (const pattern of Object.values(patterns()))
    for (const { 0: written, index, groups } of text.matchAll(pattern())) {
      const value = groups?.native === undefined ? numberOf(groups?.run ?? "") : NATIVE.indexOf(groups.native) + 1;
      // `一个` and `一张` mean "a": they are no chosen number.
      if (value === undefined || groups?.run === "一") continue;
      places.push({ value, start: index, end: index + written.length });
    }
  for (const { 0: written, index } of text.matchAll(nothing()))
    places.push({ value: 0, start: index, end: index + written.length });
  return places;
}

const parts = /\d+(?:\.\d+)?|./gu;

/** Undefined if the signs make no number, or could be read in two ways (`一百五`). */
function numberOf(run: string): number | undefined {
  let [total, section, smallest, smallestLarge] = [0, 0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let pending: number | undefined;
  let isAfterZero = false;
  for (const [part] of run.matchAll(parts)) {
    const digit = digitOf(part);
    const [unit, large] = [UNITS[part], LARGE[part]];
    if (part === "零") isAfterZero = true;
    else if (digit !== undefined) {
      if (pending !== undefined) return undefined;
      pending = digit;
    } else if (unit !== undefined) {
      if (unit >= smallest) return undefined;
      section += Math.round((pending ?? 1) * unit);
      [pending, smallest, isAfterZero] = [undefined, unit, false];
    } else if (large !== undefined) {
      if (large >= smallestLarge) return undefined;
      const count = section + (pending ?? 0);
      if (count === 0 && part !== "만") return undefined;
      total += Math.round((count || 1) * large);
      [section, pending, smallest, smallestLarge, isAfterZero] = [0, undefined, Number.POSITIVE_INFINITY, large, false];
    } else return undefined;
  }
  const last = Math.min(smallest, smallestLarge);
  if (pending !== undefined && pending < 1_000 && last > 10 && last !== Number.POSITIVE_INFINITY && !isAfterZero)
    return undefined;
  return total + section + (pending ?? 0);
}

function digitOf(part: string): number | undefined {
  if (/^\d/.test(part)) return Number(part);
  if (part === "两" || part === "兩") return 2;
  const [han, korean] = [DIGITS.indexOf(part), KOREAN_DIGITS.indexOf(part)];
  return han >= 0 ? han : korean >= 0 ? korean : undefined;
}
