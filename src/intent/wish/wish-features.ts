/** The input of the model of wishes: the words around a candidate, by their place. The candidate's own letters tell nothing. Pure. */

import { lazyRegExp } from "../../lib/once.ts";
import type { Span } from "../../lib/text/span.ts";
import { addChain, addFeature, addRuns, bucket, type Features, noFeatures, normalise } from "./features.ts";
import { candidateHash, type Tokens, tokensOf } from "./tokens.ts";

/** UTF-16 units that are read before and behind the candidate. */
const reach = 300;

const weights = { runs: 0.5, other: 0.3 };

/** Features of the words around a candidate. */
export function wishFeatures(text: string, candidate: Span): Features {
  const before = withoutData(text.slice(Math.max(0, candidate.start - reach), candidate.start));
  const named = text.slice(candidate.start, candidate.end);
  const after = withoutData(text.slice(candidate.end, candidate.end + reach));
  const span = { start: before.length, end: before.length + named.length };
  const tokens = tokensOf(before + named + after, span);
  const features = noFeatures();
  const at = Math.max(0, tokens.words.indexOf(candidateHash));
  const sentence = around(tokens, at, (kind) => kind === "sentence");
  const clause = around(tokens, at, (kind) => kind === "sentence" || kind === "clause");
  const isUnspaced = tokens.kinds.includes("character");
  const longest = isUnspaced ? 4 : 2;
  addNear(features, tokens, at, sentence);
  addPlace(features, tokens, at, sentence, clause);
  addRuns(features, 40, tokens.words, sentence.start, at, longest, weights.runs);
  addRuns(features, 41, tokens.words, at + 1, sentence.end, longest, weights.runs);
  addRuns(features, 43, tokens.words, sentence.start, sentence.end, longest, weights.runs);
  addRuns(features, 44, tokens.words, 0, sentence.start, isUnspaced ? 3 : 2, weights.other);
  addRuns(features, 45, tokens.words, sentence.end, tokens.length, isUnspaced ? 3 : 2, weights.other);
  addEdges(features, 50, tokens, clause);
  addEdges(features, 70, tokens, sentence);
  normalise(features);
  return features;
}

/** Features of a sentence as a whole. */
export function sentenceFeatures(sentence: string): Features {
  const tokens = tokensOf(withoutData(sentence.slice(0, 2 * reach)), undefined);
  const features = noFeatures();
  const longest = tokens.kinds.includes("character") ? 4 : 2;
  addRuns(features, 43, tokens.words, 0, tokens.length, longest, weights.runs);
  addFeature(features, 206, bucket(tokens.length));
  addEdges(features, 70, tokens, { start: 0, end: tokens.length });
  addEdges(features, 90, tokens, clauseEnd(tokens));
  normalise(features);
  return features;
}

/** The last clause of a sentence: "the lamp is broken, mend it". */
function clauseEnd(tokens: Tokens): Span {
  const last = tokens.kinds.lastIndexOf("clause", tokens.length - 2);
  return { start: last + 1, end: tokens.length };
}

/** The stretch of tokens around one, up to and with the mark that ends it. */
function around(tokens: Tokens, at: number, isEnd: (kind: Tokens["kinds"][number]) => boolean): Span {
  let start = at;
  while (start > 0 && !isEnd(tokens.kinds[start - 1] as Tokens["kinds"][number])) start -= 1;
  let end = at;
  while (end < tokens.length && !isEnd(tokens.kinds[end] as Tokens["kinds"][number])) end += 1;
  return { start, end: Math.min(tokens.length, end + 1) };
}

function addNear(features: Features, { words, shapes, length }: Tokens, at: number, sentence: Span): void {
  addChain(features, 100, words, at - 1, -1, sentence.start - 1, 4);
  addChain(features, 110, words, at + 1, 1, sentence.end, 5);
  addChain(features, 120, shapes, at - 1, -1, sentence.start - 1, 3);
  addChain(features, 130, shapes, at + 1, 1, sentence.end, 3);
  const left = at > 0 ? (words[at - 1] as number) : 1;
  const right = at + 1 < length ? (words[at + 1] as number) : 2;
  addFeature(features, 140, left * 31 + right);
}

function addEdges(features: Features, slot: number, { words, shapes }: Tokens, { start, end }: Span): void {
  addChain(features, slot, words, start, 1, end, 4);
  addChain(features, slot + 5, words, end - 1, -1, start - 1, 5);
  addChain(features, slot + 10, shapes, start, 1, end, 4);
  addChain(features, slot + 15, shapes, end - 1, -1, start - 1, 3);
}

function addPlace(features: Features, tokens: Tokens, at: number, sentence: Span, clause: Span): void {
  addFeature(features, 200, bucket(at - sentence.start));
  addFeature(features, 201, bucket(sentence.end - at));
  addFeature(features, 202, bucket(at - clause.start));
  addFeature(features, 203, bucket(clause.end - at));
  addFeature(features, 204, Number(sentence.start > 0) * 2 + Number(sentence.end < tokens.length));
  addFeature(features, 205, bucket(tokens.length));
}

/** Replaces a value; a number reads as the same. */
const value = "0";

/** Brackets around a text with a colon, an equals sign or a digit; an aside in words is the user's speech. Not nested. */
const lists = lazyRegExp(String.raw`\([^()\n]{0,300}\)|\{[^{}\n]{0,300}\}|\[[^\[\]\n]{0,300}\]`, "g");

/** A word with digits, an underscore or an at-sign: "#W12", "paypal_40", "ann@example.com", "2024-05-19", "10:00". */
const values = lazyRegExp(
  String.raw`(?<![\p{L}\p{N}_@#])#?(?=[\p{Script=Latin}.+:/-]{0,40}[\p{N}_@])[\p{Script=Latin}\p{N}_@.+:/-]{1,80}(?<![.:,/+-])`,
  "gu",
);

/**
 * Without the values that a request hands over: ids, addresses, dates, lists in brackets. They tell nothing about whether the user asks,
 * and read as words they look like a pasted record.
 */
export function withoutData(text: string): string {
  if (!/[\p{N}_@([{]/u.test(text)) return text;
  return text.replace(lists(), (list) => (/[:=\d]|^..$/.test(list) ? " " : list)).replace(values(), value);
}
