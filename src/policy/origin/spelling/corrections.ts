/**
 * Detects that the user takes a value back and gives another: "send it to Anna, no, to Bianca", "400, I mean 300", or in the next message
 * "make that Bianca". Pure.
 *
 * A value is replaced only if a word of correction follows it, and after that word another value of the same kind. A value that is merely
 * followed by a second one stays the user's. If a correction is missed, both values count as the user's; one that is detected by mistake
 * costs a question.
 */
import { lazyRegExp } from "../../../lib/once.ts";
import { datePlaces } from "./dates/dates.ts";
import { timesIn } from "./dates/times.ts";

/** UTF-16 units between a value and the word of correction, and from that word to the other value. */
const MAX_GAP = 40;
const MAX_LEAD = 40;
/** UTF-16 units of the next message that may precede the word of correction. */
const MAX_OPENING = 16;
const MAX_NEXT = 400;

/** Marks between a correction and the words before it. */
const BREAK = String.raw`(?:["'”»)」』]*\s*(?:[,;.:!…、。，；！？?]|\s[–—-]+|\.{2,}|--|—|–|\n)[\s–—.-]*(?:(?:oh|ach|äh|ähm|hmm+|h?m+|ah|uh|um|ups|uups|oops|upps|wait|ay|bueno|啊|哎|哦|呃|あ|え|ああ|えっと)[\s,.…、，]*){0,2}|\s(?=(?:or|oder|o|ou)\s))`;
const EDGE = String.raw`(?![\p{sc=Latin}\p{sc=Cyrillic}\d])`;

/** Words that take back what was said, whatever follows. */
const STRONG =
  "scratch that|strike that|forget (?:that|it)|i mean(?:t)?(?: to (?:say|write))?(?! it)|or rather|or better|make that|(?:change|switch|correct) (?:that|it) to|my mistake|my bad|" +
  "(?:that['’]s |that was )?(?:the )?wrong (?:one|number|address|name|date|amount|person)|typo|no,? wait|wait,? no|not that one|" +
  "ich mein(?:t)?e|besser gesagt|vielmehr|oder (?:besser|vielmehr|eher|doch)|(?:beziehungsweise|bzw\\.?) (?:besser|eher|lieber)|doch (?:lieber|besser|eher)|lieber doch|quatsch|" +
  "vergiss (?:das|es)(?! nicht)|streich das|(?:das war |das ist )?(?:der |die |das )?falsche?[rs]?(?: (?:nummer|adresse|name|betrag|datum|person))?|verschrieben|vertippt|vertan|" +
  "quise decir|quiero decir|quería decir|o mejor dicho|mejor dicho|o mejor|o? ?más bien|corrijo|rectifico|olvida(?:lo| eso)|(?:me )?equivoqué|me he equivocado|digo(?! que)|" +
  "je (?:veux|voulais) dire|ou plutôt|plutôt(?! que)|je me suis trompée?|oublie(?:z)? ça|volevo dire|anzi|mi sono sbagliat[oa]|quero dizer|quis dizer|ou melhor|aliás|ik bedoel|of liever|" +
  "(?:correction|korrektur|corrección|correzione|correção|correctie|wrong|falsch|mal|typo)(?=\\s*[:：,，;.…–—-]|\\s+\\d)";
const STRONG_CJK =
  "不对|说错了|写错了|打错了|搞错了|弄错了|(?:号码|地址|名字|金额|日期)?错了|更正(?=[:：,，为])|更改为|改成|改为|改发|换成|还是(?:换|改)|应该是|我是说|我的意思是|算了|" +
  "じゃなくて|じゃない|ではなくて?|違(?:う|った|います|いました)|(?:番号|宛先|名前|金額|日付)が違|間違(?:え|い|って)|訂正(?=[:：,、。，])|もとい|というか|やっぱり|やっぱ|아니다?라?|정정";
/** Only between two marks: elsewhere they deny or excuse something. */
const WEAK =
  "no|nope|nah|sorry|apologies|actually|rather(?! than)|nein|nee|ne|entschuldigung|pardon|sorry|lieber|besser|perdón|perdona|disculpa|mejor|non|désolée?|scusa|não|desculpa|nej|нет|точнее|вернее";
const WEAK_CJK =
  "不|不是|不不|抱歉|对不起|不好意思|いや|いえ|いいえ|すみません|ごめん(?:なさい)?|失礼(?:しました)?|아니";

const STRONG_PART = String.raw`(?:(?<![\p{L}\d])(?:${STRONG})${EDGE}|(?:${STRONG_CJK}))`;
const WEAK_PART = String.raw`(?:(?:${WEAK})(?=\s*[,.:;!…–—-]|\s(?:to|make|use|it['’]s|doch|lieber|besser|an|nach|zu)\s)|(?:lieber|besser|mejor|rather|actually|sorry)(?=\s)|(?:${WEAK_CJK})(?=[\s、，,。.…！!]))`;
const cue = lazyRegExp(`${BREAK}(?:${STRONG_PART}|(?<weak>${WEAK_PART}))`, "u");
const opening = lazyRegExp(STRONG_PART, "u");
const instead =
  /^["'”»)]*\s*(?:,\s*)?(?:instead(?! of)|stattdessen|en su lugar|en lugar de eso|à la place|invece(?! di)|の代わりに(?!\S)|代わりに)/u;

/** A second value beside the first, not instead of it. */
const additive =
  /(?:(?:^|[^\p{L}])(?:and|also|then|too|plus|both|not|und|auch|dann|danach|sowie|nicht|y|e|también|luego|además|et|aussi|puis|anche|poi|também|не|и)(?=[^\p{L}]|$)|[和与跟及]|还要|还有|并|再|也|然后|それから|および|そして|不是|别|不要)/u;
const additiveAfter =
  /^["'”»)]*\s*(?:too|as well|also|auch|también|aussi|anche|也|(?:さん|様|氏)?(?:に|へ|と|を)?も)(?![\p{sc=Latin}])/u;
/** Between a name and the word of correction: its particle, or the rest of a verb. */
const nameGap =
  /^["'”»)]*(?:\s[$€£¥]?\d[\d.,]{0,9}(?:\s?(?:[$€£¥]|euros?|eur|usd|dollars?|pounds?|dólares|pesos))?)?(?:\s(?:ein|an|auf|ab|aus|zu|hinzu|mit|instead|please|bitte|por favor))?$|^["'”」』]*(?:さん|様|氏|君)?(?:を|に|へ|と|宛てに)?[^。！？、\d@]{0,8}$/u;

type Kind = "mail" | "url" | "tag" | "code" | "date" | "time" | "number" | "name";
type FormKind = Exclude<Kind, "name">;

const VALUES = {
  mail: lazyRegExp(String.raw`[\p{sc=Latin}\d._%+-]+@[\p{sc=Latin}\d.-]+\.\p{sc=Latin}{2,}`, "gu"),
  url: lazyRegExp(
    String.raw`[a-z][a-z0-9+.-]{1,20}:\/\/[\p{sc=Latin}\d./?#=&%_~:-]+|(?<![\p{sc=Latin}\d@.-])(?:[\p{sc=Latin}\d-]+\.)+[a-z]{2,12}(?![\p{sc=Latin}\d@])`,
    "gu",
  ),
  tag: lazyRegExp(String.raw`#[\p{L}\p{N}_-]+`, "gu"),
  code: lazyRegExp(
    String.raw`(?<![\p{sc=Latin}@./_\p{N}-])(?:\p{sc=Latin}{1,10}[_-]?)?\p{N}[\p{sc=Latin}\p{N}_-]*(?![\p{sc=Latin}\p{N}._-]*@)`,
    "gu",
  ),
  digits: lazyRegExp(
    String.raw`(?<![\p{sc=Latin}@./_\p{N}]|\p{sc=Latin}-)\p{N}(?:[\p{N}.,:/-]*\p{N})?(?![\p{sc=Latin}\p{N}._-]*@)`,
    "gu",
  ),
} as const;

function kindOf(value: string): Exclude<Kind, "date" | "time"> {
  if (/@[^@]*\./.test(value)) return "mail";
  if (value.includes("://") || (/^[^\s\d]*\.[a-z]{2,12}(?:\/|$)/u.test(value) && !value.includes(" "))) return "url";
  if (/^#\p{L}/u.test(value)) return "tag";
  if (!/\p{Nd}/u.test(value)) return "name";
  return /^\p{sc=Latin}+[_-]?\p{Nd}\S*$/u.test(value) ? "code" : "number";
}

/** @param text folded; `start` and `end` of the value in it. */
export function isReplaced(text: string, start: number, end: number): boolean {
  const { value, kind } = valueAt(text, start, end);
  const behind = text.slice(end, end + MAX_GAP + MAX_LEAD + 80);
  const found = cue().exec(behind);
  if (found && found.index <= MAX_GAP) {
    const gap = behind.slice(0, found.index);
    const after = behind.slice(found.index + found[0].length);
    if (kind === "name") return nameGap.test(gap) && givesName(after, value, found.groups?.weak !== undefined);
    // What the correction repeats is not what it replaces: "80 to order 15. Correction: 18 to order 15".
    const repeated = othersIn(gap, kind, value).map(([other]) => other);
    if (repeated.every((other) => after.includes(other)) && givesOther(after, kind, [value, ...repeated])) return true;
  }
  return kind !== "name" && isInstead(behind, kind, value);
}

/**
 * Whether the user's next message replaces the value: it opens with a correction and gives another value of the kind, of which this
 * message has but one.
 * @param next folded.
 */
export function isReplacedBy(next: string, text: string, start: number, end: number): boolean {
  const { value, kind } = valueAt(text, start, end);
  if (kind === "name" || othersIn(text, kind, value).length > 0) return false;
  const bounded = next.slice(0, MAX_NEXT);
  const found = opening().exec(bounded);
  if (found && found.index <= MAX_OPENING && givesOther(bounded.slice(found.index + found[0].length), kind, [value]))
    return true;
  return isInstead(` ${bounded}`, kind, value) || (found !== null && isTrailing(bounded, found.index, kind, value));
}

/** Cheap: most messages correct nothing. @param next folded. */
export function mayCorrect(next: string): boolean {
  const bounded = next.slice(0, MAX_NEXT);
  return opening().test(bounded) || /instead|stattdessen|lugar|place|invece|代わり/u.test(bounded);
}

/** `#` belongs to the name of a channel, but not to the form of a value. */
function valueAt(text: string, start: number, end: number): { readonly value: string; readonly kind: Kind } {
  const isTag = text.charAt(start - 1) === "#" && /^\p{L}/u.test(text.charAt(start));
  const value = text.slice(isTag ? start - 1 : start, end);
  const kind = kindOf(value);
  return { value, kind: kind === "number" ? digitsAre(text, start, end) : kind };
}

const AROUND_DIGITS = 20;

/** A date does not replace an amount, nor a number of hours a date. */
function digitsAre(text: string, start: number, end: number): "date" | "time" | "number" {
  const from = Math.max(0, start - AROUND_DIGITS);
  const around = text.slice(from, end + AROUND_DIGITS);
  const overlaps = (place: { readonly start: number; readonly end: number }) =>
    place.start + from < end && place.end + from > start;
  if (datePlaces(around).some(overlaps)) return "date";
  return timesIn(around).some(overlaps) ? "time" : "number";
}

function valuesIn(text: string, kind: FormKind): readonly RegExpExecArray[] {
  if (kind !== "date" && kind !== "time" && kind !== "number") return [...text.matchAll(VALUES[kind]())];
  const isOfKind = ({ 0: digits, index }: RegExpExecArray) => digitsAre(text, index, index + digits.length) === kind;
  return [...text.matchAll(VALUES.digits())].filter(isOfKind);
}

/** Values of a kind in a text, except one. */
const othersIn = (text: string, kind: FormKind, value: string): readonly RegExpExecArray[] =>
  valuesIn(text, kind).filter(([other]) => !value.includes(other) && !other.includes(value));

/** Another value of the same kind soon follows, which is neither a second one nor ruled out itself. */
function givesOther(after: string, kind: FormKind, known: readonly string[]): boolean {
  const [first] = valuesIn(after, kind);
  if (first === undefined || first.index > MAX_LEAD) return false;
  if (known.some((value) => value.includes(first[0]) || first[0].includes(value))) return false;
  const lead = after.slice(0, first.index);
  return !additive.test(lead) && !additiveAfter.test(after.slice(first.index + first[0].length));
}

/** "Send it to B instead": the word follows the other value. */
function isInstead(behind: string, kind: FormKind, value: string): boolean {
  const [first] = othersIn(behind, kind, value);
  if (first === undefined || first.index > MAX_GAP + MAX_LEAD) return false;
  const lead = behind.slice(0, first.index);
  return (
    instead.test(behind.slice(first.index + first[0].length)) && !additive.test(lead) && /[.,;:!?。\s]/u.test(lead)
  );
}

/** Japanese and Chinese put the correction after the value: `4712の間違いです`. */
function isTrailing(next: string, at: number, kind: FormKind, value: string): boolean {
  const [first] = othersIn(next, kind, value);
  return first !== undefined && first.index < at && at - first.index - first[0].length <= 2;
}

/** After a correction a name follows, with small words and at most one verb before it; not the same name, and no more than a short clause. */
function givesName(after: string, value: string, isWeak: boolean): boolean {
  const [clause = ""] = /^[\s,:;.…、，。：–—-]*[^.!?;\n。！？]*/u.exec(after) ?? [];
  const words = clause.replace(/^[\s,:;.…、，。：–—-]+/u, "").trim();
  if (words === "" || words.length > 80 || words.startsWith(value)) return false;
  // "…, rather today": a weak word without a mark after it begins many clauses.
  if (isWeak && !/^\s*[,:;.…、，。：–—-]/u.test(after) && words.split(/\s+/u).length > 3) return false;
  return (
    !additive.test(words.slice(0, 16)) &&
    !/^(?:thanks|thank you|danke|gracias|merci|谢谢|wait|warte|espera|later|später)/u.test(words)
  );
}
