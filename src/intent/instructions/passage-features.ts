/** The sentences of a text, each as features of the model of instructions. Pure. */
import { once } from "../../lib/once.ts";
import { hashText, pairHash } from "../semantic/hash.ts";
import { addFeature, type Features, noFeatures } from "../wish/features.ts";
import { cjkSource, type Signal, STEM, signalOf, signals, withoutAccents } from "./signal-words.ts";

export interface Sentence {
  readonly start: number;
  readonly text: string;
  /** The signals in it, one bit each. */
  readonly signals: number;
}

const LETTERS = "\\w\\u00c0-\\u024f\\u0370-\\u052f\\u0590-\\u06ff\\u0900-\\u0e7f\\u1e00-\\u1fff";
const cjkWord = (): string => `(?=[\\u2e80-\\ud7ff])(?:${cjkSource()})`;

/** For the first look: words, and the ends of sentences. */
const wordOrEnd = once(() => new RegExp(`[${LETTERS}]+|\\n|[.!?;|](?=\\s|$)|[。！？]|${cjkWord()}`, "g"));

/** A word, or text written without spaces such as an address; a character of a script without spaces; a sign. */
const token = once(
  () =>
    new RegExp(
      `[${LETTERS}](?:[${LETTERS}.@:/~%?=&#+$'’-]*[${LETTERS}])?|${cjkWord()}|[\\u2e80-\\ud7ff\\uf900-\\ufaff]|[.!?;|:,@#<>()\\[\\]/"“„«‘]`,
      "g",
    ),
);
const slots = { word: 1, stem: 2, pair: 3, signals: 6, first: 7 };
/** Slots of features that are no words. Those of signals come before them. */
const shapes = { address: 101, mail: 102, path: 103, name: 104, host: 105, number: 106 };
/** A line without an end is no sentence. */
const MAX_WORDS = 80;
/** How many signals before one it is paired with. */
const REACH = 3;
const OPEN_QUOTES = "“„«「『‘";
const QUOTE = 34;
const SIGN = /^[!-/:-@[-^`{-~“„«「『‘。！？]$/;

/** A first look at a text without its quotations. Sentences that are not read further cost little. */
export function sentencesOf(text: string): readonly Sentence[] {
  const plain = withoutAccents(text.toLowerCase());
  const sentences: Sentence[] = [];
  const pattern = wordOrEnd();
  const stems = signalOf();
  let [start, words, mask] = [0, 0, 0];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(plain); match !== null; match = pattern.exec(plain)) {
    const [one] = match;
    const isEnd = ENDS.has(one);
    if (!isEnd) {
      words += 1;
      const signal = stems.get(stemOf(one));
      if (signal !== undefined) mask |= 1 << signal;
    }
    if (!isEnd && words < MAX_WORDS) continue;
    const end = pattern.lastIndex;
    if (words > 0) sentences.push({ start, text: plain.slice(start, end), signals: mask });
    [start, words, mask] = [end, 0, 0];
  }
  if (words > 0) sentences.push({ start, text: plain.slice(start), signals: mask });
  return sentences;
}

const ENDS = new Set(["\n", ".", "!", "?", ";", "|", "。", "！", "？"]);

const stemOf = (word: string): string =>
  word.length > STEM && word.charCodeAt(0) < 0x2e80 ? word.slice(0, STEM) : word;

export function sentenceFeatures({ text }: Sentence): Features {
  const draft = newDraft();
  for (const one of text.match(token()) ?? []) addToken(draft, one);
  return draft.features;
}

interface Draft {
  readonly features: Features;
  readonly seen: Set<number>;
  readonly classed: number[];
  before: number;
  tokens: number;
}

const newDraft = (): Draft => ({
  features: noFeatures(),
  seen: new Set(),
  classed: [],
  before: 0,
  tokens: 0,
});

/** Each feature once: repetitions in a table or a rule of dashes add nothing. */
function add({ features, seen }: Draft, slot: number, content: number, value = 1): void {
  const key = pairHash(content, slot, 0x51);
  if (seen.has(key)) return;
  seen.add(key);
  addFeature(features, slot, content, value);
}

function addToken(draft: Draft, one: string): void {
  draft.tokens += 1;
  if (SIGN.test(one)) {
    draft.before = OPEN_QUOTES.includes(one) ? QUOTE : one.charCodeAt(0);
    return;
  }
  const shape = /[\d_.@:/-]/.test(one) ? shapeOf(one) : undefined;
  if (shape === undefined) for (const part of one.split(/[-:]/)) addWord(draft, part);
  else {
    if (shape === shapes.name) for (const part of one.split("_")) add(draft, slots.word, hashText(part));
    addSymbol(draft, shape);
  }
}

function shapeOf(one: string): number | undefined {
  if (one.includes("://") || one.startsWith("www.")) return shapes.address;
  if (/\w@\w/.test(one)) return shapes.mail;
  if (/^[\d.,:/%+-]+$/.test(one)) return shapes.number;
  if (one.includes("_")) return shapes.name;
  if (/\w\/\w/.test(one)) return shapes.path;
  if (/\w\.\w/.test(one)) return shapes.host;
  return /\d/.test(one) ? shapes.number : undefined;
}

function addWord(draft: Draft, word: string): void {
  const hash = hashText(word);
  const short = stemOf(word);
  const stem = short === word ? hash : hashText(short);
  add(draft, slots.word, hash);
  if (stem !== hash) add(draft, slots.stem, stem);
  const signal = signalOf().get(short);
  addSymbol(draft, signal ?? stem);
  if (signal === undefined) return;
  for (const before of draft.classed.slice(-REACH)) add(draft, slots.signals, pairHash(before, signal), 2);
  add(draft, slots.signals, signal, 2);
  draft.classed.push(signal);
}

function addSymbol(draft: Draft, symbol: number): void {
  add(draft, slots.pair, pairHash(draft.before, symbol));
  if (draft.tokens === 1) add(draft, slots.first, symbol);
  draft.before = symbol;
}

const maskOf = (names: readonly Signal[]): number => names.reduce((mask, name) => mask | (1 << signals[name]), 0);
const speaks = maskOf(["ai", "reader", "user", "override", "orders", "role", "output"]);
const demands = maskOf(["act", "say", "override", "must", "silence", "consent", "negation", "orders"]);

const LEAST_SIGNALS = 3;

/** Whether a sentence addresses a reader and demands something: only passages with such a sentence are judged. */
export function mayInstruct({ signals: mask }: Sentence): boolean {
  let [count, left] = [0, mask];
  for (; left !== 0; left &= left - 1) count += 1;
  return count >= LEAST_SIGNALS && (mask & speaks) !== 0 && (mask & demands) !== 0;
}
