/** Finds a policy's keywords and patterns in a text: all keywords in one pass, patterns at their literals. Pure. */
import { type WorkBudget, WorkSpent } from "../../lib/work-budget.ts";
import { type FoldedText, foldWords } from "./fold.ts";
import { addressesIn, type Keyword, wordEnd } from "./keywords.ts";
import { type IntentPattern, matchPassage, type Passage, passagesOf } from "./patterns.ts";
import { type WordIndex, wordsAt } from "./word-index.ts";

/** Evidence while it is weighed against other evidence. Indices are those of the folded text. */
export interface Match {
  /** Number of the intent, in the policy's order. */
  readonly intent: number;
  readonly layer: "keywords" | "patterns";
  /** The policy's keyword or pattern, as written. */
  readonly source: string;
  readonly start: number;
  readonly end: number;
  /** Specificity: how many letters and digits of the message the policy's own words account for. */
  readonly weight: number;
  discounted?: "negated" | "overruled";
}

export interface Lexicon {
  /** Finds `words`, by their number. */
  readonly index: WordIndex;
  readonly words: readonly Word[];
  readonly patterns: readonly IntentPattern[];
  /** The patterns without a literal, which are tried everywhere. */
  readonly everywhere: readonly number[];
}

/** A keyword, a literal of some patterns, or both. */
export interface Word {
  readonly keyword?: Keyword | undefined;
  readonly patterns: number[];
}

/** The thousandth keyword of a message says nothing new, and the matches to be weighed must stay bounded. */
const MAX_MATCHES = 1_000;
/** The first match of a pattern may be negated and a later one not; more say nothing new. */
const MAX_OF_PATTERN = 4;

/**
 * @returns matches in the order of their start, of those that begin together the longest first; `cut`: the patterns cost too much,
 * and some were not tried.
 */
export function findMatches(
  lexicon: Lexicon,
  { text, folded }: FoldedText,
  work: WorkBudget,
): { readonly matches: Match[]; readonly cut: boolean } {
  const matches: Match[] = [];
  /** The places of each pattern's literals, in order. */
  const places = new Map<number, number[]>();
  const inAddress = addressesIn(folded);
  const found = (number: number, end: number, start: number): void => {
    const { keyword, patterns = [] } = lexicon.words[number] ?? {};
    for (const pattern of patterns) {
      const known = places.get(pattern);
      if (!known) places.set(pattern, [start]);
      else if (known.length < MAX_MATCHES) known.push(start);
    }
    const stop = keyword && matches.length < MAX_MATCHES ? wordEnd(folded, start, end) : undefined;
    if (!keyword || stop === undefined || (keyword.isPlain && inAddress(start))) return;
    for (const { intent, source, accented } of keyword.uses) {
      if (accented !== undefined && foldWords(text.slice(start, end)).exact !== accented) continue;
      matches.push({ intent, layer: "keywords", source, start, end: stop, weight: keyword.weight + stop - end });
    }
  };
  for (let start = 0; start < folded.length; start += 1) wordsAt(lexicon.index, folded, start, found);
  const isWhole = addPatterns(matches, lexicon, text, places, work);
  return { matches: matches.sort((one, other) => one.start - other.start || other.end - one.end), cut: !isWhole };
}

/** @returns whether all could be tried. */
function addPatterns(
  matches: Match[],
  { patterns, everywhere }: Lexicon,
  text: string,
  places: ReadonlyMap<number, readonly number[]>,
  work: WorkBudget,
): boolean {
  if (places.size === 0 && everywhere.length === 0) return true;
  const passages = passagesOf(text);
  const add = (number: number, tried: readonly Passage[]) => {
    const pattern = patterns[number];
    if (!pattern) return;
    const { intent, source } = pattern;
    let left = MAX_OF_PATTERN;
    for (const passage of tried) {
      const found = matchPassage(pattern, text, passage, left, work);
      matches.push(...found.map((match) => ({ ...match, intent, layer: "patterns" as const, source })));
      left -= found.length;
      if (left === 0) return;
    }
  };
  try {
    for (const number of everywhere) add(number, passages);
    for (const [number, starts] of places)
      add(
        number,
        passages.filter((passage) => holdsAny(passage, starts)),
      );
    return true;
  } catch (error) {
    if (error instanceof WorkSpent) return false;
    throw error;
  }
}

const holdsAny = ({ start, end }: Passage, places: readonly number[]): boolean =>
  places.some((place) => place >= start && place < end);
