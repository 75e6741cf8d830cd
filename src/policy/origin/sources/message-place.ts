/** Finds how the user's messages hold a value that does not count as theirs, to tell the person who is asked about it. Pure. */
import type { MessagePlace } from "../../reasons.ts";

interface UserText {
  readonly text: string;
  /** With what the user quoted and pasted. */
  readonly whole?: string;
}

/** In lower case. */
export type FoldedMessage = Required<UserText>;

export const foldMessage = ({ text, whole = "" }: UserText): FoldedMessage => ({
  text: text.toLowerCase(),
  whole: whole.toLowerCase(),
});

/** Longer values are texts, which nobody puts together of a few words. */
const MAX_PARTED = 200;

export function placeInMessages(users: readonly FoldedMessage[], value: string | number): MessagePlace | undefined {
  const wanted = String(value).trim().toLowerCase();
  if (users.some(({ text }) => holds(text, wanted)) || isPutTogether(users, wanted)) return "unsure";
  return users.some(({ whole }) => holds(whole, wanted)) ? "quoted" : undefined;
}

/** `drafts/a.txt`, where the user wrote of `a.txt` in the folder `drafts`. */
function isPutTogether(users: readonly FoldedMessage[], wanted: string): boolean {
  const parts = wanted.length > MAX_PARTED ? [] : wanted.split(/[\s/\\]+/).filter((part) => part !== "");
  return parts.length > 1 && parts.every((part) => users.some(({ text }) => holds(text, part)));
}

/** As a whole word: Chinese and Japanese have no blanks around a name. */
function holds(text: string, value: string): boolean {
  for (let at = value === "" ? -1 : text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + value.length)];
    if (!joins(before, value.charAt(0)) && !joins(value.slice(-1), after)) return true;
  }
  return false;
}

const joins = (one: string, next: string): boolean => inWord.test(one) && inWord.test(next);
const inWord = /[\p{sc=Latin}\p{N}]/u;
