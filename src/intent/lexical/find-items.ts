/** Meets a text with all keywords and patterns of a policy: the keywords in one pass, the patterns where their literals stand. Pure. */
import { type WorkBudget, WorkSpent } from "../../lib/work-budget.ts";
import type { Automaton } from "./automaton.ts";
import type { Item } from "./evidence-item.ts";
import { foldWords } from "./fold.ts";
import { addressesIn, type Keyword } from "./keywords.ts";
import { passagesOf } from "./passages.ts";
import { type IntentPattern, matchPassage, type Passage } from "./patterns.ts";
import { wordEnd } from "./word-boundary.ts";

export interface Sought {
  /** Finds `words`, by their number. */
  readonly automaton: Automaton;
  readonly words: readonly Word[];
  readonly patterns: readonly IntentPattern[];
  /** Those of no literal, which are asked everywhere. */
  readonly everywhere: readonly number[];
}

/** What the automaton looks for: a keyword, a literal of some patterns, or both. */
export interface Word {
  readonly keyword?: Keyword;
  readonly patterns: number[];
}

/** A message full of keywords says nothing more by its thousandth, and what is weighed must stay bounded. */
const maxItems = 1_000;

export interface FoundItems {
  /** In the order of their start; of those that begin together, the longest first. */
  readonly items: Item[];
  /** The patterns cost too much, and some were not asked. */
  readonly cut: boolean;
}

export function findItems(sought: Sought, text: string, bare: string, work: WorkBudget): FoundItems {
  const items: Item[] = [];
  const asked = new Map<number, number[]>();
  const inAddress = addressesIn(bare);
  sought.automaton.scan(bare, (number, start, end) => {
    const word = sought.words[number];
    if (!word) return;
    for (const pattern of word.patterns) {
      const places = asked.get(pattern);
      if (!places) asked.set(pattern, [start]);
      else if (places.length < maxItems) places.push(start);
    }
    if (word.keyword && items.length < maxItems) addKeyword(items, word.keyword, text, bare, start, end, inAddress);
  });
  const cut = sought.patterns.length > 0 && !addPatterns(items, sought, text, asked, work);
  return { items: items.sort((left, right) => left.start - right.start || right.end - left.end), cut };
}

function addKeyword(
  items: Item[],
  keyword: Keyword,
  text: string,
  bare: string,
  start: number,
  end: number,
  inAddress: (index: number) => boolean,
): void {
  const stop = wordEnd(bare, start, end);
  if (stop === undefined || (keyword.plain && inAddress(start))) return;
  for (const { intent, source, accented } of keyword.uses) {
    if (accented !== undefined && foldWords(text.slice(start, end)).exact !== accented) continue;
    items.push({ intent, layer: "keywords", source, start, end: stop, weight: keyword.weight + stop - end });
  }
}

/** Matches of one pattern that are looked at: the first may be negated and a later one not; more say nothing new. */
const maxMatches = 4;

/** @returns whether all could be asked. */
function addPatterns(
  items: Item[],
  sought: Sought,
  text: string,
  asked: ReadonlyMap<number, readonly number[]>,
  work: WorkBudget,
): boolean {
  if (asked.size === 0 && sought.everywhere.length === 0) return true;
  const passages = passagesOf(text);
  try {
    for (const number of sought.everywhere) askPattern(items, sought.patterns[number], text, passages, work);
    for (const [number, places] of asked) {
      askPattern(items, sought.patterns[number], text, holding(passages, places), work);
    }
    return true;
  } catch (error) {
    if (error instanceof WorkSpent) return false;
    throw error;
  }
}

function askPattern(
  items: Item[],
  pattern: IntentPattern | undefined,
  text: string,
  passages: readonly Passage[],
  work: WorkBudget,
): void {
  if (!pattern) return;
  let left = maxMatches;
  for (const passage of passages) {
    for (const { start, end, weight } of matchPassage(pattern, text, passage, left, work)) {
      items.push({ intent: pattern.intent, layer: "patterns", source: pattern.source, start, end, weight });
      left -= 1;
    }
    if (left === 0) return;
  }
}

/** The passages in which one of the places lies. @param places in their order. */
function holding(passages: readonly Passage[], places: readonly number[]): Passage[] {
  let place = 0;
  return passages.filter(({ start, end }) => {
    while ((places[place] ?? Number.POSITIVE_INFINITY) < start) place += 1;
    return (places[place] ?? Number.POSITIVE_INFINITY) < end;
  });
}
