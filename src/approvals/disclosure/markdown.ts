/**
 * What a frontend draws as Markdown: in it nothing that others wrote can come to life, end the frame, or pass for a part of it. Short
 * values are spans of code, which wrap anywhere; texts of several lines are quoted line by line, or stand in a fence where their
 * layout matters. Pure.
 */
import { codeSpan, proseParts } from "../../lib/text/prose.ts";
import { shownBlock } from "../../lib/text/visible-text.ts";

/** In a fence, which does not wrap. */
const WIDTH = 72;
const CONTINUED = "↪ ";
/** A run without a blank is broken by few chats: a longer one would push the page wide, and is broken for a phone's width. */
const LONG_RUN = /\S{61}/u;
const NARROW = 36;

/** A sentence: its code as spans, and all else as text. */
export function markdownOf(prose: string): string {
  return proseParts(prose)
    .map(({ text, isCode }) => (isCode ? codeSpan(text) : escapeMarkdown(text)))
    .join("");
}

/** An underscore inside of a word is one. */
const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\\`*[\]<>|~#{}$]/g, (one) => `\\${one}`)
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/&(?=#?\w{1,40};)/g, "\\&");

/** A block of code that no line of it can end. Each line is one already: nothing in it is unseen. */
export function fenced(lines: readonly string[], language = "text"): string {
  const longest = Math.max(2, ...lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length)));
  const marks = "`".repeat(longest + 1);
  return [`${marks}${language}`, ...lines, marks].join("\n");
}

/** Lines too long for a fence go on below, behind a sign that no value holds. */
export const wrapped = (line: string): string[] => broken(line, WIDTH);

function broken(line: string, width: number): string[] {
  const letters = [...line];
  if (letters.length <= width) return [line];
  const pieces = [letters.slice(0, width).join("")];
  for (let at = width; at < letters.length; at += width - CONTINUED.length) {
    pieces.push(CONTINUED + letters.slice(at, at + width - CONTINUED.length).join(""));
  }
  return pieces;
}

export const hasLongRun = (line: string): boolean => LONG_RUN.test(line);

/** Lines as spans of code, each on its own. */
export const quoted = (lines: readonly string[]): string =>
  lines
    .flatMap((line) => (hasLongRun(line) ? broken(line, NARROW) : [line]))
    .map((line) => `> ${codeSpan(line === "" ? "⏎" : line)}`)
    .join("  \n");

/** A text of several lines, as it is laid out. */
export function textBlock(text: string): { readonly markdown: string; readonly escaped: boolean } {
  const { text: shown, escaped } = shownBlock(text);
  const lines = shown.split("\n");
  // Spans of code keep no indentation, nor more than one blank.
  if (/^[ \t]|\t| {2}/m.test(shown)) return { markdown: fenced(lines.flatMap(wrapped)), escaped };
  return { markdown: quoted(lines), escaped };
}
