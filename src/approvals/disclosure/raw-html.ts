/**
 * Whether words may hide what stands behind them, in a frontend that draws raw HTML: `<b hidden>`, `<!--`, `<ul style="…">`. Pure.
 *
 * What Markdown surely takes for code hides nothing. Where that is not sure the answer is yes: it costs the user a typed code, no more.
 */

const html = /<[a-z!?/]/i;
const address = /<https?:\/\/[^\s<>`]*>/gi;

export function mayHide(words: string): boolean {
  if (!html.test(words)) return false;
  return html.test(outsideSpans(outsideFences(words).replace(address, "")));
}

/** Only fences at the margin: within lists, quotations and formulas nobody is sure where one ends. */
function outsideFences(words: string): string {
  if (words.includes("$$")) return words;
  let fence = "";
  const outside: string[] = [];
  for (const line of words.split(/\r\n|[\r\n]/)) {
    if (/^[ \t]+(?:```|~~~)/.test(line)) return words;
    if (fence === "") {
      fence = /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[0] ?? "";
      if (fence === "") outside.push(line);
    } else if (line.startsWith(fence) && /^(?:`+|~+)[ \t]*$/.test(line)) {
      fence = "";
      // A paragraph ends at a fence.
      outside.push("");
    }
  }
  return outside.join("\n");
}

/** Spans of one backtick, in paragraphs where each has its partner in the same line, and nothing else can take one of them. */
const outsideSpans = (words: string): string =>
  words
    .split(/\n[ \t]*\n/)
    .map((paragraph) => (isPaired(paragraph) ? paragraph.replace(/`[^`]*`/g, "``") : paragraph))
    .join("\n\n");

/** A formula, a link, a bare address or a cell of a table may take a backtick, or end what it began. */
const TAKES_BACKTICKS = /[\\$[\]|@]|``|:\/\/|www\./i;

const isPaired = (paragraph: string): boolean =>
  !TAKES_BACKTICKS.test(paragraph) && paragraph.split("\n").every((line) => (line.split("`").length - 1) % 2 === 0);
