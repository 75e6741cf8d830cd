/**
 * The parts of a message that are somebody else's words, or material to be worked on: what stands in quotation marks, code, quoted
 * lines, a forwarded message, behind "translate this:" or "my boss wrote:". Nothing in them is a wish of the user. Pure.
 */
import { latePattern, once } from "../../lib/once.ts";

/** Indices in the message, in UTF-16 units. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** Longer than most quotations. A longer one is more likely a mark that was never closed. */
const longest = 600;

const pairs = ['""', "“”", "„“", "„”", "””", "«»", "»«", "‹›", "›‹", "‘’", "‚‘", "‚’", "「」", "『』", "《》", "``"];

const marks = /["'`\u00ab\u00bb\u2018-\u201e\u2039\u203a\u300a\u300c\u300e]/;

/** An apostrophe opens no quotation: in front of one stands no letter, and behind its end neither. */
const quoted = once(() => {
  const marks = pairs.map(([open = "", close = ""]) => `${open}[^${open}${close}\n]{1,${longest}}${close}`);
  const single = String.raw`(?<![\p{L}\p{N}])['‘][^'’\n]{2,${longest}}['’](?![\p{L}\p{N}])`;
  return new RegExp([...marks, single].join("|"), "gu");
});

const pasted = latePattern(
  String.raw`\`\`\`[^]*?(?:\`\`\`|$(?![^]))|^[ \t]{0,3}>[^\n]*$|^-{3,}[ \t]*\n[^]{1,2000}?\n-{3,}[ \t]*$|(?<=^(?:fwd?|wg|rv|tr|weitergeleitet|reenviado|forwarded message)\b[^\n]{0,80}\n)[^]*?(?=\n\s*\n|$(?![^]))`,
  "gim",
);

/** What asks for work on the text behind a colon. */
const work = String.raw`translat\w+|paraphras\w+|rephras\w+|reword\w*|proofread\w*|summari[sz]e|parse|spell-?check|find the typo|typo in|übersetz\w*|fass\w*|korrigier\w*|umformulier\w*|tradu[cz]\w*|tradúc\w*|traduis\w*|resum\w+|corrige\w*|翻译|翻譯|翻成|译成|譯成|润色|改写|總結|总结|訳し\S{0,3}|翻訳\S{0,6}|英訳\S{0,6}|和訳\S{0,6}|要約\S{0,6}|添削\S{0,6}`;

/** What tells that somebody else speaks behind a colon, and the places where others' words stand. */
const speech = `said|says|wrote|writes|texted(?: me)?|told me|reads|schrieb|schreibt|sagte|sagt|meinte|steht|dice|dijo|escribió|escribe|pone|pon[ií]a|a écrit|dit|说|說|写道|寫道|写着|寫著|原话|原文|言って(?:た|いた|る)?|書いて(?:ある|あった|きた)|とのこと`;

const introduced = once(
  () =>
    new RegExp(
      String.raw`(?:(?<![\p{L}])(?:${work}|${speech})(?![\p{Script=Latin}]))[^:：\n.!?。！？]{0,40}[:：](?!//)[ \t]*\n*(?<words>[^\n]{1,${longest}})`,
      "giu",
    ),
);

const workLine = once(
  () =>
    new RegExp(
      String.raw`(?:(?<![\p{L}])(?:${work})(?![\p{Script=Latin}]))[^:：\n.!?。！？]{0,60}[:：](?!//)[ \t]*(?<lines>\n+)?`,
      "giu",
    ),
);

/** Where the text begins that the user gives to be worked on: behind "translate this:", in the same line or below it. */
export const workTextsIn = (text: string): readonly { readonly start: number; readonly isBelow: boolean }[] =>
  [...text.matchAll(workLine())].map(({ 0: all, index, groups }) => ({
    start: index + all.length,
    isBelow: groups?.lines !== undefined,
  }));

/** @returns parts in no order; they may overlap. In time linear in the text. */
export function othersWordsIn(text: string): readonly Part[] {
  const parts: Part[] = [];
  const add = (start: number, length: number) => parts.push({ start, end: start + length });
  if (marks.test(text)) for (const match of text.matchAll(quoted())) add(match.index, match[0].length);
  if (/[`>]|---|^(?:fwd?|wg|rv|tr|weiter|reenv|forwarded)/im.test(text)) {
    for (const match of text.matchAll(pasted())) add(match.index, match[0].length);
  }
  return [...parts, ...introducedIn(text)];
}

/** What stands behind "my boss wrote:" and "translate this:". */
export function introducedIn(text: string): readonly Part[] {
  if (!/[:：]/.test(text)) return [];
  return [...text.matchAll(introduced())].map(({ 0: all, index, groups }) => {
    const end = index + all.length;
    return { start: end - (groups?.words ?? "").length, end };
  });
}
