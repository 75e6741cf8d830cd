/** A text without what it cites: an article about attacks gives no orders. Pure. */
import { lazyRegExp } from "../../lib/once.ts";

/** Marks behind a colon, a comma or a bracket are a format's: what they hold is no quotation. */
const quotation = lazyRegExp(
  '(?<![:,[{(=>]\\s?)(?:“[^”“„\\n]{4,300}[”“]|„[^“”„\\n]{4,300}[“”]|«[^«»\\n]{4,300}»|「[^「」\\n]{4,300}」|『[^『』\\n]{4,300}』|(?<![\\w\\\\"])"[^"\\n]{4,300}"(?![:\\w])|(?<=\\s)\'[^\'\\n]{8,300}\'(?!\\w))',
  "g",
);

/** UTF-16 units of a line around a quotation that are looked at: a line may be the whole text. */
const AROUND = 80;

/** Of the same length. A line that is nothing but a quotation stays: it cites nobody. */
export function withoutQuotations(text: string): string {
  return text.replace(quotation(), (quoted: string, at: number) => {
    const end = at + quoted.length;
    const before = text.slice(Math.max(0, at - AROUND), at);
    const line = before.slice(before.lastIndexOf("\n") + 1) + text.slice(end, end + AROUND).split("\n", 1)[0];
    return /\p{L}{2}/u.test(line) ? `"${" ".repeat(quoted.length - 1)}` : quoted;
  });
}
