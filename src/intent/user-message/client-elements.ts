/** Finds the elements that clients write around the user's words, in one pass. Pure. */
import type { Span } from "../../lib/text/span.ts";
import { clientMarks, type Mark } from "./client-marks.ts";

export interface ClientElement {
  readonly mark: Mark;
  readonly start: number;
  /** The index at which its content begins. */
  readonly inner: number;
  /** Its closing tag; absent if the text ends first. */
  close?: Span;
  /** Its content may have closed it: a closing tag follows that no opening tag belongs to. */
  isTorn?: boolean;
}

interface FoundElements {
  /** By their opening tags; one may lie inside another. */
  readonly elements: readonly ClientElement[];
  /** The index at which reading stopped: before the end only if there are more elements than a client writes. */
  readonly end: number;
}

const MAX_ELEMENTS = 10_000;
const anyTag = /<(\/?)([A-Za-z][\w-]{0,63})((?:\s[^<>]{0,1000})?)>/g;

export function findElements(text: string): FoundElements {
  const elements: ClientElement[] = [];
  if (!text.includes("<")) return { elements, end: text.length };
  const named = new Map<string, NamedElements>();
  for (const { 0: tag, 1: slash, 2: name = "", 3: attributes = "", index } of text.matchAll(anyTag)) {
    const mark = clientMarks.get(name);
    // Between backticks it is spoken of.
    if (!mark || text[index - 1] === "`") continue;
    const known = named.get(name) ?? { open: [], last: undefined };
    named.set(name, known);
    const tagEnd = index + tag.length;
    if (slash) {
      closeElement(mark, known, { start: index, end: tagEnd });
      continue;
    }
    if (!counts(mark, text, index, attributes)) continue;
    if (elements.length === MAX_ELEMENTS) return { elements, end: index };
    const element: ClientElement = { mark, start: index, inner: tagEnd };
    elements.push(element);
    if (attributes.endsWith("/")) element.close = { start: tagEnd, end: tagEnd };
    else known.open.push(element);
  }
  return { elements, end: text.length };
}

interface NamedElements {
  /** Those that are open; the innermost is the last. */
  readonly open: ClientElement[];
  /** The one that was closed last. */
  last: ClientElement | undefined;
}

function closeElement({ kind }: Mark, named: NamedElements, tag: Span): void {
  // A document's text may close and open it again: the last closing tag ends the first that is open.
  const opener = kind === "document" ? named.open[0] : named.open.pop();
  if (opener) {
    opener.close = tag;
    named.last = opener;
    return;
  }
  if (!named.last) return;
  if (kind === "own") named.last.isTorn = true;
  else named.last.close = tag;
}

function counts({ atLineStart, attributes: needed }: Mark, text: string, index: number, attributes: string): boolean {
  if (needed && attributes.trim() === "") return false;
  return !atLineStart || /(?:^|[\n>])[ \t]*$/.test(text.slice(Math.max(0, index - 80), index));
}

interface CodeElement {
  readonly start: number;
  readonly close?: { readonly end: number };
}

/** UTF-16 units of code within a line. */
const MAX_SPAN = 1_000;

/**
 * To be called in the order of the text. @returns whether an element is in code that begins at `from` or later. Code
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
