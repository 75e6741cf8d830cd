/**
 * Whether a message is an answer to calls that wait, and what it says. Pure.
 *
 * Exactly an answer, with codes, a reason for a refusal, changes for an edit, and words of politeness. What else a message
 * with a yes may mean is read in `answer-in-message.ts`.
 */
import { lazyRegExp } from "../../lib/once.ts";
import { beginningOf, plainLine } from "../../lib/text/visible-text.ts";
import { MAX_REASON } from "./answer-schema.ts";
import { beginningPhrases, findPhrases, type Item, joins, likeCode, plainWords } from "./message-phrases.ts";
import { fillers } from "./repeats-question.ts";

/**
 * `continue`: go on with what was decided elsewhere; `agree`: a yes, if the words behind it only repeat the question, or are a further
 * wish, or if it is an order to do the act; `wait`: asks for time; `ask`: a question about the call; `aside`: about something else, which only what was decided elsewhere can
 * be acted on with; `each`: may name each of several calls by its place or a value; `code`: nothing but codes; `unread`: meant as an answer, and none.
 */
type PartAction =
  | "approve"
  | "always"
  | "endorse"
  | "deny"
  | "edit"
  | "preview"
  | "learn_more"
  | "continue"
  | "agree"
  | "wait"
  | "ask"
  | "aside"
  | "each"
  | "code"
  | "unread";

/** `yes K7QF` of `yes K7QF, no 3M2P`. */
export interface AnswerPart {
  readonly action: PartAction;
  /** In capitals; empty: whichever waits. */
  readonly codes: readonly string[];
  /** `yes all` */
  readonly all: boolean;
  /** With `deny`: the person's own words; null where there are none. */
  readonly reason: string | null;
  /** With `edit`: what stands behind it, as it was written; "" alone. With `unread`, `ask`, `aside` and `each`: the message. With `agree`: what stands behind the yes. */
  readonly edit: string;
  /** With `edit`: it was written without its mark, `edit amount 95`. */
  readonly loose?: true;
  /** With `approve` and `deny`, of words alone, and with `agree`: the message. "Cancel it" may be what the question asks, and "send it" another act. */
  readonly words?: string;
  /** With `agree`: what the person wants beside the call, as plain words. "send her a mail" of `yes, and send her a mail`. */
  readonly wish?: string;
  /** With `agree`: the wish is a question, `yes, thanks. who is next?` */
  readonly asks?: true;
}

/** Never empty. */
export type WrittenAnswer = readonly AnswerPart[];

/** An edit may carry a text; nothing else is long. UTF-16 units. */
const MAX_MESSAGE = 100_000;

export function readAnswer(text: string): WrittenAnswer | undefined {
  if (text.length > MAX_MESSAGE) return undefined;
  const items = findPhrases(text);
  const answer = items && withWords(partsOf(items), text);
  // `no: not yet` is made of known words only, and has a reason all the same.
  if (answer?.some(({ action }) => action !== "deny")) return answer;
  const edit = readEdit(text) ?? readLooseEdit(text);
  if (edit) return edit;
  const refusal = readRefusal(text);
  if (!refusal || (answer && namesCalls(refusal.edit))) return answer ?? readAttempt(text);
  const reason = plainLine(refusal.edit, MAX_REASON);
  return [{ ...refusal, reason: reason === "" ? null : reason, edit: "" }];
}

/** A yes to whatever waits, or is offered. */
export const isPlainYes = (text: string): boolean =>
  readAnswer(text)?.every(({ action }) => action === "approve") === true;

function withWords(parts: WrittenAnswer | undefined, words: string): WrittenAnswer | undefined {
  const [part] = parts ?? [];
  const isPlain =
    parts?.length === 1 && (part?.action === "approve" || part?.action === "deny") && part.codes.length === 0;
  return part && isPlain ? [{ ...part, words }] : parts;
}

/** `no: K7QF` has a code, and no reason. */
const namesCalls = (text: string): boolean =>
  findPhrases(text)?.every(({ kind }) => ["code", "all", "polite", "and", "but"].includes(kind)) ?? false;

/** As it is written: `ok, done` is what `done` is, and no yes. `values` adds to a yes, and is none by itself. */
type Word = PartAction | "done" | "values";

const actions: Readonly<Partial<Record<Item["kind"], Word>>> = {
  yes: "approve",
  praise: "approve",
  y: "approve",
  no: "deny",
  always: "always",
  useValues: "values",
  edit: "edit",
  preview: "preview",
  learnMore: "learn_more",
  continue: "continue",
  done: "done",
};

/** An answer, or the calls that it is for: `yes please`, `K7QF and 3M2P`. */
interface Run {
  readonly action?: Word;
  readonly codes: readonly string[];
  readonly all: boolean;
}

/** Answers and the calls that they are for take turns; which comes first is the same throughout. */
function partsOf(items: readonly Item[]): WrittenAnswer | undefined {
  if ([items.at(0), items.at(-1)].some((item) => item !== undefined && joins(item.kind))) return undefined;
  // Whatever stands beside it: nothing is decided yet.
  if (items.some(({ kind }) => kind === "wait"))
    return [{ action: "wait", codes: [], all: false, reason: null, edit: "" }];
  const runs = runsOf(items);
  if (!runs || runs.length === 0) return undefined;
  const isCallsFirst = runs[0]?.action === undefined;
  const parts: AnswerPart[] = [];
  for (let at = 0; at < runs.length; at += 2) {
    const [one, other] = [runs[at], runs[at + 1]];
    const [answer, calls] = isCallsFirst ? [other, one] : [one, other];
    const { codes = [], all = false } = calls ?? {};
    const action = answer?.action ?? "code";
    const isAlone = action === "code" && runs.length === 1;
    if (action === "code" && !(isAlone && (codes.length > 0 || all))) return undefined;
    // No yes, so no call runs for it.
    if (action === "values" || (isAlone && codes.length === 0))
      return [{ action: "unread", codes, all: false, reason: null, edit: "" }];
    parts.push({ action: action === "done" ? "continue" : action, codes, all, reason: null, edit: "" });
  }
  return parts;
}

function runsOf(items: readonly Item[]): Run[] | undefined {
  const runs: Run[] = [];
  for (const item of items) {
    if (item.kind === "because" || item.kind === "unclear") return undefined;
    const last = runs.at(-1);
    if (item.kind === "code" || item.kind === "all") {
      const isMore = last !== undefined && last.action === undefined;
      if (isMore) runs.pop();
      const { codes, all } = isMore ? last : { codes: [], all: false };
      runs.push({
        codes: item.kind === "code" ? [...new Set([...codes, item.code])] : codes,
        all: all || item.kind === "all",
      });
      continue;
    }
    const word = item.kind === "y" && runs.length > 0 ? undefined : actions[item.kind];
    if (word === undefined) continue;
    if (word === "values" && addsToYes(runs)) continue;
    if (last?.action !== undefined) runs.pop();
    const action = last?.action === undefined ? word : together(last.action, word);
    if (action === undefined) return undefined;
    runs.push({ action, codes: [], all: false });
  }
  return runs;
}

/** `yes K7QF, use its values`: after the calls too it belongs to their yes. Changes `runs`. */
function addsToYes(runs: Run[]): boolean {
  const at = runs.length - 2;
  const answer = runs[at];
  if (answer?.action !== "approve" || runs.at(-1)?.action !== undefined) return false;
  runs[at] = { ...answer, action: "endorse" };
  return true;
}

/** Two words that mean one answer; undefined where they contradict each other. */
function together(one: Word, other: Word): Word | undefined {
  if (one === other) return one;
  const both = new Set([one, other]);
  if (both.has("approve") && both.has("always")) return "always";
  if (both.has("values")) return both.has("approve") || both.has("endorse") ? "endorse" : undefined;
  if (both.has("approve") && both.has("endorse")) return "endorse";
  if (both.has("done") && (both.has("approve") || both.has("continue"))) return "done";
  if (both.has("approve") && both.has("continue")) return "approve";
  // `preview?`
  return both.has("preview") && both.has("learn_more") ? "preview" : undefined;
}

const codesOf = (items: readonly Item[]): string[] =>
  items.flatMap((item) => (item.kind === "code" ? [item.code] : []));

/** UTF-16 units of the words before the first field of an edit. */
const MAX_EDIT_HEAD = 120;
/** An object, a fence, or a field's name. */
const beginsEdit = lazyRegExp(
  String.raw`^(?:[{\x60]|["'“]?[\p{L}_$][\p{L}\p{M}\p{N}_.$-]{0,127}["'”]?\s{0,8}[=＝])`,
  "u",
);
const decides: ReadonlySet<PartAction> = new Set(["approve", "always", "endorse", "deny"]);

/**
 * `edit field=value`, `edit {json}`, with a code or without. Other answers may stand before it, each with the code of its own call:
 * `yes K7QF, edit 3M2P title=x`. The edit is last.
 */
function readEdit(message: string): WrittenAnswer | undefined {
  const text = message.trim();
  for (let at = 1; at < Math.min(text.length, MAX_EDIT_HEAD); at += 1) {
    if (!beginsEdit().test(text.slice(at, at + 300).trimStart())) continue;
    const items = findPhrases(text.slice(0, at)) ?? [];
    const word = items.findIndex(({ kind }) => kind === "edit");
    const own = items.slice(word);
    if (word === -1 || !own.every(({ kind }) => kind === "edit" || kind === "code" || kind === "polite")) continue;
    const codes = codesOf(own);
    const others = items.slice(0, joins(items[word - 1]?.kind) ? word - 1 : word);
    const before = others.length === 0 ? [] : partsOf(others);
    const isForOthers = before?.every((part) => decides.has(part.action) && part.codes.length > 0);
    if (!before || (before.length > 0 && (codes.length === 0 || !isForOthers))) return undefined;
    return [...before, { action: "edit", codes, all: false, reason: null, edit: text.slice(at).trim() }];
  }
  return undefined;
}

/** UTF-16 units, and words behind the name. */
const MAX_LOOSE = 160;
const MAX_LOOSE_WORDS = 4;
const editName = lazyRegExp(String.raw`^[\p{L}_$][\p{L}\p{M}\p{N}_.$-]{0,63}$`, "u");
const editMark = lazyRegExp("^(?:[:：]|->|→|to|into|auf|zu|a|à|en)$", "iu");

/** `edit amount 95`, `edit amount to 95`: whether there is such a field is for whoever knows the call to tell. */
function readLooseEdit(message: string): WrittenAnswer | undefined {
  const words = message.length > MAX_LOOSE || /[\n?？]/.test(message) ? [] : message.trim().split(/\s+/);
  for (let at = Math.min(3, words.length - 2); at > 0; at -= 1) {
    const items = findPhrases(words.slice(0, at).join(" "));
    const isHead = items?.every(({ kind }) => kind === "edit" || kind === "code" || kind === "polite");
    if (!items || !isHead || !items.some(({ kind }) => kind === "edit")) continue;
    const name = (words[at] ?? "").replace(/[:：]$/, "");
    const behind = words.slice(at + 1);
    const value = (behind.length > 1 && editMark().test(behind[0] ?? "") ? behind.slice(1) : behind).join(" ");
    if (!editName().test(name) || fillers().has(name.toLowerCase()) || behind.length > MAX_LOOSE_WORDS)
      return undefined;
    const codes = codesOf(items);
    return [{ action: "edit", codes, all: false, reason: null, edit: `${name}=${value}`, loose: true }];
  }
  return undefined;
}

const MAX_REFUSAL = 4_000;
/** UTF-16 units of the words that refuse. */
const MAX_REFUSAL_HEAD = 60;

/** `no: …`, `no, because …`: a refusal with the person's own words, which stand in `edit`. */
function readRefusal(message: string): AnswerPart | undefined {
  if (message.length > MAX_REFUSAL) return undefined;
  const text = message.trim();
  for (const [at, length] of reasonPlaces(text)) {
    const items = findPhrases(text.slice(0, at));
    const head = items?.filter(({ kind }) => kind !== "because" && kind !== "polite" && !joins(kind));
    if (!items || head?.[0]?.kind !== "no") continue;
    if (!head.every(({ kind }) => kind === "no" || kind === "code" || kind === "all")) continue;
    if (length === 0 && items.at(-1)?.kind !== "because") continue;
    const edit = text.slice(at + length).trim();
    if (edit === "") continue;
    return { action: "deny", codes: codesOf(head), all: head.some(({ kind }) => kind === "all"), reason: null, edit };
  }
  return undefined;
}

/** Where a reason may begin: behind the first colon or dash, else behind the longest beginning that ends with "because". */
function reasonPlaces(text: string): (readonly [at: number, length: number])[] {
  const marked: [number, number][] = [];
  const other: [number, number][] = [];
  for (let at = 1; at < Math.min(text.length, MAX_REFUSAL_HEAD); at += 1) {
    if (/[:：]/.test(text.charAt(at))) marked.push([at, 1]);
    else if (/^ [-–—] /.test(text.slice(at, at + 3))) marked.push([at, 3]);
    else if (!/^\p{Script=Latin}{2}/u.test(text.slice(at - 1, at + 1))) other.push([at, 0]);
  }
  return [...marked, ...other.reverse()];
}

/** An answer's beginning, and how much of the rest is read. UTF-16 units. */
const MAX_HEAD = 120;
const MAX_READ = 4_000;
/** Where a code should stand, what is written like one without a digit. */
const capitals = lazyRegExp(String.raw`^[\s:,⟦\x60'"([]{0,4}([A-Z]{4})(?![\p{L}\p{N}_])`, "u");

/**
 * A message that begins as an answer does and names a call, and is none: whoever mistypes a code is asked again. It cancels nothing,
 * and runs nothing. Plain words remain a message.
 */
function readAttempt(text: string): WrittenAnswer | undefined {
  const head = beginningOf(text.trim(), MAX_HEAD);
  const { items, rest } = beginningPhrases(head);
  const first = items.find(({ kind }) => kind !== "polite" && kind !== "code" && kind !== "all");
  if (!first || actions[first.kind] === undefined) return undefined;
  const written = codesOf(items).filter((code) => code.length > 2);
  const behind = rest === 0 ? "" : head.slice(-rest);
  const mistyped = plainWords(head).length === head.length ? capitals().exec(behind)?.[1] : undefined;
  const codes = mistyped === undefined ? written : [...written, mistyped];
  if (codes.length === 0 && !likeCode().test(beginningOf(text, MAX_READ))) return undefined;
  return [{ action: "unread", codes, all: false, reason: null, edit: text }];
}
