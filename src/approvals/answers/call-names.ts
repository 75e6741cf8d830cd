/**
 * By which of its values a call may be named in an answer: "a.txt" for `src/a.txt`, "eva" for `eva@x.example`, where no other waiting call has
 * them. Pure.
 */

import type { Approval } from "../approval.ts";
import { describeApproval, shownArguments } from "../disclosure/disclosure.ts";
import { findPhrases, likeCode, plainWords } from "./message-phrases.ts";

/** Values of a call that are read, and UTF-16 units of one. */
const MAX_VALUES = 60;
const MAX_VALUE = 200;
/** Levels of objects and lists. */
const MAX_DEPTH = 4;

/** Stands in a text for the name of a call: no letter, so that no word grows by it. */
export const nameMark = (index: number): string => String.fromCharCode(0xe000 + index);
const MARKS = /[\ue000-\uf8ff]/g;

/**
 * @returns the text with a mark of its own in place of each name of a call.
 * @param text plain words.
 * @param isAnswer whether a word is part of an answer: it names nothing.
 */
export function withNames(text: string, calls: readonly Approval[], isAnswer: (name: string) => boolean): string {
  const names = calls.flatMap((call, index) =>
    ownNames(call, calls).flatMap((name) => (isAnswer(name) ? [] : [{ name, index }])),
  );
  return names
    .sort((one, other) => other.name.length - one.name.length)
    .reduce((rest, { name, index }) => rest.replace(wholeName(name), ` ${nameMark(index)} `), text.replace(MARKS, " "));
}

/** Letters of languages without blanks may stand at either side: "a.txtは". */
const wholeName = (name: string): RegExp =>
  new RegExp(
    String.raw`(?<![\p{Script=Latin}\p{N}_@/-]|[\p{Script=Latin}\p{N}]\.)${RegExp.escape(name)}(?![\p{Script=Latin}\p{N}_@/-]|\.[\p{Script=Latin}\p{N}])`,
    "gu",
  );

/** Texts and numbers among a call's arguments, as plain words. */
export const valuesOf = (approval: Approval): readonly string[] =>
  leavesOf(shownArguments(approval, "whole"), MAX_DEPTH).slice(0, MAX_VALUES).map(plainWords);

function leavesOf(value: unknown, depth: number): readonly string[] {
  if (typeof value === "number") return [String(value)];
  if (typeof value === "string") return value.length > MAX_VALUE ? [] : [value];
  if (typeof value !== "object" || value === null || depth === 0) return [];
  return Object.values(value)
    .slice(0, MAX_VALUES)
    .flatMap((one) => leavesOf(one, depth - 1));
}

/** A value as people call it: whole, a file without its folders, an address without its host. */
const shortNames = (value: string): readonly string[] => {
  if (/\s/.test(value)) return [value];
  const file = /[^/\\]+$/.exec(value)?.[0] ?? value;
  const person = /^([\p{L}\p{N}._+-]{2,})@[^\s@]+$/u.exec(value)?.[1];
  return [value, file, ...(person === undefined ? [] : [person])];
};

/** "K-11" is no yes with a code. */
const hasDigits = (name: string): boolean => /\d{3,}|\p{L}\P{L}*\d/u.test(name);

/** Names that no other call has a part of. A word that answers is none: a file may be called `yes`. */
function ownNames(call: Approval, calls: readonly Approval[]): readonly string[] {
  const others = calls.filter((other) => other !== call).flatMap(valuesOf);
  const isName = (name: string) =>
    name.length > 1 &&
    (hasDigits(name) || findPhrases(name) === undefined) &&
    !likeCode().test(name) &&
    !others.some((other) => other.includes(name));
  // "Tomorrow" may be a text of the mail: a plain word names a call only where its question says it.
  const title = plainWords(describeApproval(call, "whole").title);
  const isNaming = (value: string) => /[\p{N}@._/-]/u.test(value) || title.includes(value);
  return [...new Set(valuesOf(call).filter(isNaming).flatMap(shortNames))].filter(isName);
}

/** Whether a text names a value that a question shows as code. @param text plain words. */
export function namesOf(question: string, text: string): boolean {
  const shown = [...question.matchAll(/`([^`\n]{2,2000})`/g)].map(([, span = ""]) => plainWords(span));
  const words =
    text.match(/[\p{Script=Latin}\p{N}@._/-]{2,}|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]{2,}/gu) ?? [];
  return words
    .map((word) => word.replace(/[._/-]+$/, ""))
    .some(
      (word) =>
        word.length > 1 &&
        !likeCode().test(word) &&
        (hasDigits(word) || findPhrases(word) === undefined) &&
        isIn(word, shown),
    );
}

function isIn(word: string, spans: readonly string[]): boolean {
  const whole = new RegExp(
    String.raw`(?<![\p{Script=Latin}\p{N}])${RegExp.escape(word)}(?![\p{Script=Latin}\p{N}])`,
    "u",
  );
  return spans.some((span) => whole.test(span));
}
