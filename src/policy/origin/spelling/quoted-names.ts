/**
 * Finds names in quotation marks. A part of such a name is no name: in `delete "Milk list"` the word `list` names nothing. Pure.
 *
 * Not between the marks of code: there a command is as likely as a name, and its words are separate arguments.
 */
import { lazyRegExp } from "../../../lib/once.ts";
import { TITLE_WORDS } from "./person-names.ts";

const quoted = lazyRegExp(
  String.raw`[“„«‹「『《〈"]([^“”„«»‹›「」『』《》〈〉"\n]{3,80})[”“»›」』》〉"]|(?<![\p{L}\p{N}])['‘]([^'‘’\n]{3,80})['’](?![\p{L}\p{N}])`,
  "gu",
);
/** A sentence, a list, an address: its parts are words of their own. */
const noName = /[@,;!?、，。！？]|[.:](?:\s|$)|:\/\/|=|(?:\S+\s+){6}/u;
const around = lazyRegExp(String.raw`^(?:[\s.'’#@-]|${TITLE_WORDS}(?![\p{L}]))*$`, "u");

const titleStops = lazyRegExp(String.raw`(?<!\p{L})${TITLE_WORDS}\.`, "gu");

export interface QuotedName {
  readonly start: number;
  readonly end: number;
}

/** The positions of such names, without their marks. @param text folded. */
export function quotedNamesIn(text: string): readonly QuotedName[] {
  return [...text.matchAll(quoted())].flatMap(({ 1: double, 2: single, index }) => {
    const name = double ?? single ?? "";
    return noName.test(name.replace(titleStops(), " ")) ? [] : [{ start: index + 1, end: index + 1 + name.length }];
  });
}

/** Whether a span is a part of such a name, and lacks more than a title or a mark. */
export function isPartOfName(text: string, names: readonly QuotedName[], start: number, end: number): boolean {
  // A word may begin with the mark before it: an apostrophe belongs to words, too.
  const name = names.find((one) => one.start - 1 <= start && one.end >= end);
  if (name === undefined) return false;
  return !around().test(text.slice(name.start, start)) || !around().test(text.slice(end, name.end));
}
