/** Text of others in Markdown, where it is only text. Pure. */
import { plainLine } from "./plain-line.ts";

const MAX_LINE = 1_300;

/** As a block of code: no line can hold a fence, and none is more than a line. */
export function fenced(lines: readonly string[]): string {
  return ["```text", ...lines.map(fenceLine), "```"].join("\n");
}

/** Its beginning kept: what is indented belongs to what stands above it, and a changed line's indentation is its own. */
function fenceLine(line: string): string {
  const beginning = /^ {0,8}(?:\| [ +-] {0,40})?/.exec(line)?.[0] ?? "";
  return (beginning + plainLine(line.slice(beginning.length), MAX_LINE)).trimEnd();
}

/** In a sentence, as a span of code. */
export const span = (text: string): string => `\`${plainLine(text, 100).replaceAll("`", "'")}\``;
