/** `title="a b" tags=x, y body=the rest` by field. Pure, and linear. */
import { latePattern } from "../../lib/once.ts";

export interface Field {
  readonly name: string;
  readonly value: string;
  /** What else would be a field, had a field its name: the name may be misspelt, or the value may hold it. */
  readonly stray: string | undefined;
  /** Between quotation marks, where it holds whatever it holds. */
  readonly quoted: boolean;
}

const fieldName = latePattern(
  String.raw`(?<=^|[\s,，;；])["'“]?([\p{L}_$][\p{L}\p{M}\p{N}_.$-]{0,127})["'”]?[ \t]{0,8}[=＝]`,
  "gu",
);

/** Only a known name begins a field; the first name is taken as it is. */
export function splitFields(text: string, known: ReadonlySet<string>): Field[] {
  const starts: { readonly at: number; readonly name: string; readonly value: number; stray?: string }[] = [];
  let quotedUntil = 0;
  for (const match of text.matchAll(fieldName())) {
    const [whole, field = ""] = match;
    if (match.index < quotedUntil) continue;
    const last = starts.at(-1);
    if (last && !known.has(field)) {
      last.stray ??= field;
      continue;
    }
    const value = match.index + whole.length;
    starts.push({ at: match.index, name: field, value });
    quotedUntil = endOfQuoted(text, value);
  }
  return starts.map(({ name: field, value, stray }, index) => {
    const end = starts[index + 1]?.at ?? text.length;
    const written = text.slice(value, end);
    const closed = endOfQuoted(text, value);
    const quoted = closed > value && /^[\s,，;；]*$/.test(text.slice(closed, end));
    return { name: field, value: unquote(written, index < starts.length - 1), stray, quoted };
  });
}

const quotes: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”", "「": "」" };

/** Behind the value's closing quotation mark; the value's own place where it has none. */
function endOfQuoted(text: string, from: number): number {
  const at = from + (/^[ \t]{0,8}/.exec(text.slice(from, from + 8))?.[0].length ?? 0);
  const open = text.charAt(at);
  const close = Object.hasOwn(quotes, open) ? quotes[open] : undefined;
  if (close === undefined) return from;
  for (let end = text.indexOf(close, at + 1); end !== -1; end = text.indexOf(close, end + 1)) {
    if (text.charAt(end - 1) !== "\\" && /^(?:[\s,，;；]|$)/.test(text.slice(end + 1, end + 2))) return end + 1;
  }
  return from;
}

function unquote(value: string, followed: boolean): string {
  const trimmed = followed
    ? value
        .trim()
        .replace(/[,，;；]$/, "")
        .trim()
    : value.trim();
  const open = trimmed.charAt(0);
  const close = Object.hasOwn(quotes, open) ? quotes[open] : undefined;
  if (close === undefined || trimmed.length < 2 || !trimmed.endsWith(close)) return trimmed;
  return trimmed.slice(1, -1).replace(/\\(["'\\n])/g, (_, one: string) => (one === "n" ? "\n" : one));
}
