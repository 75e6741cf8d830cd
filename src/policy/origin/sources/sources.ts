/**
 * Where the values of a call may come from: the user's own words, trusted results, directories, sources that a person endorsed.
 * Never the assistant's words, and never a part of a longer text. Pure.
 *
 * Nothing is read before a value is looked for. Each message is read once: what was read is kept in bounded space, by digest.
 */
import { boundedCache, CACHE_BYTES } from "../../../lib/bounded-cache.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { beginningOf } from "../../../lib/text/visible-text.ts";
import { delegates } from "../delegation.ts";
import { addressOfMailbox, canonicalToken, folded, isComparable } from "../spelling/canonical.ts";
import { type ComparedValue, readValue } from "../spelling/compared-value.ts";
import { mayCorrect } from "../spelling/corrections.ts";
import { readWritten, standingIn, standsIn, type WrittenText } from "../spelling/written-text.ts";
import { isReferenced, leafText, leavesWith, type ResultValues, readResult } from "./result-values.ts";
import { isTrustedAt, type Trust } from "./trust.ts";

/** A message's own words (without fences, quotes, wrappers and pasted documents), or a tool's result. */
export type SourceText =
  | { readonly kind: "user"; readonly text: string }
  | {
      readonly kind: "result";
      readonly tool: string;
      readonly callId: string;
      readonly text: string;
      readonly trust: Trust;
      readonly directory?: boolean;
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
  /** The value with what stands around it, as it was written. */
  readonly excerpt: string;
  /** SHA-256 of the result's text. */
  readonly digest: string;
  /** An endorsement of the result grounds the value. */
  readonly isWhole: boolean;
}

export interface Sources {
  /** Undefined: the value is not grounded. */
  originOf(value: string | number): Origin | undefined;
  /** Undefined where no result holds it: the model made it. */
  whereFrom(value: string | number): UntrustedPlace | undefined;
  /** The user's last message leaves it to a text what is to be done. */
  delegates(): boolean;
}

export interface SourceSettings {
  /** Globs of mail addresses and hosts: `*@corp.com`. */
  readonly directory?: readonly string[];
  /** SHA-256 of the texts of the results that a person endorsed for this task. */
  readonly endorsed?: ReadonlySet<string>;
  /** The present one: a date that the user writes without a year lies near it. */
  readonly year?: number;
  /** Whether a call wrote the value after untrusted text: then no trusted result grounds it. */
  readonly isStored?: (value: string) => boolean;
}

type Result = Extract<SourceText, { kind: "result" }>;

const writtenTexts = boundedCache<WrittenText>({ maxBytes: CACHE_BYTES.writtenTexts });
const resultValues = boundedCache<ResultValues>({ maxBytes: CACHE_BYTES.resultValues });

export function sourcesOf(texts: readonly SourceText[], settings: SourceSettings = {}): Sources {
  const results = texts.filter((text) => text.kind === "result");
  const users = texts.filter((text) => text.kind === "user");
  const { endorsed = new Set(), directory = [], year } = settings;
  const digestOf = digestsOfTexts();
  let written: readonly WrittenText[] | undefined;
  /** The last message that holds it decides: "not to Anna" takes back an earlier Anna. */
  const isUsers = (value: ComparedValue): boolean => {
    written ??= users.map(({ text }, at) => writtenOf(text, digestOf(text), users[at + 1]?.text));
    for (const one of written.toReversed()) {
      const standing = standingIn(one, value, year);
      if (standing !== "absent") return standing === "stands";
    }
    return false;
  };
  return {
    originOf(value) {
      const compared = readValue(value);
      if (compared === undefined) return undefined;
      if (isUsers(compared) && !isKeyOf(results, value, digestOf)) return { kind: "user" };
      if (typeof value === "string" && directory.some((glob) => matchesGlob(glob, value))) return { kind: "directory" };
      for (const result of settings.isStored?.(String(value)) ? [] : results) {
        const origin = originIn(result, value, isUsers, digestOf);
        if (origin) return origin;
      }
      if (endorsed.size === 0) return undefined;
      const isEndorsed = ({ text }: Result) => endorsed.has(digestOf(text));
      const held = results.find((one) => isEndorsed(one) && standsIn(leavesOf(one.text, digestOf), compared));
      return held && { kind: "endorsed", tool: held.tool };
    },
    whereFrom: (value) => placeOf(results, value, digestOf),
    delegates: () => delegates(users.at(-1)?.text ?? ""),
  };
}

type DigestOf = (text: string) => string;

/** Each text is digested once: 100 KB take 0.3 ms, and each value asks for all of them. */
function digestsOfTexts(): DigestOf {
  const digests = new Map<string, string>();
  return (text) => {
    const known = digests.get(text);
    if (known !== undefined) return known;
    const digest = sha256Hex(text);
    digests.set(text, digest);
    return digest;
  };
}

/** "Share it with its owner" means the member `owner` of a record, which has a value of its own. */
function isKeyOf(results: readonly Result[], value: string | number, digestOf: DigestOf): boolean {
  if (typeof value !== "string" || !/^[a-z_]{3,30}$/i.test(value)) return false;
  const isTrusted = ({ trust, directory }: Result) => trust.whole || directory === true || trust.fields.length > 0;
  return results.some((one) => isTrusted(one) && valuesOf(one.text, digestOf).leaves.some(({ key }) => key === value));
}

/** Two addresses in one text, as somebody may write into their own record: only the user chooses such a list. */
const holdsSeveral = (value: string | number): boolean =>
  typeof value === "string" && /@[^@]*[,;\s|][^@]*@/.test(value);

function originIn(
  result: Result,
  value: string | number,
  isUsers: (name: ComparedValue) => boolean,
  digestOf: DigestOf,
): Origin | undefined {
  const { trust, directory, text, tool } = result;
  const isKnown = trust.whole || directory === true;
  if (!isKnown && trust.fields.length === 0) return undefined;
  // Lines of a text without fields are none: of such a result a tool's author can trust all or nothing.
  const values = valuesOf(text, digestOf);
  const found = leavesWith(values, value);
  if (
    !holdsSeveral(value) &&
    found.some(({ pointer }) => isTrustedAt({ whole: isKnown, fields: trust.fields }, pointer))
  )
    return { kind: directory ? "directory" : "trusted", tool };
  return isReferenced(values, trust, found, isUsers) ? { kind: "reference", tool } : undefined;
}

/** @param next the user's next message. */
function writtenOf(text: string, digest: string, next = ""): WrittenText {
  const after = folded(next.slice(0, MAX_CORRECTION));
  const correction = mayCorrect(after) ? after : undefined;
  const key = `${digest} ${correction ?? ""}`;
  const known = writtenTexts.get(key);
  if (known) return known;
  const written = readWritten(text, correction);
  writtenTexts.set(key, written, 2 * written.folded.length + 100);
  return written;
}

/** The leaves of a result, of whatever length: an endorsement is of all that it holds. */
function leavesOf(text: string, digestOf: DigestOf): WrittenText {
  const key = `leaves ${digestOf(text)}`;
  const known = writtenTexts.get(key);
  if (known) return known;
  const written = readWritten(leafText(text));
  writtenTexts.set(key, written, 2 * written.folded.length + 100);
  return written;
}

/** Of the next message, the beginning that may take back a value. */
const MAX_CORRECTION = 400;

function valuesOf(text: string, digestOf: DigestOf): ResultValues {
  const key = digestOf(text);
  const known = resultValues.get(key);
  if (known) return known;
  const values = readResult(text);
  resultValues.set(key, values, values.bytes);
  return values;
}

/** `*` stands for letters, digits and `._%+-`: never for an `@`, a slash or what parts two addresses. */
export function matchesGlob(glob: string, value: string): boolean {
  if (!isComparable(value) || value.length > 320) return false;
  const text = canonicalToken(folded(addressOfMailbox(value) ?? value.trim()));
  const parts = folded(glob.trim()).split("*");
  if (parts.length === 1) return text === parts[0];
  const pattern = parts.map(escaped).join("[\\p{L}\\p{N}._%+-]+");
  return new RegExp(`^${pattern}$`, "u").test(text);
}

const AROUND = 40;

/** A pattern that ignores case: to make all of a text lower case takes ten times as long. */
function placeIn(text: string, wanted: string, bare: string): number {
  const exact = text.indexOf(wanted);
  if (exact !== -1) return exact;
  const place = text.search(new RegExp(escaped(wanted), "iu"));
  return place === -1 && bare.length > 3 ? text.search(new RegExp(escaped(bare), "iu")) : place;
}

const escaped = (text: string): string => text.replace(/[$^.*+?()[\]{}|\\/]/g, "\\$&");

/** The last result with the value: it is what the model read most recently. */
function placeOf(results: readonly Result[], value: string | number, digestOf: DigestOf): UntrustedPlace | undefined {
  const wanted = String(value).trim();
  if (wanted === "" || wanted.length > 1_000) return undefined;
  const bare = canonicalToken(folded(wanted));
  for (const { tool, callId, text } of results.toReversed()) {
    const at = placeIn(text, wanted, bare);
    if (at === -1) continue;
    const start = Math.max(0, at - AROUND);
    const excerpt = beginningOf(text.slice(start), Math.min(200, at - start + wanted.length + AROUND));
    const compared = readValue(value);
    return {
      tool,
      callId,
      excerpt: excerpt.replace(/\s+/g, " ").trim(),
      digest: digestOf(text),
      isWhole: compared !== undefined && standsIn(leavesOf(text, digestOf), compared),
    };
  }
  return undefined;
}
