/** A text without what it cites: an article about attacks gives no orders. Pure. */
import { latePattern } from "../../lib/once.ts";

/** Marks behind a colon, a comma or a bracket are a format's: what they hold is said, not cited. */
const quotation = latePattern(
  '(?<![:,[{(=>]\\s?)(?:“[^”“\\n]{4,300}[”“]|„[^“”\\n]{4,300}[“”]|«[^»\\n]{4,300}»|「[^」\\n]{4,300}」|『[^』\\n]{4,300}』|(?<![\\w\\\\"])"[^"\\n]{4,300}"(?![:\\w])|(?<=\\s)\'[^\'\\n]{8,300}\'(?!\\w))',
  "g",
);

/** Of the same length. A line that is nothing but a quotation stays: it cites nobody. */
export function withoutQuotations(text: string): string {
  return text.replace(quotation(), (quoted: string, at: number) => {
    const before = text.slice(text.lastIndexOf("\n", at) + 1, at);
    const behind = /^[^\n]{0,80}/.exec(text.slice(at + quoted.length, at + quoted.length + 80))?.[0] ?? "";
    return /\p{L}{2}/u.test(before.slice(-80) + behind) ? `"${" ".repeat(quoted.length - 1)}` : quoted;
  });
}
