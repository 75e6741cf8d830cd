/**
 * Answers that say by place or by value which of several calls they are for: `1 yes, 2 no`, `yes to INV-78, no to INV-79`, `only the first`,
 * `all but b.txt`. Pure.
 */
import { once } from "../../lib/once.ts";
import type { Approval } from "../approval.ts";
import { askedBy, wordsIn } from "./acts.ts";
import { nameMark, namesOf, valuesOf, withNames } from "./call-names.ts";
import { goesAhead, isAboutQuestion, ordersAct } from "./go-ahead.ts";
import { findPhrases, plainWords } from "./message-phrases.ts";
import type { AnswerPart, WrittenAnswer } from "./read-answer.ts";

/** UTF-16 units. */
const MAX_MESSAGE = 200;
/** Words of a message that names one call. */
const MAX_WORDS = 6;
/** Words of a message that names values of the question. */
const MAX_NAMING = 16;
/** Calls that can be distinguished by their place. */
const MAX_PLACES = 9;

/** The first to the ninth, beside the bare number. */
const PLACES = [
  "first 1st erste ersten erster erstes primera primero primer premier premiere 第一 第1 一つ目 1つ目 一番目 1番目 最初 첫번째 첫째",
  "second 2nd zweite zweiten zweiter zweites segunda segundo deuxieme seconde 第二 第2 二つ目 2つ目 二番目 2番目 두번째 둘째",
  "third 3rd dritte dritten drittes tercera tercero tercer troisieme 第三 第3 三つ目 3つ目 三番目 3番目 세번째 셋째",
  "fourth 4th vierte vierten viertes cuarta cuarto quatrieme 第四 第4 四つ目 4つ目 四番目 4番目 네번째 넷째",
];
const placeOf = once(
  () => new Map(PLACES.flatMap((words, index) => words.split(" ").map((word) => [word, index + 1] as const))),
);

/** Words beside them that say nothing. */
const BESIDE = new Set(
  `the a to for on with one invoice number no nr just please it is and der die das den dem zu zum zur bei fur mit nummer bitte nur und ist
  la el lo a al para con numero por favor solo y le les pour avec numero juste seulement et only`.split(/\s+/),
);
const UNSPACED_BESIDE = /[个個項笔筆件条條をはがにの는은를을要只就 ]|だけ|のみ|만/gu;

const ONLY = /(?<!\p{L})(?:only|just|nur|bloss|solo|solamente|seulement|juste)(?!\p{L})|只|だけ|のみ|(?<=\p{L})만/u;
const BARE_NUMBER = /(?<![\p{L}\p{N}第.-])(?<!(?:the|number|nr|no|nummer|numero|call) )\d(?![\p{N}番]|[つ]目)/u;
/** Two, and no other number of calls. */
const BOTH =
  /(?<!\p{L})(?:both|the two|beides?|beiden?|(?:alle|die) zwei|ambos|ambas|les deux|las dos|los dos|toutes les deux|tous les deux)(?!\p{L})|[两兩](?:个|個)?|俩|倆|両方?|二つとも|2つとも|どちらも|どっちも|둘/u;

/** @param calls those that wait, in the order of their question. @returns undefined where it is not certain which answer is for which. */
export function answersEach(message: string, calls: readonly Approval[]): WrittenAnswer | undefined {
  if (calls.length < 2 || calls.length > MAX_PLACES || message.length > MAX_MESSAGE || /[\n?？]/.test(message))
    return undefined;
  // Without its accent the Spanish yes is "if".
  if (/(?<!\p{L})si(?!\p{L})/iu.test(message.normalize("NFC"))) return undefined;
  const text = withNames(plainWords(message), calls, isAnswerWord);
  // "A.txt not ok, b.txt ok": a clause with both says nothing that is certain.
  if (splitClauses(text).some((clause) => YES.test(clause) && (NO.test(clause) || KEEP.test(clause)))) return undefined;
  return readExcept(text, calls) ?? readOnly(text, calls) ?? readClauses(text, calls);
}

/**
 * It is made of an answer for each clause, of "only" and a place, or it names a value of the question beside a yes, a no, "only" or "but":
 * whoever knows the calls tells which they are.
 */
export function namesEach(message: string, question: string): boolean {
  const text = plainWords(message);
  const clauses = splitClauses(text);
  const each = clauses.filter((clause) => answerIn(clause) !== undefined).length;
  const words = wordsIn(message);
  if (each === clauses.length && (each > 1 || words.length <= MAX_WORDS)) return true;
  if (ONLY.test(text) && words.length <= MAX_WORDS && words.some((word) => /\d/.test(word) || isPlace(word)))
    return true;
  if (words.length > MAX_NAMING || text.search(NO) === 0) return false;
  const names = words.some((word) => isPlace(word) && !/\d/.test(word)) || namesOf(question, text);
  return names && [YES, NO, ONLY, EXCEPT].some((answer) => answer.test(text));
}

/** "Yes to both": a no to both may be meant for each in turn. */
const YES_TO =
  /^(?:yes|yep|yeah|sure|ok|okay|ja|jo|si|oui)[, ]+(?:to|zu|a) (?=(?:both|the two|all|beide[nm]|alle[nm]|ambos|ambas|los dos|las dos|todos|todas)(?!\p{L}))/u;

/** "Both" or "all", and nothing else: of questions that ask for a yes to each. */
export const saysAll = (message: string): boolean => {
  const items =
    findPhrases(
      /(?<!\p{L})si(?!\p{L})/iu.test(message.normalize("NFC")) ? "" : plainWords(message).replace(YES_TO, ""),
    ) ?? [];
  return (
    items.some(({ kind }) => kind === "all") &&
    items.every(({ kind }) => kind === "all" || kind === "polite") &&
    !/[?？]/.test(message)
  );
};

const ALL =
  /(?<!\p{L})(?:all(?: of)?(?: them| these| those)?|everything|alles?|tod[oa]s?|tou(?:t|s|te|tes))(?!\p{L})|全部|全都|都|全て|すべて|全部で|모두|전부/gu;

/** The message without its "both" or "all": "delete both", "两个都删". Undefined where it has none. */
function withoutAll(message: string): string | undefined {
  const text = plainWords(message);
  const rest = text.replace(new RegExp(BOTH, "gu"), " ").replace(ALL, " ").trim();
  return rest === text || rest === "" ? undefined : rest;
}

/** An order to do each of them. */
export function ordersAll(message: string, calls: readonly Approval[]): boolean {
  const rest = withoutAll(message);
  return rest !== undefined && calls.every((call) => goesAhead(rest, call));
}

/** It may be such an order. @param titles of the questions. */
export function mayOrderAll(message: string, titles: readonly string[]): boolean {
  const rest = withoutAll(message);
  return rest !== undefined && isAboutQuestion(rest, titles);
}

/** "Both", where two wait. */
export const saysHowMany = (message: string, calls: readonly Approval[]): boolean =>
  !BOTH.test(plainWords(message)) || calls.length === 2;

const BEGINS_YES = /^(?:yes|yeah|yep|ok|okay|ja|si|oui|好的?|是的?|はい|네),? ?(?:(?:to|zu|a) )?/u;

/** "All but b.txt": the others are to run. */
function readExcept(text: string, calls: readonly Approval[]): WrittenAnswer | undefined {
  if (!EXCEPT.test(text) || !(text.match(ALL) ?? BOTH.test(text))) return undefined;
  const rest = text.replace(BEGINS_YES, "").replace(EXCEPT, " ").replace(ALL, " ").replace(BOTH, " ");
  if (answerIn(rest) !== undefined) return undefined;
  return dividing(callsIn(rest, calls), calls, "deny");
}

/** "Only the first", "yes, only INV-78": the others are not to run. */
function readOnly(text: string, calls: readonly Approval[]): WrittenAnswer | undefined {
  // "Only 2" may be the second, or two of them.
  if (!ONLY.test(text) || BARE_NUMBER.test(text)) return undefined;
  const rest = text.replace(BEGINS_YES, "");
  if (answerIn(rest) === "deny") return undefined;
  return dividing(callsIn(rest.replace(ONLY, " "), calls), calls, "approve");
}

/** One answer for those that are named, the other for the rest; none where all or none are named. */
function dividing(
  named: readonly Approval[] | undefined,
  calls: readonly Approval[],
  action: "approve" | "deny",
): WrittenAnswer | undefined {
  if (!named || named.length === 0 || named.length === calls.length) return undefined;
  const other = action === "approve" ? "deny" : "approve";
  return calls.map((call) => partOf(named.includes(call) ? action : other, [call.code]));
}

/** Each clause has one answer and names its calls; "1 and 2 yes" has one for two clauses. No call is named twice. */
function readClauses(text: string, calls: readonly Approval[]): WrittenAnswer | undefined {
  const parts: AnswerPart[] = [];
  let waiting: readonly Approval[] = [];
  for (const clause of splitClauses(text)) {
    const action = answerIn(clause, calls);
    const named = callsIn(withoutAnswer(clause, calls), calls);
    if (!named || named.length === 0) return undefined;
    const last = parts.at(-1);
    // "The first one, not the second."
    if (action === "deny" && waiting.length > 0 && BEGINS_NOT.test(clause)) {
      parts.push(
        partOf(
          "approve",
          waiting.map(({ code }) => code),
        ),
      );
      waiting = [];
    }
    if (action) {
      parts.push(
        partOf(
          action,
          [...waiting, ...named].map(({ code }) => code),
        ),
      );
      waiting = [];
    } else if (last && startsWithAnswer(text)) {
      parts[parts.length - 1] = partOf(last.action === "deny" ? "deny" : "approve", [
        ...last.codes,
        ...named.map(({ code }) => code),
      ]);
    } else waiting = [...waiting, ...named];
  }
  const codes = parts.flatMap((part) => part.codes);
  return parts.length > 0 && waiting.length === 0 && new Set(codes).size === codes.length ? parts : undefined;
}

const startsWithAnswer = (text: string): boolean => [YES, NO].some((answer) => text.search(answer) === 0);

const partOf = (action: "approve" | "deny", codes: readonly string[]): AnswerPart => ({
  action,
  codes,
  all: false,
  reason: null,
  edit: "",
});

function splitClauses(text: string): readonly string[] {
  const clauses = text.split(/[,;.，；。、]|(?<!\p{L})(?:and|und|y|et|but|aber|pero|mais)(?!\p{L})|和|但/u);
  const [first = "", second = ""] = wordsIn(text);
  // "1 yes 2 no", "das erste ja das zweite nein": without a comma a clause ends before the next place.
  const whole =
    isPlace(first) || (ARTICLE.test(first) && isPlace(second))
      ? clauses.flatMap((clause) => clause.split(BEFORE_PLACE))
      : clauses;
  return whole.map((clause) => clause.trim()).filter((clause) => clause !== "");
}

const ARTICLE = /^(?:the|das|die|der|den|la|el|le)$/u;
const BEFORE_PLACE =
  /(?<=\p{L})(?<!(?:^|[^\p{L}])(?:the|das|die|der|den|la|el|le|not|no|nicht|pas)) (?=(?:(?:the|das|die|der|den|la|el|le) )?(?:\d|first|second|third|fourth|erste[rns]?|zweite[rns]?|dritte[rns]?|primer[ao]?|segund[ao]|tercer[ao]?|deuxieme|troisieme)(?!\S))/u;
const bare = (word: string): string => word.replace(UNSPACED_BESIDE, "") || word;
const isPlace = (word: string): boolean => /^\d$/.test(word) || placeOf().has(bare(word)) || placeOf().has(word);

const YES =
  /(?<![\p{Script=Latin}\p{N}])(?:yes|yep|yeah|sure|ok|okay|ja|jo|si|oui)(?![\p{Script=Latin}\p{N}])|好的?|是的?|可以|はい(?!いえ)|네/u;
const NO =
  /(?<![\p{Script=Latin}\p{N}])(?:no|not|nope|nein|ne|nicht|non|pas|leave|skip|lass|lassen|deja|laisse)(?![\p{Script=Latin}\p{N}])|不要?|别|別|だめ|ダメ|やめ|いいえ|아니요?/u;
/** What is kept is not deleted. */
const KEEP =
  /(?<![\p{Script=Latin}\p{N}])(?:keep|behalt(?:e|en)?|conserva|garde)(?![\p{Script=Latin}\p{N}])|留着|留著|保留|残して/u;
/** "No" may begin a correction: "the first, no, the second". */
const BEGINS_NOT = /^(?:but |aber |pero |mais |和)?(?:not|nicht|pas|不要?|别|別)(?![\p{Script=Latin}\p{N}])/u;
const EXCEPT =
  /(?<!\p{L})(?:but(?! not)|except(?: for)?|apart from|other than|au(?:ss|ß)er|bis auf|menos|excepto|salvo|sauf|a part)(?!\p{L})|除了|除去|以外(?:は|を|の)?|(?:을|를)? ?(?:빼고|제외하고)/u;

const isAnswerWord = (name: string): boolean => [YES, NO, KEEP, ONLY, EXCEPT].some((answer) => answer.test(name));

const takesAway = ({ acts }: ReturnType<typeof askedBy>): boolean => acts.has("delete") || acts.has("cancel");

/** @param calls if all of them take something away, "keep" is a no. */
function answerIn(clause: string, calls: readonly Approval[] = []): "approve" | "deny" | undefined {
  const [yes, no] = [YES.test(clause), NO.test(clause) || (KEEP.test(clause) && keepsByNo(calls))];
  if (yes === no) return undefined;
  return yes ? "approve" : "deny";
}

const keepsByNo = (calls: readonly Approval[]): boolean =>
  calls.length > 0 && calls.every((call) => takesAway(askedBy(call)));

const withoutAnswer = (clause: string, calls: readonly Approval[]): string => {
  const text = clause.replace(YES, " ").replace(NO, " ");
  return keepsByNo(calls) ? text.replace(KEEP, " ") : text;
};

/** @param text as `withNames` makes it. @returns the calls that it names; undefined where a word is left that names none, and orders nothing. */
function callsIn(text: string, calls: readonly Approval[]): readonly Approval[] | undefined {
  const named = new Set(calls.filter((_, index) => text.includes(nameMark(index))));
  const placed = new Set<Approval>();
  const left: string[] = [];
  for (const word of wordsIn(text)) {
    const short = bare(word);
    const place = /^\d$/.test(short) ? Number(short) : (placeOf().get(short) ?? placeOf().get(word));
    const call = place === undefined ? calls.find(({ code }) => code === word.toUpperCase()) : calls[place - 1];
    // A number may also be a value: then nobody knows which is meant.
    if (place !== undefined && (!call || calls.some((one) => valuesOf(one).includes(word)))) return undefined;
    if (call) placed.add(call);
    else if (!BESIDE.has(word) && word.replace(UNSPACED_BESIDE, "") !== "") left.push(word);
  }
  // "Bob first": who names a call by its value and another by its place may mean an order.
  if (named.size > 0 && [...placed].some((call) => !named.has(call))) return undefined;
  const found = [...new Set([...named, ...placed])];
  return left.length === 0 || found.every((call) => ordersAct(left.join(" "), call)) ? found : undefined;
}
