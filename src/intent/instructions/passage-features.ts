/** The sentences of a text, each as features of the model of instructions. Pure. */
import { latePattern } from "../../lib/once.ts";
import { hashText, pairHash } from "../semantic/hash.ts";
import { addFeature, type Features, noFeatures } from "../wish/features.ts";
import { cjkSource, type Signal, STEM, signalOf, signals, withoutAccents } from "./signal-words.ts";

export interface Sentence {
  readonly start: number;
  readonly end: number;
  /** Of the signals that stand in it: one bit each. */
  readonly signals: number;
  readonly features: Features;
}

const LETTERS = "\\w\\u00c0-\\u024f\\u0370-\\u052f\\u0590-\\u06ff\\u0900-\\u0e7f\\u1e00-\\u1fff";
/** A word or what is written without spaces, such as an address; a character of a script without spaces; a sign. */
const token = latePattern(
  `${cjkSource()}|[${LETTERS}](?:[${LETTERS}.@:/~%?=&#+$'’-]*[${LETTERS}])?|[\\u2e80-\\ud7ff\\uf900-\\ufaff]|[\\n.!?;|:,@#<>()\\[\\]/"]`,
  "g",
);
const slots = { word: 1, stem: 2, pair: 3, signals: 6, first: 7 };
/** What is no word. Signals come before them. */
const shapes = { address: 101, mail: 102, path: 103, name: 104, host: 105, number: 106 };
/** A line without an end is no sentence. */
const MAX_TOKENS = 80;
/** How many signals before one it is paired with. */
const REACH = 3;

export function sentencesOf(text: string): readonly Sentence[] {
  const plain = withoutAccents(text.toLowerCase());
  const sentences: Sentence[] = [];
  const pattern = token();
  let draft = newDraft(0);
  const finish = (end: number) => {
    if (draft.tokens > 0) sentences.push({ start: draft.start, end, signals: draft.mask, features: draft.features });
    draft = newDraft(end);
  };
  pattern.lastIndex = 0;
  for (let match = pattern.exec(plain); match !== null; match = pattern.exec(plain)) {
    const end = pattern.lastIndex;
    if (match[0] !== "\n") addToken(draft, match[0]);
    if (match[0] === "\n" || draft.tokens >= MAX_TOKENS || isEnd(match[0], plain.charCodeAt(end))) finish(end);
  }
  finish(plain.length);
  return sentences;
}

const isEnd = (one: string, next: number): boolean =>
  one === "。" || one === "！" || one === "？" || (/^[.!?;|]$/.test(one) && !(next > 32));

interface Draft {
  readonly start: number;
  readonly features: Features;
  readonly seen: Set<number>;
  readonly classed: number[];
  before: number;
  tokens: number;
  mask: number;
}

const newDraft = (start: number): Draft => ({
  start,
  features: noFeatures(),
  seen: new Set(),
  classed: [],
  before: 0,
  tokens: 0,
  mask: 0,
});

/** Each feature once: what a table or a rule of dashes repeats says nothing more. */
function add({ features, seen }: Draft, slot: number, content: number, value = 1): void {
  const key = pairHash(content, slot, 0x51);
  if (seen.has(key)) return;
  seen.add(key);
  addFeature(features, slot, content, value);
}

function addToken(draft: Draft, one: string): void {
  draft.tokens += 1;
  if (/^[^\w\u0080-\uffff]$/.test(one)) {
    draft.before = one.charCodeAt(0);
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
  const short = word.length > STEM && word.charCodeAt(0) < 0x2e80 ? word.slice(0, STEM) : word;
  const stem = short === word ? hash : hashText(short);
  add(draft, slots.word, hash);
  if (stem !== hash) add(draft, slots.stem, stem);
  const signal = signalOf().get(short);
  addSymbol(draft, signal ?? stem);
  if (signal === undefined) return;
  for (const before of draft.classed.slice(-REACH)) add(draft, slots.signals, pairHash(before, signal), 2);
  add(draft, slots.signals, signal, 2);
  draft.classed.push(signal);
  draft.mask |= 1 << signal;
}

function addSymbol(draft: Draft, symbol: number): void {
  add(draft, slots.pair, pairHash(draft.before, symbol));
  if (draft.tokens === 1) add(draft, slots.first, symbol);
  draft.before = symbol;
}

const maskOf = (names: readonly Signal[]): number => names.reduce((mask, name) => mask | (1 << signals[name]), 0);
const speaks = maskOf(["ai", "reader", "user", "override", "orders", "role", "you", "output", "process", "silence"]);
const demands = maskOf(["act", "say", "override", "must", "silence", "consent", "negation", "orders"]);

/** The first look: a text that speaks to nobody or demands nothing is not judged. */
export const mayInstruct = (mask: number): boolean =>
  (mask & speaks) !== 0 && (mask & demands) !== 0 && (mask & (mask - 1)) !== 0;
