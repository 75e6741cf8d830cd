/**
 * What a question's call does, which words of an answer mean it, and which of them order it: "cancel", "stornieren", "删吧". Pure. The words
 * stand in `src/lib/acts/spoken-acts.ts`.
 */
import { type SpokenAct, spokenActs } from "../../lib/acts/act-words.ts";
import { isOpposing, joinsActs, undoingWord } from "../../lib/acts/tool-verb.ts";
import { once } from "../../lib/once.ts";
import { proseParts } from "../../lib/text/prose.ts";
import type { Approval } from "../approval.ts";
import { describeApproval } from "../disclosure/disclosure.ts";
import { plainWords } from "./message-phrases.ts";

export type Act = SpokenAct;

const acts = once((): ReadonlyMap<Act, readonly string[]> => {
  const stems = new Map<Act, readonly string[]>();
  for (const { act, stems: own } of spokenActs()) if (act) stems.set(act, [...(stems.get(act) ?? []), ...own]);
  return stems;
});

export const stemsOf = (names: Iterable<Act>): readonly string[] =>
  [...names].flatMap((name) => acts().get(name) ?? []);

export interface AskedWords {
  /** Those of the question and of the tool's name. */
  readonly questionWords: readonly string[];
  /** Those of the question that are no values. */
  readonly titleWords: readonly string[];
  readonly toolWords: readonly string[];
  /** The word for what is done, where there is one. */
  readonly verb: string | undefined;
  /** What is done. */
  readonly acts: ReadonlySet<Act>;
  /** The tool's name holds several acts, or takes one back: an order to do one of them is no yes. */
  readonly isMixed: boolean;
  /** The title says what is done by the tool's name alone ("Use `close_ticket`?"), and the verb is that name's first word. */
  readonly isNamedByTool: boolean;
}

export const askedBy = (approval: Approval): AskedWords =>
  askedIn(describeApproval(approval, "whole").title, approval.tool);

/** @param title of the question: its values stand as code. */
export function askedIn(title: string, toolName = ""): AskedWords {
  // A file may be called `send.txt`.
  const titleWords = proseParts(title).flatMap(({ text, isCode }) => (isCode ? [] : wordsIn(text)));
  const tool = wordsIn((toolName.split("__").at(-1) ?? "").replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2"));
  const questionWords = [...wordsIn(title), ...tool];
  const verb = verbIn(titleWords, tool, questionWords);
  const unspaced = [...titleWords, ...tool].filter((word) => UNSPACED.test(word));
  const inTitle = [...acts()].flatMap(([name, stems]) =>
    stems.some((stem) => unspaced.some((word) => isWithin(word, stem))) ? [name] : [],
  );
  const own = verb === undefined ? [] : actsOf(verb, questionWords);
  const isNamed = toolName !== "" && proseParts(title).some(({ text, isCode }) => isCode && text === toolName);
  return {
    questionWords,
    titleWords,
    toolWords: tool,
    verb,
    acts: new Set([...own, ...inTitle]),
    isMixed: joinsActs(tool) || undoingWord(tool) !== undefined,
    isNamedByTool: isNamed && verb !== undefined && verb === tool[0],
  };
}

/** A noun of the question ("the payment") may be the word for another act. Some languages end with the verb. */
function verbIn(title: readonly string[], tool: readonly string[], beside: readonly string[]): string | undefined {
  if (joinsActs(tool)) return undefined;
  const first = [title[0] ?? "", tool[0] ?? ""];
  const undoing = undoingWord(tool);
  if (undoing !== undefined) {
    // "Pay it" is no yes to `payment_cancel`.
    const own = actsOf(undoing, beside);
    return [...first, undoing, title.at(-1) ?? ""].find((word) =>
      actsOf(word, beside).some((act) => own.includes(act)),
    );
  }
  // To reject a refund is not to refund.
  const ends = first.some(isOpposing) ? first : [...first, tool.at(-1) ?? "", title.at(-1) ?? ""];
  return ends.find((word) => actsOf(word, beside).length > 0);
}

/** The acts that a word may mean. @param beside the words that it stands among. */
export const actsOf = (word: string, beside: readonly string[]): readonly Act[] =>
  [...acts()].flatMap(([name, stems]) => (stems.some((stem) => means(word, stem, beside)) ? [name] : []));

/** Whether a text names an act. @param text plain words. */
export function saysAct(text: string, act: Act): boolean {
  const words = wordsIn(text);
  return stemsOf([act]).some((stem) => words.some((one) => means(one, stem, words) || isWithin(one, stem)));
}

/** Of languages without blanks, where a word stands within others. */
export const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u;
export const isWithin = (word: string, stem: string): boolean => word.includes(stem) && UNSPACED.test(stem);

/** Shorter beginnings are whole words. */
const SHORTEST_STEM = 3;
/** What a word may have behind its beginning: "cancelling", "gelöscht" not. */
const LONGEST_END = 5;

export const begins = (word: string, stem: string): boolean =>
  word === stem ||
  stem === `=${word}` ||
  (stem.length >= SHORTEST_STEM && word.startsWith(stem) && word.length <= stem.length + LONGEST_END);

/** Called for each word and stem of a table: what costs comes last. @param beside the words that it stands among. */
export function means(word: string, stem: string, beside: readonly string[]): boolean {
  const bar = stem.indexOf("|");
  if (bar === -1) return begins(word, stem);
  const [first, second] = [stem.slice(0, bar), stem.slice(bar + 1)];
  const has = (part: string) => beside.some((one) => begins(one, part));
  return (begins(word, first) && has(second)) || (begins(word, second) && has(first));
}

/** `14:30` and `1,000.50` are one word: their parts are other values. */
const WORD = /[\p{L}\p{N}]+(?:(?<=\p{N})[.,:/-](?=\p{N})[\p{L}\p{N}]+)*/gu;

/** In lower case, without accents. */
export const wordsIn = (text: string): readonly string[] => plainWords(text).match(WORD) ?? [];

export interface Orders {
  /** Orders that are no answer by themselves, for their word may mean "no" as well: they need a yes before them. */
  readonly needYes: boolean;
  readonly orders: readonly string[];
}

interface OrderGroup extends Orders {
  readonly asked: readonly string[];
}

const orderGroups = once((): readonly OrderGroup[] => {
  const groups = new Map<string, OrderGroup>();
  for (const { act, group, stems, orders } of spokenActs()) {
    const known = groups.get(group ?? "");
    if (group !== undefined)
      groups.set(group, {
        needYes: act === "cancel",
        asked: [...(known?.asked ?? []), ...stems],
        orders: [...(known?.orders ?? []), ...orders],
      });
  }
  return [...groups.values()].filter(({ orders }) => orders.length > 0);
});

const asksWith = ({ asked }: OrderGroup, word: string): boolean =>
  asked.some((stem) => begins(word, stem) || isWithin(word, stem));

/** Whether a word of a message names or orders the act that a tool's verb names. @param word in lower case and without accents. */
export const isSameAct = (verb: string, word: string): boolean =>
  orderGroups().some(
    (group) =>
      asksWith(group, verb) &&
      (asksWith(group, word) || group.orders.some((one) => one === word || isWithin(word, one))),
  );

/** The orders for the one act that a question asks about. @returns undefined where it is about none of the acts, or perhaps about another. */
export function ordersFor({ verb, titleWords, isNamedByTool }: AskedWords): Orders | undefined {
  const unspaced = titleWords.filter((word) => UNSPACED.test(word));
  const last = titleWords.at(-1) ?? "";
  // The noun of `unpublish_post` is no act, whatever a word of it may mean elsewhere. German ends with the verb.
  const own = [titleWords[0] ?? "", ...(/en$/.test(last) ? [last] : []), ...unspaced];
  const found = groupsOf(verb === undefined ? unspaced : [verb]);
  // "`a.txt` löschen?" for `delete_file`: the title says the tool's act in its own language.
  const inTitle = groupsOf(own);
  const groups =
    verb === undefined || own.includes(verb) || isNamedByTool ? found : found.filter((one) => inTitle.includes(one));
  const [first] = groups;
  if (!first || (verb === undefined && groups.length > 1)) return undefined;
  return { needYes: groups.some(({ needYes }) => needYes), orders: groups.flatMap(({ orders }) => orders) };
}

const groupsOf = (words: readonly string[]): readonly OrderGroup[] =>
  orderGroups().filter((group) => words.some((word) => asksWith(group, word)));
