/** What a user's message is to the calls that wait: an answer, or another message, which may begin as one does. Pure. */
import { continuationOf } from "../../intent/wish/continues.ts";
import { ORDERS_YES_AT, OWN_WISH_AT, YES_AT } from "../../intent/wish/thresholds.ts";
import { wishOf } from "../../intent/wish/wish.ts";
import { beginningOf } from "../../lib/text/visible-text.ts";
import { titlesIn } from "../codes.ts";
import { asksAboutCall, isQuestion } from "./asks-about.ts";
import { mayOrderAll, namesEach, saysAll } from "./each-call.ts";
import { isAboutQuestion } from "./go-ahead.ts";
import { beginningPhrases, findPhrases, holdsYes, likeCode, plainWords, turnsToYes } from "./message-phrases.ts";
import { readAgreement } from "./read-agreement.ts";
import { readAnswer, type WrittenAnswer } from "./read-answer.ts";
import { butWords } from "./read-wish.ts";

/**
 * @param codes of the questions that it may answer.
 * @param question the questions, as the last assistant message holds them.
 * @returns undefined of an ordinary message: it cancels what waits.
 */
export function answerInMessage(
  message: string,
  codes: readonly string[] = [],
  question?: string,
): WrittenAnswer | undefined {
  const answer = readAnswer(message);
  if (codes.length > 1 && question !== undefined && mayNameEach(message, answer, codes, question))
    return [{ action: "each", codes: [], all: false, reason: null, edit: message }];
  if (isUnclear(message)) return [{ action: "unread", codes: [], all: false, reason: null, edit: message }];
  const begins = beginningOfMessage(message);
  // "Yes, but 100", "no, 16": a value that the call should have. Of several questions "no, 2" may be the second.
  const values = answer?.flatMap((part) => part.codes.filter((code) => isValue(code, codes))) ?? [];
  const mayCount = codes.length > 1 && values.every((value) => Number(value) <= codes.length);
  if (values.length > 0 && (begins === "changes" || (begins === "no" && !mayCount))) return undefined;
  if (answer?.every(({ action }) => action !== "unread")) return answer;
  const unread = [{ action: "unread", codes: [], all: false, reason: null, edit: message }] as const;
  if (begins === "no" && turnsToYes(plainWords(beginningOf(message.trim(), MAX_HEAD)))) return unread;
  // The model proposes the call anew, as the message wants it.
  if (begins === "changes") return undefined;
  // "By the way, look up the weather" is no yes, though it begins as one does.
  const rest = byTheWay.exec(message)?.[1];
  if (rest !== undefined && answerInMessage(rest, codes, question) === undefined) return undefined;
  const read = readAgreement(message) ?? answer;
  if (read || question === undefined || begins === "no") return read;
  const part = { codes: [], all: false, reason: null, edit: message } as const;
  if (asksAboutCall(message, question)) return [{ action: "ask", ...part }];
  if (isAboutQuestion(message, titlesIn(question))) return [{ action: "agree", ...part, edit: "", words: message }];
  // "Is it still open? then yes": whoever means it may believe that it has run.
  return message.trim().length <= MAX_ASIDE && (holdsYes(message) || soundsLikeYes(message)) ? unread : undefined;
}

/** The words of the question itself would sway the model: a yes to one question is a yes to any. */
const OFFER = "Shall I do it?";

/** To cancel a yes that is not in the list of phrases, and to go on with something else, is worse than to ask again. */
function soundsLikeYes(text: string): boolean {
  const { accepts } = continuationOf({ assistant: OFFER, text });
  return accepts >= (wishOf(text).request < OWN_WISH_AT ? YES_AT : ORDERS_YES_AT);
}

/** "Yeah right", and nothing else. */
function isUnclear(message: string): boolean {
  const items = findPhrases(message);
  return items !== undefined && items.length > 0 && items.every(({ kind }) => kind === "unclear");
}

const byTheWay = /^\s*[对對][了啦][\s,，、:：。.…~～]+(\S.*)$/su;

/** An ordinary message, to what was decided elsewhere. Undefined of one that wants the call otherwise, or not. */
export const asideInMessage = (message: string): WrittenAnswer | undefined =>
  beginningOfMessage(message) === undefined
    ? [{ action: "aside", codes: [], all: false, reason: null, edit: message }]
    : undefined;

/** Of several questions. An answer by their codes is read as it is. */
function mayNameEach(
  message: string,
  answer: WrittenAnswer | undefined,
  codes: readonly string[],
  question: string,
): boolean {
  if (message.length > MAX_HEAD || /[\n=]/.test(message) || isQuestion(message)) return false;
  if (saysAll(message)) return true;
  if (answer?.some(({ action }) => action !== "unread")) {
    const named = answer.flatMap((part) => part.codes);
    const isNone = named.length > 0 && !named.some((code) => codes.includes(code));
    return isNone && (answer.length > 1 || named.every((code) => !/^\d+$/.test(code) || Number(code) <= codes.length));
  }
  return mayOrderAll(message, titlesIn(question)) || namesEach(message, question);
}

const isValue = (code: string, codes: readonly string[]): boolean =>
  !likeCode().test(code) || (/^\d+$/.test(code) && !codes.includes(code));

/** UTF-16 units. */
const MAX_HEAD = 240;
/** UTF-16 units of a message that may hold a yes somewhere. */
const MAX_ASIDE = 80;

/**
 * What a message that is no answer begins with: a plain no ("no, the other booking"), or a yes that wants the call otherwise ("yes,
 * but only 100").
 */
export function beginningOfMessage(message: string): "no" | "changes" | undefined {
  const head = beginningOf(message.trim(), MAX_HEAD);
  const text = plainWords(head);
  if (plainNo.test(text)) return "no";
  if (/[?？]/.test(message)) return undefined;
  const { items } = beginningPhrases(head);
  const first = items.find(({ kind }) => kind !== "polite" && kind !== "code");
  if (first?.kind !== "yes" && first?.kind !== "y" && first?.kind !== "praise") return undefined;
  // "Yes K7QF, but not 3M2P" means both, and is asked about again.
  if ((head.match(new RegExp(likeCode(), "giu"))?.length ?? 0) > 1) return undefined;
  return items.some(({ kind }) => kind === "but") || butWords().test(text) ? "changes" : undefined;
}

/** Not the beginning of "no idea", or of another word. */
const plainNo =
  /^(?:(?:ach|oh|ah|hm+|uh|um|eh),? |(?:what|was|wie bitte|que|quoi|什么|什麼|啥|え|뭐)[?？!！]+ ?)?(?:no+(?! (?:idea|problem|worries|doubt|clue|one|matter|more|longer|need|se)(?!\p{L}))|no+pe|nah|ne+i+n+|nee|non|nan|不|不是的?|不要|不用|不行|不对|不對|不好|いいえ|いや|ううん|だめ|ダメ|違う|違います|아니|아니요|아니오|아니야|아뇨)(?![\p{L}\p{N}_])/u;
