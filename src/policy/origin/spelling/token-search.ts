/**
 * Searches a text for a whole sequence of tokens. Pure.
 *
 * No index of the text is kept: to search for the first token and check the few positions found costs less than to split the whole
 * text into tokens once.
 */
import { lazyRegExp, once } from "../../../lib/once.ts";
import type { TokenSequence } from "./compared-value.ts";
import { startsWithFactor } from "./spoken-numbers.ts";
import { separatorForm, type Token, tokensOf } from "./tokens.ts";

export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Positions that are checked. A value with more of them, and not found, is a common word. */
export const MAX_PLACES = 500;

/** @param counts whether a position counts as the writer's word. */
export function hasSequence(text: string, value: TokenSequence, counts: (place: TextSpan) => boolean): boolean {
  const first = value.tokens[0]?.form;
  if (first === undefined) return false;
  let at = text.indexOf(first);
  for (let places = 0; at !== -1 && places < MAX_PLACES; places += 1) {
    const begin = chunkStart(text, at);
    const end = chunkEnd(text, at);
    if (begin !== undefined && end !== undefined && sequenceAt(text, begin, at, value, counts)) return true;
    at = text.indexOf(first, end === undefined ? at + MAX_RUN : at + 1);
  }
  return false;
}

function sequenceAt(
  text: string,
  begin: number,
  at: number,
  value: TokenSequence,
  counts: (place: TextSpan) => boolean,
): boolean {
  let matched = 0;
  let start = 0;
  let end = 0;
  for (const token of tokensOf(text, begin)) {
    if (matched === 0 && token.start > at) return false;
    if (matched === 0 && !(token.start <= at && token.form === value.tokens[0]?.form && covers(token, at))) continue;
    if (matched > 0) {
      if (token.form !== value.tokens[matched]?.form) return false;
      if (!isSameSeparator(separatorForm(text, end, token.start), value, matched - 1)) return false;
    } else if (isCutBefore(text, token, value) || isRest(text, token.start) || isRestOfPhone(text, token)) return false;
    else start = token.start;
    matched += 1;
    end = token.end;
    if (matched === value.tokens.length)
      return (
        !isCutAfter(text, { ...token, end }, value) &&
        !isScaled(text, token) &&
        !isPartOfGroups(text, start, end, value) &&
        !isPartOfSpelledMail(text, start, end, value) &&
        counts({ start, end })
      );
  }
  return false;
}

const covers = ({ start, form }: Token, at: number): boolean => at - start <= form.length + MAX_SCHEME;

/** `https://www.` may precede the form of a token. */
const MAX_SCHEME = 16;

/** A comma more or less is a spelling; between addresses it separates two of them. */
function isSameSeparator(written: string, value: TokenSequence, at: number): boolean {
  const wanted = value.separators[at] ?? "";
  if (written === wanted) return true;
  return !value.isAddress && written.replace(/^,/, "") === wanted.replace(/^,/, "") && wanted.trim().length < 2;
}

const joined = lazyRegExp(String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\u30fc]`, "u");
const isJoined = (text: string, at: number): boolean => at >= 0 && joined().test(text.charAt(at));

/** Letters without blanks that go on before the value, or a path or an address whose part it would be. */
const isCutBefore = (text: string, { start, isCjk }: Token, { bounded }: TokenSequence): boolean =>
  isCjk &&
  ((bounded.start && isJoined(text, start - 1) && !isNameStart(text, start)) ||
    !isWordEdge(text, start) ||
    /^[^\s][/@\\_-]$/u.test(text.slice(Math.max(0, start - 2), start)));

/** The rest of one name, as shells write its blanks (`My\\ File.txt`), or of one number (`3万5000`, `555 0198 ext 12`). */
export const isRest = (text: string, start: number): boolean =>
  text.slice(Math.max(0, start - 2), start) === "\\ " ||
  (/\d/.test(text.charAt(start)) &&
    (/[百千万萬億亿백천만억]/u.test(text.charAt(start - 1)) ||
      extension.test(text.slice(Math.max(0, start - 24), start))));
const extension = /\d[\s,;]{0,3}(?:ext(?:ension|n)?\.?|x|durchwahl|dw|anexo|poste|内線|分机|转)\s?$/u;

/** Without its country a phone number is another one: "+44 7700 900123" is no 7700 900123. */
const isRestOfPhone = (text: string, { form, start }: Token): boolean =>
  /^\d/.test(form) && /(?:\+|\b00)\d[\d ().-]{0,14}[ ().-]$/.test(text.slice(Math.max(0, start - 18), start));

const isCutAfter = (text: string, { end, isCjk }: Token, { bounded }: TokenSequence): boolean =>
  isCjk &&
  ((bounded.end && isJoined(text, end)) || !isWordEdge(text, end) || /^[/@\\_.-][^\s]/u.test(text.slice(end, end + 2)));

/** Groups of digits that go on before or after the value: another number. */
const isPartOfGroups = (text: string, start: number, end: number, { tokens, digits }: TokenSequence): boolean =>
  (digits !== undefined || (/^[a-z]{1,3}$/.test(tokens[0]?.form ?? "") && /^\d+$/.test(tokens.at(-1)?.form ?? ""))) &&
  tokens.length > 1 &&
  (/\d[ .-]$/.test(text.slice(Math.max(0, start - 2), start)) || /^[ .-]\d/.test(text.slice(end, end + 2)));

/** `jo at acme dot io dot evil`, of which `jo@acme.io` is a part. */
const isPartOfSpelledMail = (text: string, start: number, end: number, { tokens }: TokenSequence): boolean =>
  tokens.length > 3 &&
  spelledMark.test(tokens.at(-2)?.form ?? "") &&
  (/[\s([](?:dot|punkt|punto|point)[\s)\]]+$/u.test(text.slice(Math.max(0, start - 10), start)) ||
    /^[\s)\]]*[\s([](?:dot|punkt|punto|point|at|ät)[\s)\]]/u.test(text.slice(end, end + 12)));
const spelledMark = /^(?:dot|punkt|punto|point)$/u;

/** `5 million` and `3万` are no 5 and no 3. */
export const isScaled = (text: string, { form, end }: Token): boolean =>
  /^[\d.,]+$/.test(form) && startsWithFactor(text.slice(end, end + 12));

/** Longer runs without a blank are not typed text. */
const MAX_RUN = 2_000;

/** The beginning of the run without blanks around a position. */
export function chunkStart(text: string, at: number): number | undefined {
  let start = at;
  while (start > 0 && at - start < MAX_RUN && !isBlank(text.charCodeAt(start - 1))) start -= 1;
  return at - start < MAX_RUN ? start : undefined;
}

/** Undefined if the run is longer: for each token in it the whole run would be read. */
function chunkEnd(text: string, at: number): number | undefined {
  let end = at;
  while (end < text.length && end - at < MAX_RUN && !isBlank(text.charCodeAt(end))) end += 1;
  return end - at < MAX_RUN ? end : undefined;
}

/** Also the stops of Chinese and Japanese, which have no blanks after them. */
const isBlank = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || (code >= 0x3000 && code <= 0x3002);

const han = lazyRegExp(String.raw`\p{sc=Han}`, "u");
const segmenter = once(() => new Intl.Segmenter("zh", { granularity: "word" }));

/** Letters on each side that are read: words are shorter. */
const AROUND = 24;

/** Whether a word may begin or end at a place: not within a word of the dictionary. Beside other writing there is no question. */
function isWordEdge(text: string, at: number): boolean {
  const isHan = (index: number) => index >= 0 && index < text.length && han().test(text.charAt(index));
  if (!isHan(at - 1) || !isHan(at)) return true;
  let [start, end] = [at, at];
  while (at - start < AROUND && isHan(start - 1)) start -= 1;
  while (end - at < AROUND && isHan(end)) end += 1;
  for (const { index } of segmenter().segment(text.slice(start, end))) if (start + index === at) return true;
  return false;
}

const orders =
  "删除|打开|发送|发给|转发|读取|看看|查看|移动|复制|上传|下载|分享|共享|重命名|编辑|修改|更新|打印|保存|发布|取消|加入|添加|通知|联系|给|发|删|看|读|找|用|查|改";
const beforeName = lazyRegExp(
  `^(?:请|麻烦|帮我|帮忙|你|我想|我要|再|先|也|都){0,3}(?:把|将|给|到|在|从|和|与|跟|叫|向|往|对|为)?(?:${orders})?(?:一下|这个|那个|文件|文档|名为|叫|给|到|在|和)?$`,
  "u",
);
const beforeRun = lazyRegExp(
  String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\u30fc]{1,${AROUND}}$`,
  "u",
);

/** Whether what is joined to a name before it is wholly a short order: `删除旧报告.docx` names `旧报告.docx`, `我的旧报告.docx` does not. */
function isNameStart(text: string, at: number): boolean {
  const [run = ""] = beforeRun().exec(text.slice(Math.max(0, at - AROUND), at)) ?? [];
  return run.length < AROUND && beforeName().test(run) && isWordEdge(text, at);
}
