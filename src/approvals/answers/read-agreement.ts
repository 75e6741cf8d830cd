/**
 * A yes with more behind it, of a message that is no answer by itself: words that only repeat the question, a further wish, or a question
 * about another thing. Whoever knows the calls that wait tells whether it is a yes to one of them. Pure.
 */
import { isQuestion } from "./asks-about.ts";
import { behindYes, likeCode, plainWords } from "./message-phrases.ts";
import { readAnswer, type WrittenAnswer } from "./read-answer.ts";
import { furtherWish } from "./read-wish.ts";

/** A message that only agrees is at most so long, in UTF-16 units. */
const MAX_AGREEMENT = 100;

/**
 * `yes, cancel it`, where a question asks whether to cancel something, and `yes, and send her a mail`. For a message that is no answer
 * by itself: whoever knows the question tells whether it is one. Never of a question ("ok, what does it cost?").
 */
export function readAgreement(text: string): WrittenAnswer | undefined {
  const asking = readYesAndQuestion(text);
  if (asking || /[?？]/.test(text)) return asking;
  const further = furtherWish(text);
  if (further === undefined && text.length > MAX_AGREEMENT) return undefined;
  const behind = behindYes(text);
  if (behind === undefined || behind === "") return undefined;
  const written = [...behind.matchAll(new RegExp(likeCode(), "giu"))].map(([code]) => code.toUpperCase());
  const [edit, words] = [behind, text].map((one) => one.replace(new RegExp(likeCode(), "giu"), " ").trim());
  const codes = further?.codes ?? written;
  const part = { action: "agree", codes, all: false, reason: null, edit: edit ?? "", words } as const;
  return [further === undefined ? part : { ...part, wish: further.wish }];
}

const THANKS = /thank|thx|(?<!\p{L})(?:ty|cheers|merci)(?!\p{L})|dank|gracias|谢|謝|ありがと|どうも|감사|고마/u;

/** `yes, thanks. who is next?`: a whole yes that ends with a full stop or thanks, and a question behind it. */
function readYesAndQuestion(text: string): WrittenAnswer | undefined {
  if (text.length > MAX_AGREEMENT || /[\n\r]/.test(text) || !isQuestion(text)) return undefined;
  for (const { index, 0: mark } of text.matchAll(/[,.!;，。！；、…]|(?<=\s)(?:and|und|y|et)(?=\s)|和/giu)) {
    const head = text.slice(0, index);
    const [part, ...others] = readAnswer(head) ?? [];
    if (part?.action !== "approve" || others.length > 0 || part.all || behindYes(head) === undefined) continue;
    const closes = /[.!。！]/.test(mark) || THANKS.test(plainWords(head));
    const tail = plainWords(text.slice(index + mark.length)).replace(/^(?:(?:and|und|y|et|so|dann|then),? )+/u, "");
    if (!closes || !isQuestion(tail)) continue;
    return [{ action: "agree", codes: part.codes, all: false, reason: null, edit: tail, wish: tail, asks: true }];
  }
  return undefined;
}
