/**
 * Whether a message of the user refuses: "no", "nein, behalte es", "I want to keep it", "don't cancel sub_44". What the model calls after
 * it was not wanted a moment ago, whatever the task holds. Pure.
 */
import { lexicalRest } from "../../intent/lexical/lexical.ts";
import { wantsNoChange } from "../../intent/wish/asks-for-nothing.ts";
import { asksHowTo, isMereQuestion, isOnlyQuestions } from "../../intent/wish/mere-questions.ts";
import { ownSentences } from "../../intent/wish/own-sentences.ts";
import { ORDER_REFUSES_AT, OWN_WISH_AT, REFUSES_AT } from "../../intent/wish/thresholds.ts";
import { beginsWithRequest } from "../../intent/wish/tokens.ts";
import { refusalShare, wishOf } from "../../intent/wish/wish.ts";
import { lazyRegExp, once } from "../../lib/once.ts";
import { nameWords } from "../../policy/origin/roles/name-words.ts";
import { type ToolEffect, toolEffects } from "../../policy/origin/roles/tool-verbs.ts";
import { type Act, actsOf, begins, isWithin, saysAct, stemsOf, wordsIn } from "./acts.ts";
import { beginningPhrases, plainWords } from "./message-phrases.ts";
import { readAnswer } from "./read-answer.ts";
import { fillers } from "./repeats-question.ts";

/**
 * `all`: every change. `others`: a word that also orders an act ("cancel it"), so all but that act. `named`: it rules something out ("no
 * onions", "nicht so laut"), so only an act that it names.
 */
type Refusal = "all" | "others" | "named";

/** A longer message is no plain answer. UTF-16 units. */
const LONGEST = 240;

/** @param assistant the assistant's message before, empty where it only calls; absent: not known. */
export function refusalIn(text: string, assistant: string | undefined): Refusal | undefined {
  // A first message proposes, and is no reply; nor is a long one. "How do I cancel it?" wants no change wherever it stands.
  const isReply = assistant !== undefined && text.length <= LONGEST;
  if (isReply ? isOnlyQuestions(text) && asksHowTo(text) : wantsNoChange(text, assistant || undefined) && !orders(text))
    return "all";
  if (text.length > LONGEST) return undefined;
  // "Always K7QF, no 3M2P" says of each call what becomes of it. The model that reads refusals takes some codes for words.
  if (answersCalls(text)) return undefined;
  const isNo = (one: string) =>
    one !== "" && (isPlainNo(one) || refusalShare(one, assistant) >= (orders(one) ? ORDER_REFUSES_AT : REFUSES_AT));
  const no = [behindQuestion(text), text].find(isNo);
  if (no !== undefined) return orderWord(no) === undefined ? "all" : "others";
  if (!isNegated(text)) return undefined;
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
  }
}

/** A yes, with a no at most to calls that it names by code. */
function answersCalls(text: string): boolean {
  const parts = readAnswer(text) ?? [];
  const yes = parts.filter(({ action }) => action === "approve" || action === "always" || action === "code");
  return (
    yes.length > 0 && parts.every((part) => yes.includes(part) || (part.action === "deny" && part.codes.length > 0))
  );
}

/** An answer that says no, or asks for time. With a reason only where that asks for nothing. */
function isPlainNo(text: string): boolean {
  const parts = readAnswer(text);
  return (
    parts?.every(
      ({ action, codes, reason }) =>
        action === "wait" ||
        (action === "deny" &&
          !codes.some(isValue) &&
          (reason === null || (wishOf(reason).request < OWN_WISH_AT && !isValue(reason)))),
    ) === true
  );
}

/** "No, 8081", "no: b.txt": it corrects what was said. A name does not: "No: Never" and "No: Privacy" begin with a capital too. */
const isValue = (text: string): boolean => value().test(text.trim());

const value = lazyRegExp(String.raw`^(?:[^\p{L}]*\d[^\p{L}]*|\S*[\p{L}\p{N}][.@/_]\S*[\p{L}\p{N}])[.!]*$`, "u");

/** "Cancel it", "stop", "decline": where the question asks about this very act it is an order. */
const orderStems = lazyRegExp(
  "^(?:cancel|abort|deny|den(?:y|ied)|refuse|reject|decline|skip|stop|halt|stornier|abbrechen|brich|ablehnen|lehn|verwirf|verweiger|cancela|cancelar|anula|rechaz|para|deten|annul|refus|rejet|declin|stopp|取消|停|拒|否决|否決|驳回|駁回|中止|终止|終止|放弃|放棄|跳过|跳過|キャンセル|取り消|拒否|却下|취소|거부|거절|중지|중단)",
  "u",
);

const orderWord = (text: string): string | undefined =>
  lexicalRest(text) === undefined && !negates().test(plainWords(text))
    ? wordsIn(text).find((word) => orderStems().test(word))
    : undefined;

/** It says not to do something, and nothing else. */
const isNegated = (text: string): boolean =>
  (!/\d/.test(text) && lexicalRest(text)?.every((clause) => contentWords(clause).length === 0) === true) ||
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
