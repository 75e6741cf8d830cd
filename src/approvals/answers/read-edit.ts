/**
 * `edit field=value`, `edit {json}`, with a code or without: what stands behind the word, as it was written. Other answers
 * may stand before it, `yes K7QF, edit 3M2P title=x`; the edit is last. Pure.
 */
import { latePattern } from "../../lib/once.ts";
import { findPhrases, type Item } from "./find-phrases.ts";

/** Of all before the first field. */
const MAX_HEAD = 120;

export interface EditRead {
  /** Without the word that joins them to the edit. */
  readonly before: readonly Item[];
  readonly codes: readonly string[];
  readonly text: string;
}

/** An object, a fence, or a field's name. */
const beginsEdit = latePattern(
  String.raw`^(?:[{\x60]|["'“]?[\p{L}_$][\p{L}\p{M}\p{N}_.$-]{0,127}["'”]?\s{0,8}[=＝])`,
  "u",
);

export function readEdit(text: string): EditRead | undefined {
  const trimmed = text.trim();
  for (let at = 1; at < Math.min(trimmed.length, MAX_HEAD); at += 1) {
    const rest = trimmed.slice(at, at + 300).trimStart();
    if (!beginsEdit().test(rest)) continue;
    const items = findPhrases(trimmed.slice(0, at)) ?? [];
    const word = items.findIndex(({ kind }) => kind === "edit");
    if (word === -1) continue;
    const own = items.slice(word);
    if (!own.every(({ kind }) => kind === "edit" || kind === "code" || kind === "polite")) continue;
    const codes = own.flatMap((item) => (item.kind === "code" ? [item.code] : []));
    const before = items.slice(0, word);
    return {
      before: before.at(-1)?.kind === "and" ? before.slice(0, -1) : before,
      codes,
      text: trimmed.slice(at).trim(),
    };
  }
  return undefined;
}
