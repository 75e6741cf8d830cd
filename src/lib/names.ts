/** Checks and compares names of people, tenants and connections. Pure. */

import { lazyRegExp, once } from "./once.ts";
import { normalForm } from "./text/normal-form.ts";

/**
 * 1 to 128 printable characters, no blank at either end, in Unicode's composed form (NFC). Names are compared character by
 * character and never normalised, since that would merge two principals. So a spelling that only looks like another is
 * refused, and the name in an audit record is what it looks like.
 */
export function isName(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length <= 128 &&
    /^\P{C}+$/u.test(value) &&
    value.trim() === value &&
    value.normalize("NFC") === value &&
    !isErasure(value)
  );
}

/** Whether it names an erasure, in place of the person who was erased: no user has such a name. */
export const isErasure = (value: string): boolean => /^ers_[0-9a-hjkmnp-tv-z]{26}$/.test(value);

export const NAME_RULE = "1 to 128 printable characters, no blank at either end, in Unicode's composed form (NFC)";

/** Characters that a reader may ignore: marks, invisible characters, spaces, `_` and `-`. */
const IGNORED = lazyRegExp(String.raw`[\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\s_-]`, "gu");

/**
 * One form for all spellings of a name: `Tool_Choice`, `toolChoice` and full-width letters are one. Go's `encoding/json` ignores
 * case, readers of protocol buffers also accept camel case. Upper case comes first: it turns `ı` and `ſ` into ASCII letters.
 */
export function foldName(name: string): string {
  const bounded = name.length > MAX_FOLDED ? name.replace(IGNORED(), "").slice(0, MAX_FOLDED) : name;
  return normalForm(bounded, "NFKD").replace(IGNORED(), "").toUpperCase().toLowerCase();
}

/** Longer than any name that is compared: one letter may decompose to 18, and a request may use any name. */
const MAX_FOLDED = 256;

/**
 * Finds names that a lax reader would take for one of `names`, and a strict one would not.
 * @param plain other names that occur often: they are not folded.
 * @returns the name meant; undefined for an exact name and for any other.
 */
export function twinsOf(names: readonly string[], plain: readonly string[] = []): (name: string) => string | undefined {
  const exact = new Set([...names, ...plain]);
  const folded = once(() => new Map(names.map((name) => [foldName(name), name])));
  return (name) => (exact.has(name) ? undefined : folded().get(foldName(name)));
}

/**
 * An object's key as the laxest JSON readers compare it. Pure.
 *
 * Some readers ignore case (Go, .NET, Java with a setting), some normalise Unicode first, and a person sees no invisible
 * character. Two keys that fold to the same text are one key to some reader, so an object may have only one of them.
 */
const PLAIN = /^[a-z0-9_-]*$/;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

export function foldKey(key: string): string {
  if (PLAIN.test(key)) return key;
  // By upper case: only there the dotless i of Turkish is an i. The dotted capital leaves its dot behind.
  const folded = normalForm(key, "NFKC").replace(UNSEEN, "").toLowerCase().toUpperCase().toLowerCase();
  return folded.replaceAll("i\u0307", "i");
}
