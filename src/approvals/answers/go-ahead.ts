/**
 * Everyday words that let the call run: "looks good, send it off", "yes, that one", "删吧". A yes with nothing but pronouns behind it, or an
 * order to do the very act that the question asks about. Pure.
 *
 * A call runs for such a message, so each word of it is known: one that may be a value, a negation, a doubt or another act makes it another
 * message.
 */
import { proseParts } from "../../lib/text/prose.ts";
import type { Approval } from "../approval.ts";
import { shownMembers } from "../disclosure/disclosure.ts";
import { type AskedWords, askedBy, askedIn, type Orders, ordersFor, UNSPACED, wordsIn } from "./acts.ts";
import { findPhrases, type Item, plainWords } from "./message-phrases.ts";
import { needsMoreThanPraise } from "./praise.ts";
import { fillers, isInflected, saysOtherAct, UNSPACED_FILLERS, withoutStems } from "./repeats-question.ts";

/** UTF-16 units. */
const MAX_MESSAGE = 60;

/** They stand for what the question is about. No person ("him"), and no word that may be a value ("on", "one"). */
const PRONOUNS =
  `that one|this one|that thing|the thing|it|that|this|these|those|them|das da|das hier|es|das|dies|diese[nrs]?|die|den|dazu|damit|sie
  eso mismo|ese mismo|eso|esto|es[ea]|est[ea]|es[oa]s|est[oa]s|lo|las?|los|ca|cela|celui-la|celle-la|le|les`.replace(
    /\n\s*/g,
    "|",
  );
const POLITENESS =
  "please|pls|now|then|just|right away|thanks|bitte|mal|dann|jetzt|ruhig|einfach|danke|por favor|ya|ahora|pues|gracias|sil te plait|sil vous plait|stp|svp|merci|maintenant|alors";
const OBJECT = `(?:(?:to|with|for|a|con) )?(?:${PRONOUNS})`;
/** "Send to that one" names another receiver. */
const ORDERED = `(?:${PRONOUNS})`;
/** Before an order: who is asked to do it. */
const BEFORE =
  "kannst|kannst du|kann man|du kannst|you can|you may|just|please|then|so|now|bitte|dann|puedes|ya puedes";

const UNSPACED_OBJECT =
  "(?:就|那就|那|帮我|幫我|给我|給我)*(?:把)?(?:它们|它們|它|这个|這個|那个|那個|这|這|それ|これ|その件|この件|그거|이거|그걸|이걸)?(?:を|で|に)?";
const UNSPACED_END =
  "(?:它|这个|這個|那个|那個|出去|掉)*(?:了(?=吧|呗|嘛))?(?:吧|啊|呗|嘛|一下|です|よ|ね|ください|下さい|お願い|お願いします|おねがいします|で|でお願いします|줘|주세요|줘요|요)*";

const acknowledges: ReadonlySet<Item["kind"]> = new Set(["yes", "y", "praise", "polite", "and", "continue"]);

/** The message without marks between its words. */
const withoutMarks = (text: string): string =>
  plainWords(text)
    .replaceAll("'", "")
    .replace(/[\s,.!;:、，。！；：…~～–—]+/gu, " ")
    .trim();

/** "Ok refund it" may begin another message, so it is asked about again; "ok, refund it" answers. */
const OK_AND_MORE = /^o\.?k(?:ay)? \p{L}/u;

/** @param message without codes. */
export function goesAhead(message: string, approval: Approval): boolean {
  const asked = askedBy(approval);
  if (!mayGoAhead(message) || OK_AND_MORE.test(plainWords(message)) || saysOtherAct(message, asked)) return false;
  if ((saysOne(message) && hasSeveral(approval)) || (saysNow(message) && hasTime(approval))) return false;
  return saysOrder(message, asked, "as a yes") || agreesAlone(message, !needsMoreThanPraise(approval.tool, asked));
}

/** An order to do the act, and nothing else: "delete" of "only delete a.txt". */
export function ordersAct(words: string, approval: Approval): boolean {
  const asked = askedBy(approval);
  // "Cancel only the first" may be a no to it.
  if (ordersFor(asked)?.needYes) return false;
  return !saysOtherAct(words, asked) && saysOrder(words, asked, "at all");
}

/**
 * Whether a message has no words of its own: fillers, pronouns, words of the question's title, and orders to do its act. Such a message is
 * about the question, and is asked about again where it is no yes.
 * @param titles of the questions in the last assistant message.
 */
export function isAboutQuestion(message: string, titles: readonly string[]): boolean {
  if (!mayGoAhead(message)) return false;
  const asked = titles.flatMap((title) => {
    const words = askedIn(title);
    return words.verb === undefined ? [words, ...namedTools(title).map((tool) => askedIn(title, tool))] : [words];
  });
  if (agreesAlone(message) || asked.some((one) => saysOrder(message, one, "at all"))) return true;
  // "Please do not do that" is against the call.
  const items = findPhrases(message);
  if (items) return items.every(({ kind }) => kind !== "no");
  const own = asked.flatMap(({ questionWords }) => questionWords);
  return wordsIn(message).every((word) => {
    if (!UNSPACED.test(word)) return fillers().has(word) || own.includes(word) || isInflected(word, own);
    const rest = withoutStems(
      word,
      own.filter((one) => UNSPACED.test(one)),
    );
    return rest.replace(UNSPACED_FILLERS, "") === "";
  });
}

/** "Use `git_push`?" says what is done by the tool's name alone. A value beside it may look like one: `T-9`. */
const namedTools = (title: string): readonly string[] =>
  proseParts(title).flatMap(({ text, isCode }) =>
    isCode && /^[a-z\d]{1,40}(?:[_-][a-z\d]{1,40}){1,6}$/i.test(text) ? [text] : [],
  );

function mayGoAhead(message: string): boolean {
  const text = message.trim();
  if (text.length > MAX_MESSAGE || /[?？\n\r"“”„‘«»`>「」『』\p{N}]/u.test(text) || !/\p{L}/u.test(text)) return false;
  // "Supprimé" and "borré" report.
  return !/é(?![\p{L}\p{M}])/iu.test(text.normalize("NFC"));
}

/** A yes with pronouns behind it, and nothing else. */
const agreesAlone = (message: string, mayPraise = true): boolean =>
  splits(withoutMarks(message)).some(
    ({ agrees, rest }) => (agrees === "yes" || (mayPraise && agrees === "praise")) && isPronoun.test(rest),
  );

const isPronoun = new RegExp(
  `^(?:${OBJECT}(?: (?:${POLITENESS}))*|(?:就|对|對)?(?:它|这个|這個|那个|那個)(?:吧|了|的)?|(?:それ|これ)(?:で|です|でお願いします|をお願いします)?|(?:그거|이거|그걸로|이걸로)(?:요|예요|해주세요)?)$`,
  "u",
);

function saysOrder(message: string, asked: AskedWords, how: "as a yes" | "at all"): boolean {
  const known = ordersFor(asked);
  if (!known) return false;
  const mayStandAlone = how === "at all" || !known.needYes;
  const order = orderPattern(known);
  return splits(withoutMarks(message)).some(
    ({ agrees, rest }) => (agrees !== undefined || mayStandAlone) && order.test(rest),
  );
}

interface Split {
  readonly agrees: "yes" | "praise" | undefined;
  readonly rest: string;
}

function agreementIn(items: readonly Item[]): Split["agrees"] {
  if (items.some(({ kind }) => kind === "yes" || kind === "y")) return "yes";
  return items.some(({ kind }) => kind === "praise") ? "praise" : undefined;
}

/** Where a message may be divided into words that agree and others. */
function splits(text: string): readonly Split[] {
  const found: Split[] = [{ agrees: undefined, rest: text }];
  for (let at = 1; at < text.length; at += 1) {
    const isBorder = text.charAt(at) === " " || UNSPACED.test(text.charAt(at));
    const items = isBorder ? findPhrases(text.slice(0, at)) : undefined;
    if (items?.every(({ kind }) => acknowledges.has(kind)))
      found.push({ agrees: agreementIn(items), rest: text.slice(at).trim() });
  }
  return found;
}

function orderPattern({ orders }: Orders): RegExp {
  const [unspaced, spaced] = [orders.filter((one) => UNSPACED.test(one)), orders.filter((one) => !UNSPACED.test(one))];
  const between = `(?: ${ORDERED})? `;
  const verbs = spaced.map((one) => {
    const [first = "", ...more] = one.split("|");
    // "get rid of": nothing stands within it. "send it off", "throw that away".
    return more.length > 1 ? [first, ...more].join(" ") : [first, ...more].join(between);
  });
  const latin = `(?:(?:${BEFORE}) )*(?:(?:es|das) )?(?:${verbs.join("|")})(?:-l(?:e|a|es))?(?: sie)?(?: ${ORDERED})?(?: (?:${POLITENESS}))*`;
  return new RegExp(`^(?:${latin}|${UNSPACED_OBJECT}(?:${unspaced.join("|")})${UNSPACED_END})$`, "u");
}

const saysOne = (message: string): boolean =>
  /(?<!\p{L})(?:(?:that|this|the) (?:one|thing)|das (?:da|hier)|diese[rns]?|es[ea]|est[ea]|(?:es|est)o mismo)(?!\p{L})/u.test(
    plainWords(message),
  );

/** "Send it now" is no yes to a call that sends it tomorrow. */
const saysNow = (message: string): boolean =>
  /(?<!\p{L})(?:now|right away|jetzt|ya|ahora)(?!\p{L})/u.test(plainWords(message));

function hasTime(approval: Approval): boolean {
  const shown = shownMembers(approval, "whole");
  return /\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2}/.test(JSON.stringify(shown) ?? "");
}

/** "That one" of a call with two files may mean one of them. */
function hasSeveral(approval: Approval): boolean {
  const shown = shownMembers(approval, "whole");
  return Object.values(shown).some((value) => Array.isArray(value) && value.length > 1);
}
