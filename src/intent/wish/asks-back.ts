/**
 * Whether a reply only asks something back: "what for?", "which one?", "wozu?", "どれ？". It goes on with the task and asks for none of
 * its changes. A question word, or one of doubt, with small words: "how about Friday?" and "why not?" want something. Pure.
 */
import { lazyRegExp } from "../../lib/once.ts";
import { plainSentence } from "./own-sentences.ts";

/** UTF-16 units: a longer one holds more than this. Bounds the patterns, too. */
const LONGEST = 40;

/** Before the question word. */
const BEFORE =
  "and|but|so|then|oh|ok|okay|hm+|wait|sorry|to|for|from|by|with|at|in|since|until|und|aber|also|ach|na|ja|moment|an|fur|von|mit|zu|bis|seit|um|auf|y|pero|a|para|de|con|por|desde|et|mais|alors|donc|pour|depuis|avec|chez|sur";
/** In lower case, without accents. They ask also without a mark. */
const ASKING =
  "why|which|whom|whose|who|what(?:'?s)?|how come|huh|wozu|wofur|warum|wieso|weshalb|welche[rsmn]?|wen|wem|woher|worum|pourquoi|lequel|laquelle|lesquels|lesquelles|quoi|cual(?:es)?|quien(?:es)?";
/** These may also begin a statement, or compare: "like this one". */
const ASKING_WITH_MARK =
  "how|when|where|was|wer|wie|wieviel|wann|wo|wohin|womit|ha|que|como|cuando|donde|adonde|cuant[oa]s?|qui|quel(?:le)?s?|ou|quand|combien|comment|c'est a dire|really|seriously|certain|sure|echt|sicher|ernsthaft|wirklich|seguro|segura|verdad|en serio|vraiment|sur|sure|certaine|serieux|serieusement";
/** Behind it. No negation, and no "about", "else" or "more": those want something. */
const BEHIND =
  "for|to|so|from|with|by|that|this|these|those|it|one|ones|is|are|was|did|do|does|you|i|we|mean|meant|exactly|though|then|now|much|many|long|far|big|safe|genau|denn|eigentlich|das|der|die|den|dem|dies|ist|sind|meinst|du|sie|jetzt|dann|viel|viele|lange|teuer|bitte|eso|esto|es|son|exactamente|entonces|ca|cela|est|sont|ce|c'est|exactement|donc|faire|au juste|tu|veux|dire|que";
/** Before a word of doubt. */
const WHO_DOUBTS = "are you|is that|is it|bist du(?: dir)?|sind sie(?: sich)?|ist das|estas|es|de|tu es|t'es|c'est";

const latin = lazyRegExp(
  `^(?:(?:${BEFORE}) ){0,3}(?:(?:${ASKING})(?: (?:${BEHIND})){0,5}[?!. ]*|(?:(?:${WHO_DOUBTS}) )?(?:${ASKING_WITH_MARK})(?: (?:${BEHIND})){0,5} ?[?][?!. ]*)$`,
  "u",
);
const chinese = lazyRegExp(
  `^(?:那么?|那麼|但是?|可是|不过|你|这|這|那?个|是|给|給|用|跟|要|到|从|從|做|啊|哦|嗯|[，, ]){0,5}(?:(?:为什么|為什麼|为啥|為啥|干嘛|幹嘛|干吗|哪[一]?[个個些]|哪[里裡儿兒]|谁|誰|(?:干|做)?什[么麼](?:时候|時候|意思)?|多少|几[个個点點]|怎[么麼]回事|[真确確]定?的?[吗嗎])(?:啊|呀|呢|的|是)?|(?:真的|确定|確定|当真|當真|怎[么麼])[?？])[?？!！。 ]*$`,
  "u",
);
const japanese = lazyRegExp(
  String.raw`^(?:それって|それは?|これは?|え[っ?？、]*|で|でも|じゃあ?|[、 ]){0,3}(?:(?:なぜ|なんで|何で|どうして)(?:です)?か?[?？。 ]*|(?:何のため(?:に)?|ど(?:れ|っち|ちら|こ)|どの[\p{sc=Han}\p{sc=Kana}ー]{1,8}|いつ|誰|だれ|何|なに|いくら|いくつ|ほんと(?:う)?|本当|マジ|まじ|どういう(?:こと|意味))(?:に|で|が|を|へ|の|から|まで)?(?:です|でしょう|なの|なん|だっけ|かな|ですか|ます)?か?[?？]+)$`,
  "u",
);
const korean = lazyRegExp(
  `^(?:그게|이게|근데|그럼|[ ,]){0,3}(?:왜(?:요)?[?？. ]*|(?:뭐|뭘|무엇|어느|어떤|누구|언제|어디|얼마|몇 ?개|정말|진짜)(?: ?(?:거|것|걸))?(?:에게|한테|로|를|을|에서)?(?:요|죠|예요|이에요|인가요|야)?[?？]+)$`,
  "u",
);

export function asksBack(message: string): boolean {
  const text = plainSentence(message);
  if (text.length > LONGEST) return false;
  const words = text
    .replace(/[¿¡]/gu, "")
    .replace(/[，,;:–—-]+ */gu, " ")
    .replace(/ +/g, " ");
  return latin().test(words.trim()) || [chinese, japanese, korean].some((one) => one().test(text));
}
