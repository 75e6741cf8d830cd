/**
 * Answers that say by place or by value which of several calls they are for: `1 yes, 2 no`, `yes to INV-78, no to INV-79`, `only the first`.
 * Pure.
 */
import { isObject } from "../../lib/json/json-value.ts";
import { once } from "../../lib/once.ts";
import type { Approval } from "../approval.ts";
import { shownArguments } from "../disclosure/disclosure.ts";
import { wordsIn } from "./acts.ts";
import { findPhrases, likeCode, plainWords } from "./message-phrases.ts";
import type { AnswerPart, WrittenAnswer } from "./read-answer.ts";

/** UTF-16 units. */
const MAX_MESSAGE = 200;
/** Words of a message that names one call. */
const MAX_WORDS = 6;
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
  /(?<!\p{L})(?:both|the two|beides?|beiden?|(?:alle|die) zwei|ambos|ambas|les deux|las dos|los dos|toutes les deux|tous les deux)(?!\p{L})|两|兩|俩|倆|両|二つとも|2つとも|どちらも|どっちも|둘/u;

/** @param calls those that wait, in the order of their question. @returns undefined where it is not certain which answer is for which. */
export function answersEach(message: string, calls: readonly Approval[]): WrittenAnswer | undefined {
  if (calls.length < 2 || calls.length > MAX_PLACES || message.length > MAX_MESSAGE || /[\n?？]/.test(message))
    return undefined;
  // Without its accent the Spanish yes is "if".
  if (/(?<!\p{L})si(?!\p{L})/iu.test(message.normalize("NFC"))) return undefined;
  return readOnly(message, calls) ?? readClauses(message, calls);
}

/** It is made of an answer for each clause, or of "only" and a place: whoever knows the calls tells which they are. */
export function namesEach(message: string): boolean {
  const clauses = splitClauses(message);
  const each = clauses.filter((clause) => answerIn(clause) !== undefined).length;
  const words = wordsIn(message);
  if (each === clauses.length && (each > 1 || words.length <= MAX_WORDS)) return true;
  return (
    ONLY.test(plainWords(message)) &&
    words.length <= MAX_WORDS &&
    words.some((word) => /\d/.test(word) || isPlace(word))
  );
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

/** "Both", where two wait. */
export const saysHowMany = (message: string, calls: readonly Approval[]): boolean =>
  !BOTH.test(plainWords(message)) || calls.length === 2;

/** "Only the first", "yes, only INV-78": the others are not to run. */
function readOnly(message: string, calls: readonly Approval[]): WrittenAnswer | undefined {
  const text = plainWords(message);
  // "Only 2" may be the second, or two of them.
  if (!ONLY.test(text) || BARE_NUMBER.test(text)) return undefined;
  const rest = text.replace(/^(?:yes|ja|si|oui|好的?|是的?|はい|네),? ?/u, "");
  if (answerIn(rest) === "deny") return undefined;
  const [meant, ...more] = callsIn(rest, calls) ?? [];
  if (!meant || more.length > 0) return undefined;
  return calls.map(({ code }) => partOf(code === meant.code ? "approve" : "deny", [code]));
}

/** Each clause has one answer and names its calls; "1 and 2 yes" has one for two clauses. No call is named twice. */
function readClauses(message: string, calls: readonly Approval[]): WrittenAnswer | undefined {
  const parts: AnswerPart[] = [];
  let waiting: readonly Approval[] = [];
  for (const clause of splitClauses(message)) {
    const action = answerIn(clause);
    const named = callsIn(withoutAnswer(clause), calls);
    if (!named || named.length === 0) return undefined;
    const last = parts.at(-1);
    if (action) {
      parts.push(
        partOf(
          action,
          [...waiting, ...named].map(({ code }) => code),
        ),
      );
      waiting = [];
    } else if (last && startsWithAnswer(message)) {
      parts[parts.length - 1] = partOf(last.action === "deny" ? "deny" : "approve", [
        ...last.codes,
        ...named.map(({ code }) => code),
      ]);
    } else waiting = [...waiting, ...named];
  }
  const codes = parts.flatMap((part) => part.codes);
  return parts.length > 0 && waiting.length === 0 && new Set(codes).size === codes.length ? parts : undefined;
}

const startsWithAnswer = (message: string): boolean =>
  [YES, NO].some((answer) => plainWords(message).search(answer) === 0);

const partOf = (action: "approve" | "deny", codes: readonly string[]): AnswerPart => ({
  action,
  codes,
  all: false,
  reason: null,
  edit: "",
});

function splitClauses(message: string): readonly string[] {
  const text = plainWords(message);
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
  /(?<=\p{L})(?<!(?:^|[^\p{L}])(?:the|das|die|der|den|la|el|le)) (?=(?:(?:the|das|die|der|den|la|el|le) )?(?:\d|first|second|third|fourth|erste[rns]?|zweite[rns]?|dritte[rns]?|primer[ao]?|segund[ao]|tercer[ao]?|deuxieme|troisieme)(?!\S))/u;
const bare = (word: string): string => word.replace(UNSPACED_BESIDE, "") || word;
const isPlace = (word: string): boolean => /^\d$/.test(word) || placeOf().has(bare(word)) || placeOf().has(word);

const YES = /(?<![\p{L}\p{N}])(?:yes|yep|yeah|ok|okay|ja|jo|si|oui)(?![\p{L}\p{N}])|好的?|是的?|可以|はい(?!いえ)|네/u;
const NO = /(?<![\p{L}\p{N}])(?:no|not|nope|nein|ne|nicht|non|pas)(?![\p{L}\p{N}])|不要?|いいえ|아니요?/u;

function answerIn(clause: string): "approve" | "deny" | undefined {
  const [yes, no] = [YES.test(clause), NO.test(clause)];
  if (yes === no) return undefined;
  return yes ? "approve" : "deny";
}

const withoutAnswer = (clause: string): string => clause.replace(YES, " ").replace(NO, " ");

/** @returns the calls that the words name; undefined where a word is left that names none. */
function callsIn(text: string, calls: readonly Approval[]): readonly Approval[] | undefined {
  const named = new Set<Approval>();
  const placed = new Set<Approval>();
  let left = text;
  // Values first, the longest first: "INV-78" holds a number.
  for (const [value, owner] of ownValues(calls)) {
    const at = new RegExp(String.raw`(?<![\p{L}\p{N}])${RegExp.escape(value)}(?![\p{L}\p{N}])`, "u");
    if (!at.test(left)) continue;
    named.add(owner);
    left = left.replace(at, " ");
  }
  for (const word of wordsIn(left)) {
    const short = bare(word);
    const place = /^\d$/.test(short) ? Number(short) : (placeOf().get(short) ?? placeOf().get(word));
    const call = place === undefined ? calls.find(({ code }) => code === word.toUpperCase()) : calls[place - 1];
    // A number may also be a value: then nobody knows which is meant.
    if (place !== undefined && (!call || calls.some((one) => valuesOf(one).includes(word)))) return undefined;
    if (call) placed.add(call);
    else if (!BESIDE.has(word) && word.replace(UNSPACED_BESIDE, "") !== "") return undefined;
  }
  // "Bob first": who names a call by its value and another by its place may mean an order.
  if (named.size > 0 && [...placed].some((call) => !named.has(call))) return undefined;
  return [...new Set([...named, ...placed])];
}

const valuesOf = (approval: Approval): readonly string[] => {
  const shown = shownArguments(approval, "whole");
  return isObject(shown)
    ? Object.values(shown).flatMap((value) =>
        typeof value === "string" || typeof value === "number" ? [plainWords(String(value))] : [],
      )
    : [];
};

/** Values that only one of the calls has. */
function ownValues(calls: readonly Approval[]): readonly (readonly [string, Approval])[] {
  return calls
    .flatMap((call) =>
      valuesOf(call).flatMap((value) => {
        const isOwn = calls.every((other) => other === call || !valuesOf(other).some((one) => one.includes(value)));
        return isOwn &&
          value.length > 1 &&
          (/\d{3,}/.test(value) || findPhrases(value) === undefined) &&
          !likeCode().test(value)
          ? [[value, call] as const]
          : [];
      }),
    )
    .sort(([one], [other]) => other.length - one.length);
}
