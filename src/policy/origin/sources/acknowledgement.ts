/**
 * Whether a result only acknowledges its call: `{"ok":true}`, `{"status":"cancelled","booking_id":"B-1077"}`, `Booking B-1077 was cancelled.`
 * Such a result holds no words of anybody's: its texts are values of the call, ids, times, and words of a fixed list. So it brings no
 * untrusted text into a conversation. Its values are no more trusted for it. Pure.
 */
import { isObject } from "../../../lib/json/json-value.ts";
import { nameWords } from "../roles/name-words.ts";

/** UTF-16 units. */
const MAX_RESULT = 500;
const MAX_TEXT = 120;
/** Of a call's values that may stand within a text. Others must be the whole text: of single letters anything can be spelt. */
const MIN_ECHO = 3;
const MAX_ECHO = 60;
const MAX_LEAVES = 12;
const MAX_DEPTH = 3;

const WORDS: ReadonlySet<string> = new Set(
  (
    "ok okay yes true false null none success successful successfully succeeded done complete completed finished status result message mail email sms state " +
    "created added made stored saved written updated changed modified edited moved renamed copied set replaced deleted removed cancelled " +
    "canceled closed opened archived restored sent delivered queued scheduled rescheduled booked rebooked reserved refunded paid charged " +
    "transferred assigned submitted posted published accepted confirmed approved received processed recorded logged started stopped enabled disabled " +
    "pending active inactive the a an is was were are has have been be your to for from of on at in with by id new now all it item items " +
    "erledigt gespeichert geloscht gesendet storniert geandert gebucht erstattet"
  ).split(" "),
);

/** A number, or an id in which no word can be read: `B-1077`, `evt_8d2k31`. */
const ID = /^#?(?:[a-z]{1,6}[-_])?(?:[a-z]{0,4}\d)+[a-z]{0,4}$/i;
/** An account's number is longer. */
const MAX_ID = 16;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\d(?:T[\d:.]{5,12}(?:Z|[+-]\d\d:\d\d)?)?$|^\d{1,2}:\d\d$/;
const KEY = /^[\p{L}_][\p{L}\d_-]{0,31}$/u;
const MAX_KEY_WORDS = 3;

/** @param args of the call, as they were sent. */
export function isAcknowledgement(tool: string, args: unknown, result: string): boolean {
  if (result.length > MAX_RESULT) return false;
  const echoes = new Set(leavesOf(args)?.map(String));
  const own = new Set(nameWords(tool));
  const leaves = leavesOf(parsed(result));
  return leaves?.every((leaf) => typeof leaf === "number" || saysNothingNew(leaf, echoes, own)) ?? false;
}

function saysNothingNew(text: string, echoes: ReadonlySet<string>, own: ReadonlySet<string>): boolean {
  if (echoes.has(text)) return true;
  if (text.length > MAX_TEXT) return false;
  const short = [...echoes].filter(({ length }) => length >= MIN_ECHO && length <= MAX_ECHO);
  let rest = text;
  for (const echo of short.sort((a, b) => b.length - a.length)) rest = rest.replaceAll(echo, " ");
  return rest
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .split(/[\s,;!"'`()[\]]+|[.:](?=\s|$)/u)
    .filter((word) => word !== "")
    .every((word) => isKnownWord(word.toLowerCase(), own));
}

const isKnownWord = (word: string, own: ReadonlySet<string>): boolean =>
  WORDS.has(word) ||
  own.has(word) ||
  (word.length <= MAX_ID && ID.test(word)) ||
  UUID.test(word) ||
  TIME.test(word.toUpperCase());

/** The texts and numbers of a value; undefined where it has too many, or a key that could be a sentence. */
function leavesOf(value: unknown, depth = 0): (string | number)[] | undefined {
  if (value === null || value === undefined || typeof value === "boolean") return [];
  if (typeof value === "string" || typeof value === "number") return [value];
  if (depth >= MAX_DEPTH) return undefined;
  if (isObject(value) && !Object.keys(value).every((key) => KEY.test(key) && nameWords(key).length <= MAX_KEY_WORDS))
    return undefined;
  const found: (string | number)[] = [];
  for (const one of Object.values(value as object)) {
    const leaves = leavesOf(one, depth + 1);
    if (!leaves) return undefined;
    found.push(...leaves);
    if (found.length > MAX_LEAVES) return undefined;
  }
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
