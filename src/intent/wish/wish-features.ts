/** What the model of wishes reads: the words around a candidate, by their place. The candidate's own letters tell nothing. Pure. */
import { addChain, addFeature, addRuns, bucket, type Features, noFeatures, normalise } from "./features.ts";
import { candidateHash, type Tokens, tokensOf } from "./tokens.ts";

/** UTF-16 units that are read before and behind the candidate. */
const reach = 300;

export interface Span {
  readonly start: number;
  readonly end: number;
}

export const weights = { runs: 0.5, clause: 0.5, other: 0.3 };

/** @param candidate absent: the message as a whole, of which the beginning and the end are read. */
export function wishFeatures(text: string, candidate: Span | undefined): Features {
  const from = candidate ? Math.max(0, candidate.start - reach) : 0;
  const to = candidate ? Math.min(text.length, candidate.end + reach) : Math.min(text.length, 2 * reach);
  const span = candidate && { start: candidate.start - from, end: candidate.end - from };
  const tokens = tokensOf(text.slice(from, to), span);
  const features = noFeatures();
  const at = span ? tokens.words.indexOf(candidateHash) : -1;
  const sentence = around(tokens, at, (kind) => kind === "sentence");
  const clause = around(tokens, at, (kind) => kind === "sentence" || kind === "clause");
  if (at >= 0) {
    addNear(features, tokens, at, sentence);
    addPlace(features, tokens, at, sentence, clause);
    const longest = tokens.kinds[at + 1] === "character" || tokens.kinds[at - 1] === "character" ? 4 : 2;
    addRuns(features, 40, tokens.words, sentence.start, at, longest, weights.runs);
    addRuns(features, 41, tokens.words, at + 1, sentence.end, longest, weights.runs);
    addRuns(features, 42, tokens.words, clause.start, clause.end, longest, weights.clause);
    addEdges(features, 50, tokens, clause);
  }
  const isUnspaced = tokens.kinds.includes("character");
  if (at < 0) addRuns(features, 43, tokens.words, 0, tokens.length, isUnspaced ? 4 : 2, weights.runs);
  else {
    addRuns(features, 44, tokens.words, 0, sentence.start, isUnspaced ? 3 : 2, weights.other);
    addRuns(features, 45, tokens.words, sentence.end, tokens.length, isUnspaced ? 3 : 2, weights.other);
  }
  addEdges(features, 70, tokens, at < 0 ? { start: 0, end: tokens.length } : sentence);
  normalise(features);
  return features;
}

/** The stretch of tokens around one, up to and with the mark that ends it. */
function around(tokens: Tokens, at: number, isEnd: (kind: Tokens["kinds"][number]) => boolean): Span {
  if (at < 0) return { start: 0, end: tokens.length };
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
