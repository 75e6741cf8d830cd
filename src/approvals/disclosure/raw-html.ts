/**
 * Whether words may hide what stands behind them, in a frontend that draws raw HTML (`<b hidden>`, `<!--`, `<ul style="…">`) or that folds
 * away what stands behind a mark of its own: `<|begin_of_thought|>`, `◁think▷`, `[THINK]`, `:::artifact{…}`. Pure.
 *
 * Nobody knows the marks of all frontends, so they are recognised by their form.

 * What Markdown surely takes for code hides nothing. Where that is not sure the answer is yes: it costs the user a typed code, no more.
 */
import { lazyRegExp } from "../../lib/once.ts";

const html = /<[a-z!?/]/i;
const address = /<https?:\/\/[^\s<>`]*>/gi;

/** Marks in other brackets than HTML's, and containers that a line of colons begins. */
const marks = lazyRegExp(
  String.raw`<[|｜][\p{L}▁_]|[＜﹤]/?\p{L}|[◁◀◃⊲⟪⟬⦉⦑⧼]/?\p{L}[^\s]{0,60}[▷▶▹⊳⟫⟭⦊⦒⧽]|⟨/?\p{L}{3,60}⟩|^[ >\t]*:::`,
  "mu",
);
/** `[ARTIFACT]` alone in its line. */
const alone = /^[ \t>]*\[([A-Z][A-Z_]{2,40})\][ \t]*$/gm;
/** `[THINK]hm`; but `[thinking](…)` is a link. */
const thought =
  /\[((?:think|thought|reason|reflect|scratchpad|analysis|internal|hidden|hide|spoiler)\w{0,20})\](?![([:])/gi;
const closed = /\[\/(\w{3,41})\]/g;

export function mayHide(words: string): boolean {
  if (!html.test(words) && !marks().test(words) && words.search(alone) < 0 && words.search(thought) < 0) return false;
  const outside = outsideSpans(outsideFences(words).replace(address, ""));
  return html.test(outside) || marks().test(outside) || leavesOpen(outside);
}

function leavesOpen(outside: string): boolean {
  const ends = new Set([...outside.matchAll(closed)].map(([, name = ""]) => name.toLowerCase()));
  const begun = [...outside.matchAll(alone), ...outside.matchAll(thought)];
  return begun.some(([, name = ""]) => !ends.has(name.toLowerCase()));
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
