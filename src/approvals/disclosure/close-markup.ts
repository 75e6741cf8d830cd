/**
 * What ends the Markdown and HTML that a model's words left open, so that the frame behind them is drawn and seen: a comment
 * that is never closed would hide it, and the user's yes would be to something else. Pure, and linear.
 */

/** The end of a long text is enough: a fence or a tag that is open there was opened somewhere. */
const MAX_LOOKED_AT = 200_000;
const MAX_OPEN = 20;
/** Tags that hide, move or swallow what they hold, or can be styled to. */
const names =
  "details|summary|dialog|div|span|pre|style|script|template|textarea|title|select|datalist|svg|math|table|noscript|noembed|noframes|iframe|object|video|audio|canvas|xmp|section|article|aside|header|footer|nav|main|figure|fieldset|form|button|font|center";
const tags = new RegExp(`<(/?)(${names})\\b`, "gi");
/** The beginning of a tag at the beginning of a line, where Markdown takes it for HTML though it has no end. */
const begun = new RegExp(`^ {0,3}</?(?:${names})(?=[\\s/]|$)`, "gim");

/** @returns "" where nothing is open, else what to write between the words and the frame. */
export function closeMarkup(words: string): string {
  const text = words.slice(-MAX_LOOKED_AT);
  const { outside, fence } = readFences(text);
  // Within a tag or a comment what looks like a fence is none, and may hold what counts.
  const seen = /<[a-z!?/]/i.test(outside) ? text : outside;
  const open: string[] = [];
  for (const [, slash, name = ""] of outside.matchAll(tags)) {
    const tag = name.toLowerCase();
    if (slash === "") open.push(tag);
    else if (open.includes(tag)) open.splice(open.lastIndexOf(tag));
    if (open.length > MAX_OPEN) open.shift();
  }
  const closing = [
    fence,
    endOfComment(seen),
    endOfTag(seen),
    open
      .reverse()
      .map((tag) => `</${tag}>`)
      .join(""),
    (outside.match(/\$\$/g)?.length ?? 0) % 2 === 1 ? "$$" : "",
    endOfContainer(outside),
  ].filter((part) => part !== "");
  return closing.length === 0 ? "" : `\n${closing.join("\n\n")}`;
}

const comments: readonly (readonly [begins: string, ends: string])[] = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<![CDATA[", "]]>"],
];

function endOfComment(text: string): string {
  const open = comments.filter(([begins, ends]) => text.lastIndexOf(begins) > text.lastIndexOf(ends));
  return open.map(([, ends]) => ends).join("");
}

/** `:::artifact{…}`: a bare line of colons ends it. */
function endOfContainer(outside: string): string {
  const lines = outside.match(/^ {0,3}:{3,}.*$/gm) ?? [];
  const ends = lines.filter((line) => /^ *:+\s*$/.test(line)).length;
  return lines.length - ends > ends ? ":::" : "";
}

/** A tag that has no end yet, maybe in the middle of an attribute's text. */
function endOfTag(text: string): string {
  begun.lastIndex = 0;
  for (let match = begun.exec(text); match; match = begun.exec(text)) {
    let quote = "";
    let at = begun.lastIndex;
    for (; at < text.length && (quote !== "" || text.charAt(at) !== ">"); at += 1) {
      const one = text.charAt(at);
      if (one === quote) quote = "";
      else if (quote === "" && (one === '"' || one === "'")) quote = one;
    }
    if (at >= text.length) return `${quote}>`;
    begun.lastIndex = at;
  }
  return "";
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
