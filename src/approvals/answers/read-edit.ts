/** `edit field=value`, `edit {json}`, with a code or without: what stands behind the word, as it was written. Pure. */
import { findPhrases } from "./find-phrases.ts";

/** Of the word and its codes. */
const MAX_HEAD = 40;

export function readEdit(text: string): { readonly codes: readonly string[]; readonly text: string } | undefined {
  const trimmed = text.trim();
  for (let at = 1; at < Math.min(trimmed.length, MAX_HEAD); at += 1) {
    const rest = trimmed.slice(at, at + 300).trimStart();
    if (!/^(?:[{`]|["'“]?[\p{L}_$][\p{L}\p{M}\p{N}_.$-]{0,127}["'”]?\s{0,8}[=＝])/u.test(rest)) continue;
    const items = findPhrases(trimmed.slice(0, at));
    const [first] = items ?? [];
    if (first?.kind !== "edit") continue;
    if (!items?.every(({ kind }) => kind === "edit" || kind === "code" || kind === "polite")) continue;
    const codes = items.flatMap((item) => (item.kind === "code" ? [item.code] : []));
    return { codes, text: trimmed.slice(at).trim() };
  }
  return undefined;
}
