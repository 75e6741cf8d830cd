/**
 * The sources that values of a call may come from: the user's own words, trusted results, directories, results that the user endorsed.
 * Never the assistant's words, and never a part of a longer text. Pure.
 *
 * Nothing is read before a value is looked for. Each message is read once, and kept in bounded space.
 */

import { boundedCache, CACHE_BYTES } from "../../../lib/bounded-cache.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { lazyRegExp, once } from "../../../lib/once.ts";
import type { MessagePlace } from "../../reasons.ts";
import { delegates, isGoAhead } from "../delegation.ts";
import type { FoundInstruction } from "../origin-types.ts";
import { givesReceiver, mayBeOrdinary } from "../receiver-words.ts";
import { addressOfMailbox, canonicalToken, folded, isComparable } from "../spelling/canonical.ts";
import { type ComparedValue, readValue } from "../spelling/compared-value.ts";
import { occurrenceIn, readWritten, standsIn, type WrittenText } from "../spelling/written-text.ts";
import { leavesAmountOpen, statesAmount } from "../stated-amount.ts";
import { foldMessage, placeInMessages } from "./message-place.ts";
import {
  isReferenced,
  leafText,
  leavesWith,
  type ResultValues,
  readResult,
  type SoughtValue,
  soughtValue,
} from "./result-values.ts";
import { isTrustedAt, type Trust } from "./trust.ts";

/** A message's own words (without fences, quotes, wrappers and pasted documents), or a tool's result. */
export type SourceText =
  | {
      readonly kind: "user";
      readonly text: string;
      /** With what the user quoted and pasted. Absent: there is none. */
      readonly whole?: string;
    }
  | {
      readonly kind: "result";
      readonly tool: string;
      readonly callId: string;
      readonly text: string;
      readonly trust: Trust;
      readonly directory?: boolean;
      /** Instructions to the model in it. A function, since this search costs more than the search for a value. */
      readonly instruction?: (() => FoundInstruction | undefined) | undefined;
    };

export type OriginKind = "user" | "trusted" | "directory" | "reference" | "endorsed";

export interface Origin {
  readonly kind: OriginKind;
  /** The tool whose result holds it. */
  readonly tool?: string;
}

/** The untrusted result that holds a value. */
export interface UntrustedPlace {
  readonly tool: string;
  readonly callId: string;
  /** SHA-256 of the result's text. */
  readonly digest: string;
  /** An endorsement of the result grounds the value. */
  readonly isWhole: boolean;
  /** Instructions to the model in the result. */
  readonly instruction?: (() => FoundInstruction | undefined) | undefined;
}

export interface Sources {
  /** Undefined: the value is not grounded. */
  originOf(value: string | number): Origin | undefined;
  /** Undefined if no result holds it: the model made it. */
  whereFrom(value: string | number): UntrustedPlace | undefined;
  /** How the user's messages hold a value that is not grounded. Undefined if they do not. */
  placeInMessages(value: string | number): MessagePlace | undefined;
  /** Whether any text holds the value, in any spelling and in whatever sense: a result, or what the user wrote, quoted or pasted. */
  holds(value: string | number): boolean;
  /** Whether a value of the user is named as a receiver, and not only an ordinary word of theirs. */
  givesReceiver(value: string | number): boolean;
  /** The user's last message lets a text, or the assistant, decide what is to be done. */
  delegates(): boolean;
  /** The user's last message says how much to pay. */
  statesAmount(): boolean;
  /** It leaves the amount to be worked out, or to a text. */
  leavesAmountOpen(): boolean;
}

export interface SourceSettings {
  /** Globs of mail addresses and hosts: `*@corp.com`. */
  readonly directory?: readonly string[];
  /** SHA-256 of the texts of the results that the user endorsed for this task. */
  readonly endorsed?: ReadonlySet<string>;
  /** In milliseconds: a date without a year is near it, and `tomorrow` is the next day. */
  readonly now?: number;
  /** Whether a call wrote the value after untrusted text: then no trusted result grounds it. */
  readonly isTainted?: (value: string) => boolean;
}

type Result = Extract<SourceText, { kind: "result" }>;

const writtenTexts = boundedCache<WrittenText>({ maxBytes: CACHE_BYTES.writtenTexts });
const resultLeaves = boundedCache<WrittenText>({ maxBytes: CACHE_BYTES.resultLeaves });
const resultValues = boundedCache<ResultValues>({ maxBytes: CACHE_BYTES.resultValues });

/** A result; each part is read once for all values of a call. */
interface LazyResult {
  readonly source: Result;
  readonly values: () => ResultValues;
  /** All values, of any length: an endorsement covers everything in the result. */
  readonly leaves: () => WrittenText;
  /** SHA-256 of the result's text. */
  readonly digest: () => string;
}

const lazyResult = (source: Result): LazyResult => ({
  source,
  values: once(() => valuesOf(source.text)),
  leaves: once(() => leavesOf(source.text)),
  digest: once(() => sha256Hex(source.text)),
});

export function sourcesOf(texts: readonly SourceText[], settings: SourceSettings = {}): Sources {
  const results = texts.filter((text) => text.kind === "result").map(lazyResult);
  const users = texts.filter((text) => text.kind === "user");
  const { endorsed = new Set(), directory = [], now } = settings;
  const written = once(() => users.map(({ text }) => writtenOf(text)));
  const messages = once(() => users.map(foldMessage));
  /** The last message that contains it decides: "not to Anna" takes back an earlier Anna. */
  const isUsers = (value: ComparedValue): boolean => {
    const all = written();
    for (let at = all.length - 1; at >= 0; at -= 1) {
      const one = all[at];
      const occurrence = one && occurrenceIn(one, value, now, all[at + 1]);
      if (occurrence !== "absent") return occurrence === "stands";
    }
    return false;
  };
  const last = users.at(-1)?.text ?? "";
  return {
    originOf(value) {
      const compared = readValue(value);
      if (compared === undefined) return undefined;
      if (isUsers(compared) && !isKeyOf(results, value)) return { kind: "user" };
      if (typeof value === "string" && directory.some((glob) => isInDirectory(glob, value)))
        return { kind: "directory" };
      const sought = once(() => soughtValue(value));
      for (const result of settings.isTainted?.(String(value)) ? [] : results) {
        const origin = originIn(result, sought, isUsers);
        if (origin) return origin;
      }
      if (endorsed.size === 0) return undefined;
      const held = results.find((one) => endorsed.has(one.digest()) && standsIn(one.leaves(), compared));
      return held && { kind: "endorsed", tool: held.source.tool };
    },
    givesReceiver: (value) =>
      !mayBeOrdinary(value) ||
      givesReceiver(
        users.map(({ text }) => text),
        value,
      ),
    whereFrom: (value) => placeOf(results, value),
    placeInMessages: (value) => placeInMessages(messages(), value),
    holds(value) {
      const compared = readValue(value);
      const isIn = (text: WrittenText) => compared !== undefined && occurrenceIn(text, compared, now) !== "absent";
      if (placeInMessages(messages(), value) !== undefined || results.some(({ leaves }) => isIn(leaves()))) return true;
      return users.some(({ text, whole = text }) => isIn(writtenOf(whole)));
    },
    delegates: () => delegates(last) || isGoAhead(last),
    statesAmount: () => statesAmount(last),
    leavesAmountOpen: () => leavesAmountOpen(last) || (delegates(last) && !statesAmount(last)),
  };
}

/** "Share it with its owner" means the member `owner` of a record, which has a value of its own. */
function isKeyOf(results: readonly LazyResult[], value: string | number): boolean {
  if (typeof value !== "string" || !/^[a-z_]{3,30}$/i.test(value)) return false;
  return results.some((one) => mayGround(one.source) && one.values().leaves.some(({ key }) => key === value));
}

const mayGround = ({ trust, directory }: Result): boolean =>
  trust.whole || directory === true || trust.fields.length > 0;

/** Two addresses in one text, as a third party may write into a record of their own: only the user may choose such a list. */
const holdsSeveral = (value: string | number): boolean =>
  typeof value === "string" && /@[^@]*[,;\s|][^@]*@/.test(value);

function originIn(
  { source, values }: LazyResult,
  sought: () => SoughtValue,
  isUsers: (name: ComparedValue) => boolean,
): Origin | undefined {
  const { trust, directory, tool } = source;
  if (!mayGround(source)) return undefined;
  // Lines of a text without fields are no fields: such a result is trusted whole or not at all.
  const found = leavesWith(values(), sought());
  const known = { whole: trust.whole || directory === true, fields: trust.fields };
  if (!holdsSeveral(sought().value) && found.some(({ pointer }) => isTrustedAt(known, pointer)))
    return { kind: directory ? "directory" : "trusted", tool };
  return isReferenced(values(), trust, found, isUsers) ? { kind: "reference", tool } : undefined;
}

function writtenOf(text: string): WrittenText {
  const known = writtenTexts.get(text);
  if (known) return known;
  // A slice of a longer message would keep all of it in memory.
  const own = JSON.parse(JSON.stringify(text)) as string;
  const written = readWritten(withMissingBlanks(own));
  writtenTexts.set(own, written, bytesOf(written));
  return written;
}

/** Its letters, and their groups. */
const bytesOf = ({ folded: { length } }: WrittenText): number => 3 * length + 150;

function leavesOf(text: string): WrittenText {
  const known = resultLeaves.get(text);
  if (known) return known;
  const written = readWritten(leafText(text));
  resultLeaves.set(text, written, bytesOf(written));
  return written;
}

function valuesOf(text: string): ResultValues {
  const known = resultValues.get(text);
  if (known) return known;
  const values = readResult(text);
  resultValues.set(text, values, values.bytes);
  return values;
}

/** `*` matches letters, digits and `._%+-`, but no `@`, slash or separator of addresses. */
function isInDirectory(glob: string, value: string): boolean {
  if (!isComparable(value) || value.length > 320) return false;
  const text = canonicalToken(folded(addressOfMailbox(value) ?? value.trim()));
  const parts = folded(glob.trim()).split("*");
  if (parts.length === 1) return text === parts[0];
  const pattern = parts.map(escaped).join("[\\p{L}\\p{N}._%+-]+");
  return new RegExp(`^${pattern}$`, "u").test(text);
}

/** Whether a text holds a value. A pattern that ignores case: lower-casing the whole text takes ten times as long. */
function searchFor(wanted: string): (text: string) => boolean {
  const bare = canonicalToken(folded(wanted));
  const isOther = bare.length > 3 && bare !== wanted.toLowerCase();
  const ofAnyCase = (form: string) => (/\p{L}/u.test(form) ? new RegExp(escaped(form), "iu") : form);
  const forms = [...new Set([wanted, ofAnyCase(wanted), ...(isOther ? [ofAnyCase(bare)] : [])])];
  return (text) => forms.some((form) => (typeof form === "string" ? text.includes(form) : form.test(text)));
}

/** A digit in an id is no number of its own: `A-1050` holds no 0. */
function searchForNumber(wanted: string): (text: string) => boolean {
  return (text) => {
    // A text may be one long row of digits: then it is not searched to its end.
    let at = text.indexOf(wanted);
    for (let looks = 0; at !== -1 && looks < MAX_LOOKS; looks += 1, at = text.indexOf(wanted, at + 1)) {
      const end = at + wanted.length;
      if (!goesOnBefore.test(text.slice(Math.max(0, at - 2), at)) && !goesOn.test(text.slice(end, end + 20)))
        return true;
    }
    return false;
  };
}

const MAX_LOOKS = 1_000;
const goesOnBefore = /(?:[\p{L}\p{N}_]|[\p{L}\p{N}][-–./:,'’])$/u;
const goesOn = /^(?:[\p{N}_]|[-–./:,'’]?\p{L}*\p{N})/u;

const escaped = (text: string): string => text.replace(/[$^.*+?()[\]{}|\\/]/g, "\\$&");

/** The last result with the value: it is what the model read most recently. */
function placeOf(results: readonly LazyResult[], value: string | number): UntrustedPlace | undefined {
  const wanted = String(value).trim();
  if (wanted === "" || wanted.length > 1_000) return undefined;
  const holdsValue = typeof value === "number" ? searchForNumber(wanted) : searchFor(wanted);
  const compared = once(() => readValue(value));
  const digits = /\d+/.exec(wanted)?.[0] ?? wanted;
  for (const { source, leaves, digest } of results.toReversed()) {
    const { tool, callId, text } = source;
    const isWhole = once(() => {
      const sought = compared();
      return sought !== undefined && standsIn(leaves(), sought);
    });
    // A number has other spellings: `[0,1]` in compact JSON, `12,50`.
    if (!holdsValue(text) && !(typeof value === "number" && text.includes(digits) && isWhole())) continue;
    return { tool, callId, digest: digest(), isWhole: isWhole(), instruction: source.instruction };
  }
  return undefined;
}

/** A sentence begins without a blank behind an address: "post it to www.example.com.They wait for it". No domain is written so. */
const glued = lazyRegExp(
  String.raw`((?:https?://|\bwww\.|@)[\w-]{1,63}(?:\.[a-z\d-]{1,63}){0,8}\.[a-z]{2,})\.(?=[A-Z][a-z]{2,} [a-z])`,
  "g",
);

/** @param text the user's own words: in untrusted text this would cut an address into another one. */
const withMissingBlanks = (text: string): string => (text.includes(".") ? text.replace(glued(), "$1. ") : text);
