/**
 * The layers `keywords` and `patterns`: what the user's own words say, in time linear in the message. Pure.
 *
 * 1. the part of the message that is read (`message-parts`), folded (`fold`)
 * 2. keywords and patterns (`find-matches`)
 * 3. what the user says not to do (`negation`), what is part of something more specific (`specificity`)
 * 4. intents, best first (`rank`)
 */
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { DetectedIntent, DetectionLayer } from "../detection.ts";
import { clausesOf } from "./clauses.ts";
import { findMatches, type Lexicon, type Word } from "./find-matches.ts";
import { fold, foldWords } from "./fold.ts";
import { isFollowUp } from "./follow-up.ts";
import { keywordsOf } from "./keywords.ts";
import { excerpt, ownWords, requestsIn } from "./message-parts.ts";
import { markNegated } from "./negation.ts";
import { intentPattern } from "./patterns.ts";
import { rank } from "./rank.ts";
import { markOverruled } from "./specificity.ts";
import { indexWords } from "./word-index.ts";

/** A policy's keywords and patterns, compiled. Holds nothing of any message. */
export interface Lexical extends Lexicon {
  readonly names: readonly string[];
  readonly layers: readonly DetectionLayer[];
}

export interface LexicalFindings {
  /** Best first. */
  readonly intents: readonly DetectedIntent[];
  /** Those that only discounted evidence supports. */
  readonly discounted: readonly DetectedIntent[];
  readonly followUp: boolean;
  /** No slow layer needs to run. */
  readonly conclusive: boolean;
  /** The requests of a message that makes several, else the message; cut to what a sentence model reads. */
  readonly clauses: readonly string[];
  /** Layers that did not run whole, because it would have cost too much. */
  readonly missed: readonly DetectionLayer[];
}

export function compileLexical(policy: CompiledPolicy): Lexical {
  const { layers } = policy.detection;
  const intents = [...policy.intents.values()];
  const patterns = layers.includes("patterns")
    ? intents.flatMap((intent, index) => intent.patterns.map((source) => intentPattern(index, source)))
    : [];
  const keywords = layers.includes("keywords") ? keywordsOf(intents) : [];
  const words = new Map<string, Word>();
  for (const [text, keyword] of keywords) words.set(text, { keyword, patterns: [] });
  const everywhere: number[] = [];
  patterns.forEach(({ literals = [] }, index) => {
    const needed = literals.map((literal) => foldWords(literal).folded);
    if (needed.length === 0 || needed.includes("")) everywhere.push(index);
    else for (const text of needed) (words.get(text) ?? newWord(words, text)).patterns.push(index);
  });
  return {
    names: intents.map((intent) => intent.name),
    layers,
    words: [...words.values()],
    index: indexWords([...words.keys()]),
    patterns,
    everywhere,
  };
}

function newWord(words: Map<string, Word>, text: string): Word {
  const word = { patterns: [] };
  words.set(text, word);
  return word;
}

/** @param message the user's own words, as `userTextOf` gave them. Never throws; lone surrogates may be in it. */
export function findLexical(lexical: Lexical, message: string, work: WorkBudget): LexicalFindings {
  const own = ownWords(message);
  const folded = fold(own, excerpt(own));
  const { matches, cut } = findMatches(lexical, folded, work);
  if (matches.length > 0) {
    const clauses = clausesOf(folded.folded);
    markNegated(matches, folded.folded, clauses);
    markOverruled(matches, folded.folded, clauses);
  }
  const { intents, discounted } = rank(lexical, matches, message, folded);
  const followUp = isFollowUp(message);
  const clauses = requestsIn(message);
  const conclusive = isConclusive(lexical, intents, followUp, clauses);
  return { intents, discounted, followUp, conclusive, clauses, missed: cut ? ["patterns"] : [] };
}

/**
 * Words that match decide, and a mere "yes" could only be guessed at; but not where the policy lists a slow layer first, or where
 * the message asks for several things and words match in some of them alone.
 */
function isConclusive(
  { layers }: Lexical,
  intents: readonly DetectedIntent[],
  followUp: boolean,
  clauses: readonly string[],
): boolean {
  const slow = layers.findIndex((layer) => layer === "semantic" || layer === "model");
  if (slow < 0) return true;
  if (intents.length === 0) return followUp;
  if (intents.some((intent) => layers.indexOf(intent.layer) > slow)) return false;
  if (clauses.length === 1) return true;
  const texts = intents.flatMap((intent) => intent.evidence.filter((one) => !one.discounted).map((one) => one.text));
  return clauses.every((clause) => texts.some((text) => clause.includes(text)));
}
