/** `no: …`, `no, because …`: a refusal with the person's own words. Pure. */
import { findPhrases } from "./find-phrases.ts";

const MAX_MESSAGE = 4_000;
/** Of the refusal itself. */
const MAX_HEAD = 60;

export function readRefusal(
  text: string,
): { readonly codes: readonly string[]; readonly all: boolean; readonly reason: string } | undefined {
  if (text.length > MAX_MESSAGE) return undefined;
  const trimmed = text.trim();
  for (const [at, length] of places(trimmed)) {
    const items = findPhrases(trimmed.slice(0, at));
    const head = items?.filter(({ kind }) => kind !== "because" && kind !== "polite" && kind !== "and");
    if (!items || !head || head[0]?.kind !== "no") continue;
    if (!head.every(({ kind }) => kind === "no" || kind === "code" || kind === "all")) continue;
    const byWord = length === 0;
    if (byWord && items.at(-1)?.kind !== "because") continue;
    const reason = trimmed.slice(at + length).trim();
    if (reason === "") continue;
    const codes = head.flatMap((item) => (item.kind === "code" ? [item.code] : []));
    return { codes, all: head.some(({ kind }) => kind === "all"), reason };
  }
  return undefined;
}

/** Where a reason may begin: behind the first colon or dash, else behind the longest beginning that ends with "because". */
function places(text: string): (readonly [at: number, length: number])[] {
  const marked: [number, number][] = [];
  const other: [number, number][] = [];
  for (let at = 1; at < Math.min(text.length, MAX_HEAD); at += 1) {
    if (/[:：]/.test(text.charAt(at))) marked.push([at, 1]);
    else if (/^ [-–—] /.test(text.slice(at, at + 3))) marked.push([at, 3]);
    else if (!/^\p{Script=Latin}{2}/u.test(text.slice(at - 1, at + 1))) other.push([at, 0]);
  }
  return [...marked, ...other.reverse()];
}
