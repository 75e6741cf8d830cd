/** The input of the model of continuations: the message, and the assistant's last one. Pure. */
import { lazyRegExp, once } from "../../lib/once.ts";
import { hashText } from "../semantic/hash.ts";
import { addChain, addFeature, addRuns, bucket, type Features, noFeatures, normalise } from "./features.ts";
import type { Wish } from "./judge-wish.ts";
import { type Tokens, tokensOf } from "./tokens.ts";

/** UTF-16 units that are read: the beginning of the user's text, the end of the assistant's, in which it asks. */
const reach = { text: 240, assistant: 160, subject: 400 };

const weights = { runs: 0.5, assistant: 0.5, stems: 0.5, odds: 0.5 };

/** @param wish of the message as a whole: a request, a question, … */
export function continuesFeatures(assistant: string | undefined, text: string, wish: Wish): Features {
  const tokens = tokensOf(text.slice(0, reach.text), undefined);
  const previous = tokensOf((assistant ?? "").slice(-reach.assistant), undefined);
  const features = noFeatures();
  const longest = tokens.kinds.includes("character") ? 4 : 2;
  addRuns(features, 1, tokens.words, 0, tokens.length, longest, weights.runs);
  addChain(features, 10, tokens.words, 0, 1, tokens.length, 4);
  addChain(features, 20, tokens.shapes, 0, 1, tokens.length, 3);
  addChain(features, 30, tokens.words, tokens.length - 1, -1, -1, 4);
  addStems(features, text.slice(0, reach.text));
  addFeature(features, 40, bucket(tokens.length));
  addFeature(features, 41, tokens.kinds.filter((kind) => kind === "sentence").length);
  const act = assistant === undefined ? 0 : actOf(previous);
  addFeature(features, 42, act);
  addFeature(features, 43, act * 64 + bucket(tokens.length));
  addWish(features, wish, act);
  addChain(features, 60 + act * 4, tokens.words, 0, 1, tokens.length, 2);
  if (assistant !== undefined) {
    addShared(features, tokens, previous, longest);
    addSubjects(features, subjectsOf(text.slice(0, reach.text)), subjectsOf(assistant.slice(-reach.subject)), act);
  }
  normalise(features);
  return features;
}

const question = once(() => tokensOf("?", undefined).words[0]);

/** 1: the assistant's last words tell; 2: they ask; 3: they ask before their end. */
function actOf(previous: Tokens): number {
  if (previous.words.at(-1) === question()) return 2;
  return previous.words.includes(question() as number) ? 3 : 1;
}

function addWish(features: Features, wish: Wish, act: number): void {
  const shares = [wish.request, wish.question, wish.statement, wish.refusal];
  shares.forEach((share, index) => {
    const level = Math.min(3, Math.floor(share * 4));
    addFeature(features, 80 + index, level);
    addFeature(features, 90 + index, act * 8 + level);
  });
  const odds = Math.log((wish.request + leastShare) / (1 - wish.request + leastShare));
  addFeature(features, 229, 0, odds * weights.odds);
  addFeature(features, 230, act, odds * weights.odds);
}

const leastShare = 0.02;

const stemmed = lazyRegExp(String.raw`\p{sc=Latin}{4,}`, "gu");

/** German and Spanish have many forms of a word, and few sentences hold the same one. */
function addStems(features: Features, text: string): void {
  for (const [word] of text.toLowerCase().matchAll(stemmed()))
    addFeature(features, 170, hashText(word.slice(0, 4)), weights.stems);
}

function addShared(features: Features, tokens: Tokens, previous: Tokens, longest: number): void {
  const last = previous.kinds.lastIndexOf("sentence", previous.length - 2) + 1;
  addChain(features, 100, previous.words, last, 1, previous.length, 3);
  addRuns(features, 110, previous.words, last, previous.length, longest, weights.assistant);
  const known = new Set(previous.words);
  let shared = 0;
  for (const word of new Set(tokens.words)) if (known.has(word)) shared += 1;
  addFeature(features, 120, bucket(shared));
  addFeature(features, 121, Math.round((4 * shared) / Math.max(1, tokens.length)));
}

/** Words that have a content, in any of their forms: their beginnings; numbers; in scripts without blanks pairs of characters. */
const contentWord = lazyRegExp(String.raw`\p{sc=Latin}{5,}|\d+|\p{sc=Han}{2}|[\p{sc=Katakana}ー]{2,}`, "gu");
const beginning = 5;

const subjectsOf = (text: string): ReadonlySet<number> =>
  new Set([...text.toLowerCase().matchAll(contentWord())].map(([word]) => hashText(word.slice(0, beginning))));

/** How much of the message is about the assistant's subject, and how much about another. */
function addSubjects(features: Features, own: ReadonlySet<number>, theirs: ReadonlySet<number>, act: number): void {
  const shared = Math.min(3, own.intersection(theirs).size);
  const other = Math.min(6, own.difference(theirs).size);
  addFeature(features, 160, shared);
  addFeature(features, 161, other);
  addFeature(features, 162, act * 64 + other * 8 + shared);
}
