/**
 * Whether a message of the user refuses: "no", "nein, behalte es", "I want to keep it", "don't cancel sub_44". What the model calls after
 * it was not wanted a moment ago, whatever the task holds. Pure.
 */
import { lexicalRest } from "../../intent/lexical/lexical.ts";
import { wantsNoChange } from "../../intent/wish/asks-for-nothing.ts";
import { continuationFor } from "../../intent/wish/continues.ts";
import { isMereQuestion } from "../../intent/wish/mere-questions.ts";
import { ownSentences } from "../../intent/wish/own-sentences.ts";
import { beginsWithRequest } from "../../intent/wish/tokens.ts";
import { wishOf } from "../../intent/wish/wish.ts";
import { lazyRegExp, once } from "../../lib/once.ts";
import { nameWords } from "../../policy/origin/roles/name-words.ts";
import { type ToolEffect, toolEffects } from "../../policy/origin/roles/tool-verbs.ts";
import { type Act, actsOf, begins, isWithin, saysAct, stemsOf, wordsIn } from "./acts.ts";
import { beginningPhrases, findPhrases, type Item, plainWords } from "./message-phrases.ts";
import { readAnswer } from "./read-answer.ts";
import { fillers } from "./repeats-question.ts";

/**
 * `all`: every change. `others`: a word that also orders an act ("cancel it"), so all but that act. `named`: it rules something out ("no
 * onions", "nicht so laut"), so only an act that it names. `losses`: what takes something away ("I still need it").
 */
type Refusal = "all" | "others" | "named" | "losses";

/** A longer message is no plain answer. UTF-16 units. */
const LONGEST = 240;
/** From this share of a request on, a reason asks for something: "no: send it to Bob". */
const REQUEST_AT = 0.5;
const CONTINUES_AT = 0.4;

/** @param assistant the assistant's message before; absent: not known. */
export function refusalIn(text: string, assistant: string | undefined): Refusal | undefined {
  const isShort = text.length <= LONGEST;
  const short = isShort ? (shortRefusal(text) ?? shortRefusal(behindQuestion(text))) : undefined;
  if (short) return short;
  if (wantsNoChange(text, assistant) && !orders(text))
    return isShort && (isDetail(text, assistant) || (saysYes(text) && !namesAnAct(text))) ? "named" : "all";
  if (!isShort || !isNegated(text)) return undefined;
  return namesAnAct(text) ? "all" : "named";
}

/** "Cancel order W7602708 because no longer needed": what is left beside the negation is an order, with what it is for. */
const orders = (text: string): boolean =>
  ownSentences(text).some(
    (sentence) =>
      !isMereQuestion(sentence) &&
      (lexicalRest(sentence) ?? [sentence]).some(
        (clause) => beginsWithRequest(clause) && contentWords(clause).length >= MIN_ORDER,
      ),
  );

const MIN_ORDER = 2;

/** "Yes, I don't need it any more." */
const saysYes = (text: string): boolean => {
  const first = beginningPhrases(text).items.find(({ kind }) => kind !== "polite");
  return first?.kind === "yes" || first?.kind === "y";
};

function shortRefusal(text: string): Refusal | undefined {
  if (isPlainNo(text)) return orderWord(text) === undefined ? "all" : "others";
  if (keeps(text) || endsWithNo().test(plainWords(text))) return "all";
  if (stopsAct().test(plainWords(text))) return "others";
  return stillNeeds().test(plainWords(text)) ? "losses" : undefined;
}

/** "Cancel? No!": what is said to a question of one's own. */
const behindQuestion = (text: string): string =>
  /^[^.!?？。！\n]{1,80}[?？]\s*([^?？]+)$/u.exec(text.trim())?.[1] ?? "";

/** Whether the message refuses a call of the tool. @param description of the tool. */
export function refusesTool(refusal: Refusal, text: string, tool: string, description?: string): boolean {
  switch (refusal) {
    case "all":
      return true;
    case "named":
      return namesActOf(contentWords(text), tool, description);
    case "others":
      return !namesActOf([orderWord(text) ?? ""], tool, description);
    case "losses":
      return toolEffects(tool, description).has("destroy");
  }
}

/** An answer that says no, or asks for time. With a reason only where that asks for nothing. */
function isPlainNo(text: string): boolean {
  const parts = readAnswer(text);
  return (
    parts?.every(
      ({ action, reason }) =>
        action === "wait" || (action === "deny" && (reason === null || wishOf(reason).request < REQUEST_AT)),
    ) === true
  );
}

/** "Cancel it", "stop", "decline": where the question asks about this very act it is an order. */
const orderStems = lazyRegExp(
  "^(?:cancel|abort|deny|den(?:y|ied)|refuse|reject|decline|skip|stop|halt|stornier|abbrechen|brich|ablehnen|lehn|verwirf|verweiger|cancela|cancelar|anula|rechaz|para|deten|annul|refus|rejet|declin|stopp|取消|停|拒|否决|否決|驳回|駁回|中止|终止|終止|放弃|放棄|跳过|跳過|キャンセル|取り消|拒否|却下|취소|거부|거절|중지|중단)",
  "u",
);

const orderWord = (text: string): string | undefined =>
  lexicalRest(text) === undefined && !negates().test(plainWords(text))
    ? wordsIn(text).find((word) => orderStems().test(word))
    : undefined;

/** "Ehrlich gesagt nein", "finalement non", "auf keinen Fall". */
const endsWithNo = lazyRegExp(
  String.raw`^(?:(?!(?:why|ya|or|oder|ou|o|there|is|if|say|says|said|sag|sagt)\b)[\p{L}']+[,.]? ){0,3}(?:(?<!\b(?:or|oder|ou|o) )(?:no|nope|nah|nein|non)|bloss nicht|blo\u00df nicht|not a chance|no chance|nie im leben|auf keinen fall|ni hablar|i take (?:that|it) back)[.!]*$`,
  "u",
);

/** "Stop the cancellation", "undo that". */
const stopsAct = lazyRegExp(
  "^(?:please |no,? |wait,? )*(?:(?:stop|halt|abort|call off) (?:the|this|that|my) (?:cancel|delet|remov|payment|transfer|refund|order|purchase|booking|deploy|upload|merge|publi)\\p{L}*|(?:undo|revert|reverse) (?:that|it|this))(?: please| now)*[.!]*$",
  "u",
);
/** Said of what is to be taken away it refuses; of anything else it may be a wish. */
const stillNeeds = lazyRegExp(
  "^(?:no,? |but |nein,? |aber )*(?:(?:i|we) (?:do |still |really )*still (?:need|want|use|like) .{1,40}|(?:ich|wir) (?:brauche?n?|benutze?n?|nutze?n?) .{1,40} noch|(?:todavia|aun) (?:l[oa]s? )?(?:necesito|quiero|uso).{0,40}|(?:j'en ai|je l[ea]s?|j'utilise) encore.{0,40}|我?还(?:要|需要|在)用.{0,20}|まだ(?:使|必要|要).{0,20}|아직 (?:필요|쓰|사용).{0,20})$",
  "u",
);

const mayStandBefore: ReadonlySet<Item["kind"]> = new Set([
  "no",
  "yes",
  "y",
  "polite",
  "wait",
  "and",
  "but",
  "because",
]);

/** Words that leave a thing as it is, as whole messages in plain words. */
const THING = String.raw`(?:it|that|this|them|these|those|everything|all of (?:it|them)|(?:my|our|the|this|that) [\p{L}-]+|[\p{L}_-]*\d[\p{L}\d_-]*)`;
const KEEPS = [
  `(?:(?:i|we)(?:'d| would|'ll| will)? ?(?:rather |prefer to |like to |want to |wanna |still want to )?)?(?:keep|leave|keeping) ${THING}(?: (?:as (?:it|they) (?:is|are)|alone|running|active|where (?:it|they) (?:is|are)|please|pls|for now|then|thanks|instead|after all|though|just|both))*`,
  `(?:ich |wir )?(?:behalt|lass)(?:e|en)? (?:es|sie|ihn|das|die|den|alles|so)(?: (?:bitte|lieber|doch|so|bleiben|wie (?:es|sie|er|das) (?:ist|sind)|erst ?mal|vorerst|in ruhe))*`,
  String.raw`(?:ich |wir )?(?:(?:will|wollen|mochte|mochten|wurde|wurden|soll|kann) )?(?:(?:es|sie|ihn|das|die|den|alles|(?:mein|das|die|den)\p{L}* \p{L}+) )?(?:gern[e]? |lieber |doch |bitte )*(?:behalten|so (?:be)?lassen|bleiben)`,
  `(?:quiero|prefiero|queremos|mejor)(?: lo| la| los| las)? (?:conservar|mantener|quedarme|dejar)(?:l[oa]s?)?(?: asi| con (?:el|ella|ellos))?|(?:l[oa]s? )?(?:quiero|prefiero) (?:conservar|mantener|dejar(?: asi)?)|(?:conserv|guard|mant[ie]+n)[ae]?l[oa]s?|dejal[oa]s?(?: (?:asi|como esta|estar))?|me l[oa]s? quedo`,
  `(?:garde|gardez|laisse|laissez|conserve|conservez)(?:-| )(?:l[ea]s?|ca|tout)(?: (?:comme ca|tel quel|ainsi|s'il (?:te|vous) plait))?|je (?:veux|voudrais|prefere|souhaite) (?:l[ea]s? |l')?(?:garder|conserver)(?: ca)?|je (?:l[ea]s? |l')?(?:garde|conserve)`,
  `${THING} (?:(?:can|should|must|shall|has to|have to) )?(?:just )?stays?(?: (?:put|as (?:it|they) (?:is|are)|active|please|for now))*|(?:es|das|die|der) (?:kann |soll |bleibt )?(?:so )?bleib(?:t|en)`,
  // Put off, or taken back.
  `(?:(?:maybe|probably|then|actually|oh|hmm+|no|i'd) )*(?:better|rather) not(?: (?:now|today|then|after all))?|(?:sorry )?(?:i(?:'ve| have)? )?changed my mind|(?:let me|i(?:'ll| will| have to| need to| want to)) (?:think|sleep)(?: (?:about|on|over) (?:it|this|that)| it over)?`,
  `ich (?:uberleg|denk)e? (?:es |noch |mir |mal |daruber )*(?:nach|noch|noch ?mal|anders)|(?:ich (?:hab|habe) )?(?:es )?mir (?:es )?anders uberlegt|(?:dejame|tengo que|quiero) pensarlo|dejame pensar|(?:he )?cambi(?:e|ado) de (?:idea|opinion)|j'ai change d'avis|(?:laisse-moi|je vais|je veux) (?:y )?reflechir`,
  "(?:我|还是|還是|就|先|请|請|想|要|把|它|这个|這個)*(?:保留|留着|留著|别动|別動|留下)(?:它|这个|這個|着|著|吧|了|就好|就行|下来|下來)*",
  "(?:やはり|やっぱり|それ|これ|は|を)*(?:そのまま(?:に|で)?(?:して(?:おいて)?|残して|いい|お願い)?|残して(?:おいて)?|残したい|残します|取っておいて|維持して|維持します|キープして|キープで|続けたい)(?:ください|下さい|です|で|お願いします|ね|よ|の)*",
  "(?:그냥|그거|이거|저는|나는| )*(?:그대로 ?(?:둬|두세요|두자|둘게|놔둬|유지)|유지|남겨 ?(?:둬|두세요|줘|주세요)|보류|가지고 있)(?:해|할게|할래|하고 싶어|해줘|해주세요|하세요|을래|을게|요|주세요| )*",
];
const keepsIt = lazyRegExp(`^(?:${KEEPS.join("|")})$`, "u");

function keeps(text: string): boolean {
  const plain = plainWords(text)
    .replace(/[.!。！~…]+$/u, "")
    .trim();
  const { items, rest } = beginningPhrases(plain);
  const [, head = "", tail = ""] = /^([^,;:.!]{1,40})[,;:.!]+ ?(.+)$/u.exec(plain) ?? [];
  const saysNo = (found: readonly Item[] | undefined) =>
    found !== undefined && found.length > 0 && found.every(({ kind }) => mayStandBefore.has(kind));
  return (
    keepsIt().test(plain) ||
    (rest > 0 && saysNo(items) && keepsIt().test(plain.slice(-rest).trim())) ||
    (saysNo(findPhrases(head)) && keepsIt().test(tail))
  );
}

/** It answers a question about a detail: "no onions", "no special requests", "ohne Zwiebeln". */
const detail = lazyRegExp(
  String.raw`^(?:(?:just|only|but|with|please|bitte|solo|nur) )*(?:no|without|kein(?:e[nmrs]?)?|ohne|sin|ningun[ao]?|sans|aucune?|pas d[e'] ?)\s*(?:\p{L}[\p{L}'-]*)(?: (?!(?:please|it|that)\b)\p{L}[\p{L}'-]*){0,3}(?: (?:please|bitte|thanks|danke|por favor|merci))?$`,
  "u",
);

const isDetail = (text: string, assistant: string | undefined): boolean =>
  !namesAnAct(text) &&
  detail().test(plainWords(text).replace(/[.!]+$/u, "")) &&
  continuationFor(text, assistant).continues >= CONTINUES_AT;

/** It says not to do something, and nothing else. */
const isNegated = (text: string): boolean =>
  lexicalRest(text)?.every((clause) => contentWords(clause).length === 0) === true ||
  negates().test(plainWords(text)) ||
  isUnclear(text);

/** "Do not cancel": where the question is about another act, it is no answer. */
function isUnclear(text: string): boolean {
  const { items, rest } = beginningPhrases(text);
  return rest === 0 && items.length > 0 && items.every(({ kind }) => kind === "unclear" || kind === "polite");
}

const negates = lazyRegExp(
  String.raw`^(?:请|請|先)?(?:不要?|别|別)\p{sc=Han}{1,8}了?[。！]?$|(?:지 ?마(?:세요|요)?|안 ?할(?:게요|래요?))[.!]?$|^(?:please |no,? |bitte |nein,? )*(?:under no circumstances|on no account|in no case|auf keinen fall|keinesfalls|unter keinen umstanden|de ninguna manera|bajo ningun concepto|en aucun cas)\b.{0,60}$|^(?:绝对?不|絕對?不|千万别|千萬別|절대).{1,20}$|^(?:non,? )?(?:je |j'|il |on )?n(?:e |')[\p{L} '-]{1,60} (?:pas|plus|rien)(?: [\p{L}'-]+){0,3}[.!]?$`,
  "u",
);

/** They say nothing of what is refused. */
const EMPTY =
  "not no dont don t do never without any anymore more now yet nicht kein keine keinen ohne doch mehr noch nunca sin mas ne n pas plus jamais sans s d";
const empty = once((): ReadonlySet<string> => new Set(EMPTY.split(" ")));

const contentWords = (text: string): readonly string[] =>
  wordsIn(text).filter((word) => !empty().has(word) && !fillers().has(word) && /\p{L}/u.test(word));

const CHANGES: readonly ToolEffect[] = "destroy commit pay access send deliver change create execute".split(
  " ",
) as ToolEffect[];

/** What a word says that is done; of a German order ("kündige") too. */
function effectsOf(word: string): ReadonlySet<ToolEffect> {
  const found = ["", "n", "en"].flatMap((end) => [...toolEffects(word + end)]);
  return new Set(found.filter((effect) => CHANGES.includes(effect)));
}

const GRAVE_ACTS: readonly Act[] = ["cancel", "delete", "send", "pay", "refund", "publish"];

const namesAnAct = (text: string): boolean =>
  contentWords(text).some((word) => effectsOf(word).size > 0) || GRAVE_ACTS.some((act) => saysAct(text, act));

/** Whether the message names what the tool does: with a word of its name, or one for the same act in any language. */
function namesActOf(words: readonly string[], tool: string, description?: string): boolean {
  // "Doch nicht", "not anymore": it names nothing, so it means whatever is done.
  if (words.length === 0) return true;
  const named = nameWords(tool);
  const effects = toolEffects(tool, description);
  const stems = stemsOf(named.flatMap((word) => actsOf(word, named)));
  return words.some(
    (word) =>
      named.some((one) => shareStem(one, word)) ||
      stems.some((stem) => begins(word, stem) || isWithin(word, stem)) ||
      [...effectsOf(word)].some((effect) => effects.has(effect)),
  );
}

/** "Cancellation" and `cancel`. */
function shareStem(one: string, other: string): boolean {
  const length = Math.max(4, Math.min(one.length, other.length) - 1);
  return one.length >= length && one.slice(0, length) === other.slice(0, length);
}
