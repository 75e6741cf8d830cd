/** The least disclosure: one line for a call that runs unasked. Pure. Source: reference/human-centered-tool-calling.md. */
import type { Disclosure } from "./disclosed.ts";
import { plainLine } from "./plain-line.ts";

const MAX_LINE = 300;

/** @param disclosure of a call that nothing was asked for. In Markdown; inside a code span, where nothing comes to life. */
export function unaskedLine({ summary }: Pick<Disclosure, "summary">): string {
  const line = plainLine(summary, MAX_LINE)
    .replaceAll("`", "'")
    .replace(/[.。…]+$/, "");
  return `\`${line}…\``;
}
