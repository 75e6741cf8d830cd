/**
 * Whether a message makes sense only after another one: "yes", "the second one", "and in French?", 続けて. Short, and made of words
 * that point back or go on. Pure.
 */

import { RE2JS } from "re2js";
import { lazyRegExp } from "../../lib/once.ts";
import { fold } from "./fold.ts";

/** In UTF-16 units, and in words. */
const maxLength = 60;
const maxWords = 8;

const light = new Set(
  `yes yeah yep yup sure ok okay k kk alright fine please pls thanks thank you ty cheers no nope nah not never mind right correct
  exactly indeed absolutely definitely great good perfect cool nice wow hmm ah oh um well do does did it its it's that that's
  this these those them they him her one ones the a an another other others first second third fourth fifth last latter former
  next previous both all none any some each every again more less most further continue proceed resume carry keep go going on
  ahead then now so and but or too also as well instead same way is are was why how when where who what which really me us i'd
  i i'll i'm my like want prefer take pick choose would could can will just only even still make be give show try redo repeat
  retry undo stop wait shorter longer simpler easier harder better worse bigger smaller faster slower clearer deeper different
  detail details detailed brief briefly short long up down with without in to for of at from once twice time times two three four five six ten few couple please
  si sí claro vale bueno gracias por favor otra otro vez más mas sigue continúa continua siguiente segundo segunda primero primera el la los
  las lo uno una eso esto también tambien porque qué que
  ja jawohl nein klar gerne bitte danke weiter mach nochmal noch einmal mal mehr weniger das die der den zweite zweiten
  erste ersten letzte nächste warum wieso genau stimmt gut und auch kürzer länger einfacher ok
  oui non d'accord bien merci encore une fois plus moins continue continuez vas-y allez suite le deuxième second seconde première premier
  dernier suivant pourquoi aussi plaît s'il vous te plait va svp court courte
  sim não nao obrigado mais outro sì grazie ancora perché`.split(/\s+/),
);

/** Words that other messages hold too: alone they do not make a follow-up. */
const empty = new Set(
  "you i i'd i'll i'm me us my a an the do does did is are was be in to for of at from with without would could can will want like make give show try my time times what who when where que what".split(
    " ",
  ),
);

const continuations = [
  /^(?:and|but|or|now|then|same(?: thing)?|also|und|et|y|pero|aber|mais)(?: now| then)? (?:in|for|with|without|about|on|from|at|as|auf|mit|fur|en|avec|pour|con|para) \S+(?: \S+){0,3}$/,
  /^(?:what|how) about (?:\S+ ){0,4}\S+$/,
  /^(?:y|et|und) \S+(?: \S+)?$/,
  /^那么?[^\s，。？?]{1,8}呢$/u,
  /^(?:じゃあ?|では)?[\p{Script=Katakana}\p{Script=Han}ー]{1,8}(?:語|版)?(?:では|だと|なら|は)$/u,
  /^(?:number|option|answer|no|nr|n|#)?[ .]?(?:\d{1,2}|[a-e])[.)]?$/,
  /^(?:the )?(?:\d{1,2}(?:st|nd|rd|th)|one before|one after)(?: one)?$/,
  /^(?:make|keep|do) (?:it|that|them|this) (?:\S+ ){0,2}(?:\S+er|more \S+|less \S+|again|shorter|in \S+)$/,
  /^(?:in|auf|en) (?:english|japanese|korean|chinese|french|german|spanish|italian|portuguese|thai|deutsch|englisch|francais|anglais|espanol|ingles)(?: please| bitte| por favor)?$/,
];

/**
 * Languages without spaces, and Korean: a message that is nothing but these. In linear time: 好的 is one of them and two, so of
 * thirty in a row an engine that goes back would try every division.
 */
const unspaced =
  /^(?:はい|うん|ええ|いいえ|いや|そう(?:です)?|お願い(?:します|いたします)?|おねがい(?:します)?|どうぞ|続けて|つづけて|続き|もう一度|もう一回|もう一つ|もうひとつ|もっと|次|つぎ|なぜ|なんで|どうして|それで|それから|ほか(?:に)?|他に|同じ(?:く)?|了解|わかりました|分かりました|ありがとう(?:ございます)?|ください|下さい|して|を|は|の|で|も|と|ね|よ|か|です|ます|[一二三四五\d]+(?:番目|つ目|番|つ)|最初|最後|それ|これ|あれ|短く|長く|簡単に|詳しく|[两兩]?[第][一二三四五六七八九十\d]+(?:个|個|种|種|条|條|项|項)?|好的?|好吧|好啊|是的?|对的?|對的?|没错|沒錯|可以|行|嗯|继续|繼續|接着(?:说|讲)?|再来(?:一[个次遍])?|再來(?:一[個次遍])?|再(?:说)?一[次遍个]|更多|多一点|为什么|為什麼|下一[个個步]|上一[个個]|还有(?:呢)?|還有(?:呢)?|不(?:是|用|要)?|谢谢|謝謝|请|請|吧|吗|嗎|呢|啊|了|的|那(?:个|個)?|这(?:个|個)?|短一点|简单一点|详细一点|네|예|응|아니(?:요|오)?|그래(?:요)?|좋아(?:요)?|알겠(?:어|습니다|어요)|계속(?:해)?(?:요|줘|주세요)?|다시(?:해줘| ?한 ?번)?|한 ?번 ?더|하나 ?더|더|왜(?:요)?|다음(?:은|거)?|(?:첫|두|세|네) ?번째(?:거|것|로|요)?|그거|이거|그것|이것|해(?:요|줘|주세요)?|주세요|줘|부탁(?:해요?|드려요|합니다)|짧게|길게|쉽게|자세히|고마워(?:요)?|감사합니다|ใช่|ครับ|ค่ะ|ต่อ(?:ไป)?|อีก|ทำไม|ไม่|โอเค|ได้|👍|👌|✅|[\s、。,.!！?？~…ー])+$/u;

let unspacedRegex: RE2JS | undefined;

function isUnspaced(text: string): boolean {
  if (!/[^\0-\x7f]/.test(text)) return false;
  unspacedRegex ??= RE2JS.compile(RE2JS.translateRegExp(unspaced.source));
  return unspacedRegex.test(text);
}

const visible = lazyRegExp(String.raw`[\p{L}\p{N}\p{Extended_Pictographic}]`, "u");
const wordRuns = lazyRegExp(String.raw`[\p{L}\p{N}\p{M}'#-]+`, "gu");
const betweenWords = lazyRegExp(String.raw`[^\p{L}\p{N}'#-]+`, "gu");

export function isFollowUp(message: string): boolean {
  if (message.length > maxLength) return false;
  const { folded, text } = fold(message);
  if (visible().test(text) && isUnspaced(text)) return true;
  const words = text.toLowerCase().match(wordRuns()) ?? [];
  if (words.length === 0 || words.length > maxWords) return false;
  if (words.every((word) => light.has(word)) && words.some((word) => !empty.has(word))) return true;
  const plain = folded.replace(betweenWords(), " ").trim();
  return continuations.some((continuation) => continuation.test(plain));
}
