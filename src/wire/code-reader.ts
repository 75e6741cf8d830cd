/** Code in a user's text, between backticks: what it holds is spoken of, not said. Pure. */

interface CodeElement {
  readonly start: number;
  readonly close?: { readonly end: number };
}

/** UTF-16 units of code within a line. */
const MAX_SPAN = 1_000;

/**
 * Asked of elements in the order of the text. @returns whether an element stands in code that begins at `from` or later. Code
 * that ends inside of the element is none: the backticks that seem to close it are the element's.
 */
export function codeReader(text: string): (from: number, element: CodeElement) => boolean {
  let at = 0;
  let codeEnd = 0;
  let backtick = -1;
  return (from, { start, close }) => {
    at = Math.max(at, from);
    for (;;) {
      if (start < codeEnd) return (close?.end ?? 0) <= codeEnd;
      if (backtick < at) backtick = indexFrom(text, "`", at);
      if (backtick > start) return false;
      at = backtick + runAt(text, backtick);
      const end = codeEndOf(text, backtick, at - backtick);
      if (end === undefined || (end > start && (close?.end ?? 0) > end)) continue;
      at = end;
      codeEnd = end;
    }
  };
}

const indexFrom = (text: string, sought: string, from: number): number => {
  const found = text.indexOf(sought, from);
  return found < 0 ? text.length : found;
};

function runAt(text: string, start: number): number {
  let end = start;
  while (text[end] === "`") end += 1;
  return end - start;
}

function codeEndOf(text: string, start: number, run: number): number | undefined {
  const inner = start + run;
  if (run >= 3) {
    const close = text.indexOf("```", inner);
    return close < 0 ? undefined : close + runAt(text, close);
  }
  const [line = ""] = text.slice(inner, inner + MAX_SPAN).split("\n", 1);
  const close = line.indexOf("`".repeat(run));
  return close < 0 ? undefined : inner + close + run;
}
