/**
 * The layers `keywords` and `patterns`: what the user's own words say, found in time linear in the message. Pure.
 *
 * 1. the part of the message that is read (`pasted`, `excerpt`), folded (`fold`)
 * 2. all keywords, and all literals that patterns need, in one pass (`automaton`)
 * 3. patterns, where their literals stand (`patterns`)
 * 4. what the user says not to do (`negation`), what is part of something more specific (`overrule`)
 * 5. intents, best first
 */
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { DetectedIntent, DetectionLayer } from "../detection.ts";
import { buildAutomaton } from "./automaton.ts";
import { clausesOf } from "./clauses.ts";
import { partsOf } from "./enumeration.ts";
import { excerpt } from "./excerpt.ts";
import { findItems, type Sought, type Word } from "./find-items.ts";
import { fold, foldWords } from "./fold.ts";
import { isFollowUp } from "./follow-up.ts";
import { keywordsOf } from "./keywords.ts";
import { markNegated } from "./negation.ts";
import { markOverruled } from "./overrule.ts";
import { ownWords } from "./pasted.ts";
import { intentPattern } from "./patterns.ts";
import { rank } from "./rank.ts";

/** A policy's keywords and patterns, made ready. Holds nothing of any message. */
export interface Lexical extends Sought {
  readonly names: readonly string[];
  readonly layers: readonly DetectionLayer[];
  /** There is nothing to look for: most policies that name no intents. */
  readonly isEmpty: boolean;
}

export interface LexicalFindings {
  /** Best first. */
  readonly intents: readonly DetectedIntent[];
  /** Those that only discounted evidence speaks for. */
  readonly discounted: readonly DetectedIntent[];
  readonly followUp: boolean;
  /** No slower layer needs to be asked. */
  readonly conclusive: boolean;
  /** The parts of a message that enumerates, else the message; cut to what a sentence model reads. */
  readonly clauses: readonly string[];
  /** Layers of which not all could be asked, since it would have cost too much. */
  readonly missed: readonly DetectionLayer[];
}

export function compileLexical(policy: CompiledPolicy): Lexical {
  const { layers } = policy.detection;
  const intents = [...policy.intents.values()];
  const patterns = layers.includes("patterns")
    ? intents.flatMap((intent, index) => intent.patterns.map((source) => intentPattern(index, source)))
    : [];
  const words = new Map<string, Word>();
  if (layers.includes("keywords")) {
    for (const [bare, keyword] of keywordsOf(intents)) words.set(bare, { keyword, patterns: [] });
  }
  const everywhere: number[] = [];
  patterns.forEach(({ literals }, index) => {
    const folded = (literals ?? []).map((literal) => foldWords(literal).bare);
    if (folded.length === 0 || folded.includes("")) everywhere.push(index);
    else for (const bare of folded) addPattern(words, bare, index);
  });
  return {
    names: intents.map((intent) => intent.name),
    layers,
    words: [...words.values()],
    automaton: buildAutomaton([...words.keys()]),
    patterns,
    everywhere,
    isEmpty: words.size === 0 && patterns.length === 0,
  };
}

function addPattern(words: Map<string, Word>, bare: string, pattern: number): void {
  const held = words.get(bare);
  if (held) held.patterns.push(pattern);
  else words.set(bare, { patterns: [pattern] });
}

/** @param message the user's own words, as `userTextOf` gave them. Never throws; lone surrogates may be in it. */
export function findLexical(lexical: Lexical, message: string, work: WorkBudget): LexicalFindings {
  const { blanked, said } = ownWords(message);
  const { intents, discounted, cut } = lexical.isEmpty ? nothing : findIntents(lexical, message, blanked, work);
  const followUp = isFollowUp(message);
  const clauses = partsOf(said);
  const conclusive = isConclusive(lexical, intents, followUp, clauses);
  return { intents, discounted, followUp, conclusive, clauses, missed: cut ? ["patterns"] : [] };
}

const nothing = { intents: [], discounted: [], cut: false };

function findIntents(
  lexical: Lexical,
  message: string,
  blanked: string,
  work: WorkBudget,
): ReturnType<typeof rank> & { readonly cut: boolean } {
  const folded = fold(blanked, excerpt(blanked));
  const { items, cut } = findItems(lexical, folded.text, folded.bare, work);
  if (items.length > 0) {
    const clauses = clausesOf(folded.bare);
    markNegated(items, folded.bare, clauses);
    markOverruled(items, folded.bare, clauses);
  }
  return { ...rank(lexical, items, message, folded), cut };
}

/**
 * Words that were met decide, and a mere "yes" would only be guessed at; but not where the policy asks a slower layer first, or
 * where the message asks for several things and words were met in some of them alone.
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
  const met = intents.flatMap((intent) => intent.evidence.filter((one) => !one.discounted).map((one) => one.text));
  return clauses.every((clause) => met.some((text) => clause.includes(text)));
}
