/**
 * What ends the Markdown and HTML that a model's words left open, so that the frame behind them is drawn and seen: a comment
 * that is never closed would hide it, and the user's yes would be to something else. Pure, and linear.
 */

/** The end of a long text tells as well: a fence or a tag that stands open there was opened somewhere. */
const MAX_LOOKED_AT = 200_000;
const MAX_OPEN = 20;
/** Those that hide, move or swallow what stands inside of them. */
const tags =
  /<(\/?)(details|div|span|pre|style|script|template|textarea|title|select|svg|math|table|noscript|iframe|xmp)\b/gi;

/** @returns "" where nothing is open, else what to write between the words and the frame. */
export function closeMarkup(words: string): string {
  const { outside, fence } = readFences(words.slice(-MAX_LOOKED_AT));
  const commentOpen = outside.lastIndexOf("<!--") > outside.lastIndexOf("-->");
  const open: string[] = [];
  for (const [, slash, name = ""] of outside.matchAll(tags)) {
    const tag = name.toLowerCase();
    if (slash === "") open.push(tag);
    else if (open.includes(tag)) open.splice(open.lastIndexOf(tag));
    if (open.length > MAX_OPEN) open.shift();
  }
  const closing = [
    fence,
    commentOpen ? "-->" : "",
    open
      .reverse()
      .map((tag) => `</${tag}>`)
      .join(""),
    (outside.match(/\$\$/g)?.length ?? 0) % 2 === 1 ? "$$" : "",
  ].filter((part) => part !== "");
  return closing.length === 0 ? "" : `\n${closing.join("\n\n")}`;
}

/** The lines that stand in no fence, and the fence that is still open. */
function readFences(text: string): { readonly outside: string; readonly fence: string } {
  let fence = "";
  const outside: string[] = [];
  for (const line of text.split("\n")) {
    const [, run = ""] = /^\s{0,12}(?:[>*+-]\s{1,4}|\d{1,9}[.)]\s{1,4})*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === "") {
      if (run === "") outside.push(line);
      else fence = run;
    } else if (run.startsWith(fence) && line.trim() === run) fence = "";
  }
  return { outside: outside.join("\n"), fence };
}
