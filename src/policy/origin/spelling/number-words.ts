/**
 * Reads number words as people write them: `twenty-five`, `zweihundert`, `mil quinientos`, `a dozen`. Pure.
 *
 * A longest run of number words is one number, so `five hundred` is neither 5 nor 100. A run that makes no number gives nothing.
 */
import { lazyRegExp, once } from "../../../lib/once.ts";
import { NUMBER_WORDS, type NumberLanguage, OTHER_MEANING } from "./number-vocabulary.ts";

/** A number in a text. */
export interface NumberPlace {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

interface Vocabulary {
  readonly values: ReadonlyMap<string, number>;
  /** Words that mean 1 only before a word such as `hundred` or within a longer number. */
  readonly ones: ReadonlySet<string>;
  readonly multipliers: ReadonlyMap<string, number>;
  readonly joiner: string | undefined;
  /** All parts, the longest first, if numbers are written as one word. */
  readonly parts: { readonly each: RegExp; readonly whole: RegExp } | undefined;
}

const words = (text: string): readonly string[] => text.split(" ");

const entries = (text: string): readonly (readonly [string, number])[] =>
  words(text).flatMap((entry) => {
    const [value, forms = ""] = entry.split(":");
    return forms.split(",").map((form) => [form, Number(value)] as const);
  });

function vocabulary({ values, ones, multipliers, joiner, glue }: NumberLanguage): Vocabulary {
  const known = new Map(entries(values));
  const factors = new Map(entries(multipliers));
  const parts = [...known.keys(), ...factors.keys(), ...words(ones), ...(glue === undefined ? [] : words(glue))];
  const longestFirst = parts.toSorted((a, b) => b.length - a.length).join("|");
  return {
    values: known,
    ones: new Set(words(ones)),
    multipliers: factors,
    joiner,
    parts:
      glue === undefined
        ? undefined
        : { each: new RegExp(longestFirst, "gy"), whole: new RegExp(`^(?:${longestFirst}){2,9}$`) },
  };
}

const vocabularies = once(() => Object.values(NUMBER_WORDS).map(vocabulary));

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const wordPattern = lazyRegExp(String.raw`[\p{sc=Latin}\p{sc=Cyrillic}]+`, "gu");

/** @param text folded. */
export function numberWordsIn(text: string): readonly NumberPlace[] {
  const all = [...text.matchAll(wordPattern())].map(({ 0: word, index }) => ({
    text: word,
    start: index,
    end: index + word.length,
  }));
  const seen = new Map<string, boolean>();
  const isNumberWord = (word: string): boolean => {
    const known = seen.get(word) ?? (mayBeNumber(word) && !isOtherWord(text, word));
    seen.set(word, known);
    return known;
  };
  const starts = all.flatMap((word, at) => (isNumberWord(word.text) ? [at] : []));
  if (starts.length === 0) return [];
  return outermost(vocabularies().flatMap((known) => placesIn(text, all, starts, known, isNumberWord)));
}

const mayBeNumber = (word: string): boolean =>
  vocabularies().some((known) => known.ones.has(word) || partsOf(word, known) !== undefined);

const isOtherWord = (text: string, word: string): boolean =>
  Object.hasOwn(OTHER_MEANING, word) && OTHER_MEANING[word]?.some((cue) => cue.test(text)) === true;

function placesIn(
  text: string,
  all: readonly Word[],
  starts: readonly number[],
  known: Vocabulary,
  isNumberWord: (word: string) => boolean,
): readonly NumberPlace[] {
  const places: NumberPlace[] = [];
  let next = 0;
  for (const at of starts) {
    if (at < next) continue;
    const run = runAt(text, all, at, known, isNumberWord);
    const place = run.length === 0 ? undefined : placeOf(text, run, known);
    if (place) places.push(place);
    next = at + run.length;
  }
  return places;
}

/** `six cents` is French for 600: then the English 6 is a part of it. */
function outermost(places: readonly NumberPlace[]): readonly NumberPlace[] {
  const kept: NumberPlace[] = [];
  for (const place of places.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const before = kept.at(-1);
    const isSame = before?.start === place.start && before.end === place.end;
    if (before === undefined || place.end > before.end || isSame) kept.push(place);
  }
  return kept;
}

/** The adjacent number words from here on. */
function runAt(
  text: string,
  all: readonly Word[],
  from: number,
  known: Vocabulary,
  isNumberWord: (word: string) => boolean,
): readonly Word[] {
  const run: Word[] = [];
  const touches = (before: Word, after: Word) => /^[\s-]$/u.test(text.slice(before.end, after.start));
  const isNumber = (word: Word) => isNumberWord(word.text) && partsOf(word.text, known) !== undefined;
  for (let at = from; ; at += 1) {
    const [word, next] = [all[at], all[at + 1]];
    if (!word) break;
    const before = run.at(-1);
    if (before && !touches(before, word)) break;
    if (before && word.text === known.joiner && next && touches(word, next) && goesOn(before.text, next.text, known))
      run.push(word);
    else if (known.ones.has(word.text) ? !isOne(text, word, before, next, known) : !isNumber(word)) break;
    else run.push(word);
  }
  return run;
}

/** Whether a word for 1 that is an article elsewhere is a number here: `a hundred`, `treinta y una`, `one mug`. */
function isOne(text: string, word: Word, before: Word | undefined, next: Word | undefined, known: Vocabulary): boolean {
  if (before) return before.text === known.joiner || (word.text !== "a" && goesOn(before.text, word.text, known));
  if (next && known.multipliers.has(next.text) && text.slice(word.end, next.start) === " ") return true;
  return word.text === "one" && isCounted(text, word);
}

/** `two and three` are two numbers: only what is smaller than the number before goes on. */
function goesOn(before: string, after: string, known: Vocabulary): boolean {
  const lowest = known.multipliers.get(before) ?? known.values.get(before) ?? 0;
  const next = known.values.get(after) ?? (known.ones.has(after) ? 1 : Number.POSITIVE_INFINITY);
  return lowest >= (known.joiner === "and" && after !== "one" ? 100 : 20) && lowest % 10 === 0 && next < lowest;
}

/** The parts of one word; undefined if it is no number word. */
function partsOf(word: string, known: Vocabulary): readonly string[] | undefined {
  if (known.values.has(word) || known.multipliers.has(word) || known.ones.has(word)) return [word];
  if (known.parts === undefined || word.length < 6 || word.length > 60) return undefined;
  if (!known.parts.whole.test(word)) return undefined;
  const found = [...word.matchAll(known.parts.each)].map(([part]) => part);
  return found.join("") === word ? found : undefined;
}

const partial =
  /^(?:-\p{L}|\s?\d|[\s-](?:point|komma|coma|virgule|virgola|vírgula|przecinek|запятая|целых)(?!\p{L})|\s(?:grand(?!\s\p{L})|viertel|drittel|achtel|quarters?|thirds?|and a half|and a quarter|y medi[oa]|et demie?|e mezz[oa]|e mei[oa]|en een half|с половиной))/u;
const half =
  /(?:\d(?:[.,]|\s)?|\p{L}-|(?:^|\s)(?:half|halbes|halve|media|medio|demi|demie|mezza|mezzo|meia|meio|pół)\s(?:an?\s)?)$/u;

function placeOf(text: string, run: readonly Word[], known: Vocabulary): NumberPlace | undefined {
  const [first, last] = [run[0], run.at(-1)];
  if (!first || !last) return undefined;
  if (partial.test(text.slice(last.end, last.end + 20))) return undefined;
  if (half.test(text.slice(Math.max(0, first.start - 12), first.start))) return undefined;
  // French for "new".
  if (run.length === 1 && first.text === "neuf") return undefined;
  const value = numberOf(
    run.flatMap(({ text: word }) => (word === known.joiner ? [] : (partsOf(word, known) ?? []))),
    known,
  );
  return value === undefined ? undefined : { value, start: first.start, end: last.end };
}

/** `one` mostly points at something. It counts only after a word that takes a number, and before a noun. */
const isCounted = (text: string, { start, end }: Word): boolean =>
  /(?:^|\s)(?:order|buy|book|get|add|need|want|purchase|reserve|exactly|only|just)(?:\s(?:me|us))?\s$/u.test(
    text.slice(Math.max(0, start - 20), start),
  ) &&
  /^\s(?!of\s|an?other|more|day|that|who|which|to\s|for\s|from\s|and\s|or\s)\p{L}/u.test(text.slice(end, end + 10));

/** Undefined if the parts do not make one number. */
function numberOf(parts: readonly string[], { values, ones, multipliers }: Vocabulary): number | undefined {
  let [total, group, floor] = [0, 0, 1_000];
  let lowestFactor = Number.POSITIVE_INFINITY;
  for (const [at, part] of parts.entries()) {
    const factor = multipliers.get(part);
    const value = values.get(part) ?? (ones.has(part) ? 1 : undefined);
    if (factor !== undefined) {
      if (group === 0 && !values.has(part)) return undefined;
      if (factor < 1_000 && group > 99) return undefined;
      if (factor < 1_000) [group, floor] = [(group || 1) * factor, factor === 100 ? 100 : 0];
      else if (factor >= lowestFactor) return undefined;
      else [total, group, floor, lowestFactor] = [total + (group || 1) * factor, 0, 1_000, factor];
    } else if (value === undefined) {
      // `und` in `fünfundzwanzig`: the tens follow the unit.
      const tens = values.get(parts[at + 1] ?? "") ?? 0;
      if (group % 100 > 0 && group % 100 < 10 && tens >= 20 && tens < 100) floor = 100;
      else if (group % 100 !== 0) return undefined;
    } else if (part.startsWith("vingt") && group % 100 === 4) [group, floor] = [group + 76, 20];
    else {
      // `twenty zero` is read out digit by digit.
      if (value === 0 && parts.length > 1) return undefined;
      if (value >= floor || (parts[at - 1] === "dix" && value < 7)) return undefined;
      group += value;
      floor = floorAfter(part, value);
    }
  }
  return total + group;
}

/** What may follow is smaller than this. French counts on from 60 to 79, and has `dix-sept`. */
function floorAfter(part: string, value: number): number {
  if (part === "soixante") return 20;
  if (part === "dix") return 10;
  return value >= 100 ? 100 : value >= 20 && value % 10 === 0 ? 10 : 1;
}
