/**
 * Detects results that only acknowledge their call: `{"ok":true}`, `{"status":"cancelled","booking_id":"B-1077"}`, `Booking B-1077 was cancelled.`
 * Such a result holds no text of a third party: its texts are values of the call, ids, times, and words of a fixed list; its keys are names of
 * fields. None of these words can give an order, because a result may bring back a text of a third party. So it brings no
 * untrusted text into a conversation. Its values are not more trusted because of it. Pure.
 */

import { isObject } from "../../../lib/json/json-value.ts";
import { parseStrictJson } from "../../../lib/json/strict-json.ts";
import { once } from "../../../lib/once.ts";
import { normalForm } from "../../../lib/text/normal-form.ts";
import { isAlsoNoun, verbOf } from "../../infer/verbs.ts";
import { nameWords } from "../roles/name-words.ts";

/** UTF-16 units. */
const MAX_RESULT = 500;
const MAX_TEXT = 120;
/** The shortest value of a call that may be a part of a text. Shorter ones must be the whole text: single letters can spell anything. */
const MIN_ECHO = 3;
const MAX_ECHO = 60;
const MAX_LEAVES = 12;
const MAX_DEPTH = 3;

const listOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

const STATES = `created added made stored saved written updated changed modified edited moved renamed copied replaced deleted removed cancelled
  canceled closed opened archived restored sent delivered queued scheduled rescheduled booked rebooked reserved refunded paid charged
  transferred assigned submitted posted published accepted confirmed approved received processed recorded logged started stopped enabled disabled
  pending active inactive success successful successfully succeeded done complete completed finished ok okay new id item items
  status result message mail email sms`;
const WORDS = listOf(
  `${STATES} yes true false null none the a an is was were are has have been your to for from of on at in with by all it
  erledigt gespeichert geloscht gesendet storniert geandert gebucht erstattet`,
);
/** Names of fields. */
const FIELDS = listOf(
  `${STATES} ids uuid ref reference number no code count total amount sum currency price date time datetime timestamp at start end type kind
  category name title label key value version data response results object entity details info user customer booking invoice payment refund
  ticket event thread conversation channel task account file size state error errors is was`,
);

/** Digits with few letters among them, behind a short mark: it spells no word. `B-1077`, `evt_8d2k31`. */
const ID = /^#?(?:([a-z]+)[-_])?(?:[a-z]{0,2}\d+|\d+(?:[a-z]\d+)*[a-z]?)$/i;
const MAX_MARK = 3;
/** An account's number is longer. */
const MAX_ID = 16;
const AMOUNT = /^-?\d{1,12}(?:\.\d{1,6})?$/;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\d(?:T[\d:.]{5,12}(?:Z|[+-]\d\d:\d\d)?)?$|^\d{1,2}:\d\d$/;
const KEY = /^[\p{L}_][\p{L}\d_-]{0,31}$/u;
const MAX_KEY_WORDS = 3;

/** @param args of the call, as they were sent. */
export function isAcknowledgement(tool: string, args: () => unknown, result: string): boolean {
  if (result.length > MAX_RESULT) return false;
  const found = parsed(result);
  if (!found) return false;
  const own = new Set(nameWords(tool).filter(isNamed));
  // Most results do not need them.
  const sent = once(() => contentsOf(args()) ?? { keys: [], leaves: [] });
  const echoes = once(() => new Set(sent().leaves.filter((leaf) => leaf !== "")));
  const fields = once(() => new Set(sent().keys.flatMap(nameWords)));
  const isField = (word: string) => FIELDS.has(word) || own.has(word) || fields().has(word);
  return (
    found.keys.every((key) => KEY.test(key) && isShort(nameWords(key)) && nameWords(key).every(isField)) &&
    found.leaves.every((leaf) => saysNothingNew(leaf, echoes, own))
  );
}

const isShort = (words: readonly string[]): boolean => words.length <= MAX_KEY_WORDS;

/** "Booking" of `cancel_booking`, without its verb: "cancel booking 7" would be an order. */
function isNamed(word: string, at: number): boolean {
  const verb = verbOf(word);
  return verb === undefined || verb.form === "ing" || (at > 0 && isAlsoNoun(word));
}

function saysNothingNew(text: string, echoes: () => ReadonlySet<string>, own: ReadonlySet<string>): boolean {
  if (text.length <= MAX_TEXT && isKnown(text, own)) return true;
  if (echoes().has(text)) return true;
  if (text.length > MAX_TEXT) return false;
  const short = [...echoes()].filter(({ length }) => length >= MIN_ECHO && length <= MAX_ECHO);
  let rest = text;
  for (const echo of short.sort((a, b) => b.length - a.length)) rest = rest.replaceAll(echo, " ");
  return rest !== text && isKnown(rest, own);
}

const isKnown = (text: string, own: ReadonlySet<string>): boolean =>
  normalForm(text, "NFKD")
    .replace(/\p{M}/gu, "")
    .split(/[\s,;!"'`()[\]]+|[.:](?=\s|$)/u)
    .every((word) => word === "" || isKnownWord(word.toLowerCase(), own));

const isKnownWord = (word: string, own: ReadonlySet<string>): boolean =>
  WORDS.has(word) ||
  own.has(word) ||
  isId(word, own) ||
  AMOUNT.test(word) ||
  UUID.test(word) ||
  TIME.test(word.toUpperCase());

function isId(word: string, own: ReadonlySet<string>): boolean {
  const [found, mark = ""] = (word.length <= MAX_ID && ID.exec(word)) || [];
  if (found === undefined) return false;
  const [digits, letters] = [/\d/g, /[a-z]/g].map((one) => word.slice(mark.length).match(one)?.length ?? 0);
  if (Number(letters) * 2 > Number(digits)) return false;
  return WORDS.has(mark) || own.has(mark) || (mark.length <= MAX_MARK && verbOf(mark) === undefined);
}

interface Contents {
  readonly keys: readonly string[];
  readonly leaves: readonly string[];
}

/** The keys and the values of a JSON value; undefined if it has too many. */
function contentsOf(value: unknown): Contents | undefined {
  const [keys, leaves]: [string[], string[]] = [[], []];
  const read = (one: unknown, depth: number): boolean => {
    if (typeof one !== "object" || one === null) leaves.push(String(one));
    else if (depth >= MAX_DEPTH) return false;
    else {
      if (isObject(one)) keys.push(...Object.keys(one));
      if (!Object.values(one).every((member) => read(member, depth + 1))) return false;
    }
    return leaves.length <= MAX_LEAVES && keys.length <= MAX_LEAVES;
  };
  return read(value, 0) ? { keys, leaves } : undefined;
}

/** A key that occurs twice would hide its first value. */
function parsed(text: string): Contents | undefined {
  const json = parseStrictJson(text, "nearest");
  if (json.ok) return contentsOf(json.value);
  return json.error.problem === "syntax" ? contentsOf(text) : undefined;
}
