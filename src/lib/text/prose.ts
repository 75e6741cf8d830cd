/** Splits sentences into text and code in backticks, as in Markdown: the only markup that they have. Pure. */

interface ProsePart {
  readonly text: string;
  readonly isCode: boolean;
}

/** @param text one line; it may hold backticks. */
export function codeSpan(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = "`".repeat(longest + 1);
  // Markdown takes one blank from both ends.
  const pad = /^`|`$|^ .* $/.test(text) ? " " : "";
  return `${marks}${pad}${text}${pad}${marks}`;
}

/** A backtick that closes nothing is a character like any other. */
export function proseParts(prose: string): readonly ProsePart[] {
  const parts: ProsePart[] = [];
  let from = 0;
  const add = (text: string, isCode: boolean) => {
    if (text !== "") parts.push({ text, isCode });
  };
  for (const match of prose.matchAll(/(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/gs)) {
    const [whole, , code = ""] = match;
    add(prose.slice(from, match.index), false);
    add(/^ .*[^ ].* $/s.test(code) ? code.slice(1, -1) : code, true);
    from = match.index + whole.length;
  }
  add(prose.slice(from), false);
  return parts;
}
