/**
 * The layers `keywords` and `patterns`: the intents that the user's own words name, in time linear in the message. Pure.
 *
 * 1. the part of the message that is read (`own-words`, `requests-in`), folded (`fold`)
 * 2. keywords and patterns (`find-matches`)
 * 3. negation (`negation`), and parts of something more specific (`specificity`)
 * 4. intents, best first
 */
import { lazyRegExp } from "../../lib/once.ts";
import { replaceSpans } from "../../lib/text/span.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { DetectedIntent, DetectionLayer, Evidence } from "../detection.ts";
import { dots, holdsQuotedLines, ownWords, unwrapped } from "../user-message/own-words.ts";
import { clauseAt, clausesOf } from "./clauses.ts";
import { findMatches, type Lexicon, type Match, type Word } from "./find-matches.ts";
import { type FoldedText, fold, foldWords } from "./fold.ts";
import { isFollowUp } from "./follow-up.ts";
import { keywordsOf } from "./keywords.ts";
import { markNegated, negatedParts, type Reaches, reachesOf } from "./negation.ts";
import { intentPattern } from "./patterns.ts";
import { excerpt, requestsIn, sentencesIn } from "./requests-in.ts";
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
  /** Words decide: no layer that costs a request needs to run. */
  readonly conclusive: boolean;
  /** The requests of a message that makes several, else the message; cut to the length that a sentence model reads. */
  readonly clauses: readonly string[];
  /** The sentences of clauses that have several. */
  readonly sentences: readonly string[];
  /** The message holds words that are not the user's: a quotation, pasted text. */
  readonly holdsQuotedWords: boolean;
  /** Some of these are lines of their own: a mail, a verse. */
  readonly holdsQuotedLines: boolean;
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

/** @param message the user's own words, as `extractedText` gave them. Never throws; lone surrogates may be in it. */
export function findLexical(lexical: Lexical, message: string, work: WorkBudget): LexicalFindings {
  const own = ownWords(message);
  const { folded, parts, reaches } = readNegations(own);
  const { matches, cut } = findMatches(lexical, folded, work);
  if (matches.length > 0) {
    markNegated(matches, reaches, parts);
    markOverruled(matches, folded.folded, parts);
  }
  const { intents, discounted } = rank(lexical, matches, message, folded);
  const followUp = isFollowUp(message);
  const clauses = requestsIn(unwrapped(withoutNegated(own, folded, reaches)));
  const conclusive = isConclusive(lexical, intents, followUp, clauses);
  return {
    intents,
    discounted,
    conclusive,
    clauses,
    sentences: sentencesIn(clauses),
    holdsQuotedWords: own !== message,
    holdsQuotedLines: own !== message && holdsQuotedLines(message, own),
    missed: cut ? ["patterns"] : [],
  };
}

/** The text folded, its clauses, and how far each negation in it reaches. */
function readNegations(own: string) {
  const folded = fold(own, excerpt(own));
  const parts = clausesOf(folded.folded);
  return { folded, parts, reaches: reachesOf(folded.folded, parts) };
}

/** The clauses of a message without those that say what not to do; undefined if there is no such part. */
export function lexicalRest(message: string): readonly string[] | undefined {
  const own = ownWords(message);
  const { folded, reaches } = readNegations(own);
  return negatedParts(reaches).length > 0 ? requestsIn(unwrapped(withoutNegated(own, folded, reaches))) : undefined;
}

/** A verb in front of its own refusal: "leg keinen Termin an", "create no lead", "ne crée pas de piste". */
const refusedVerb = lazyRegExp(
  String.raw`(?<!\p{L})n(?:e |')\p{L}+ (?:surtout )?(?:pas|plus|jamais) ?$|(?<!\p{L})\p{L}+(?: (?:mir|uns|ihm|ihr|bitte|jetzt|da|me|us|him|her|them))? (?:kein\p{L}*|nichts|nix|no|nothing|ning\p{L}*|nada|rien|aucun\p{L}*) ?$`,
  "u",
);

/** UTF-16 units of a verb with the words between it and its refusal. */
const MAX_VERB = 60;

/** Divides a message into wanted and refused text, both folded. */
export function splitByRefusal(message: string): { readonly wanted: string; readonly refused: string } {
  const own = unwrapped(ownWords(message));
  const {
    folded: { folded },
    parts: clauses,
    reaches,
  } = readNegations(own);
  const refused: string[] = [];
  let wanted = "";
  let at = 0;
  for (const part of [...negatedParts(reaches)].sort((one, other) => one.start - other.start)) {
    const clause = clauseAt(clauses, Math.max(0, part.start - 1));
    const before = folded.slice(Math.max(clause.start, part.start - MAX_VERB), part.start);
    const verb = refusedVerb().exec(before)?.[0].length ?? 0;
    const start = Math.max(at, part.start - verb);
    if (part.end <= start) continue;
    refused.push(folded.slice(start, part.end));
    wanted += `${folded.slice(at, start)} … `;
    at = part.end;
  }
  return { wanted: wanted + folded.slice(at), refused: refused.join("\n") };
}

/** With blanks for negated text: the trained layer would hear "Quita las manos del repo" as a wish. */
function withoutNegated(own: string, folded: FoldedText, reaches: Reaches): string {
  const parts = negatedParts(reaches).map(({ start, end }) => ({
    start: folded.startOf(start),
    end: folded.endOf(end),
  }));
  return replaceSpans(own, parts, dots);
}

/**
 * Words that match decide, and a mere "yes" could only be guessed at; but not if the policy lists a slow layer first, or if
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

/** Source: reference/intent-detection-and-safe-tools.md, 1.5. */
const lexicalConfidence = { keywords: 1, patterns: 0.9 } as const;

/** Evidence of one intent; counted evidence comes first. */
const maxEvidence = 8;

/** From weighed evidence to intents: best first by confidence, then by specificity, then by place. */
function rank(
  { names, layers }: Lexical,
  matches: readonly Match[],
  message: string,
  folded: FoldedText,
): { readonly intents: readonly DetectedIntent[]; readonly discounted: readonly DetectedIntent[] } {
  const ranked = [...Map.groupBy(matches, (match) => match.intent)].map(([number, all]) => {
    const counted = all.filter((match) => !match.discounted);
    const deciding = counted.length > 0 ? counted : all;
    const has = (layer: Match["layer"]) => deciding.some((match) => match.layer === layer);
    const layer = layers.find((one): one is Match["layer"] => (one === "keywords" || one === "patterns") && has(one));
    const decidedBy = layer ?? "keywords";
    const intent: DetectedIntent = {
      name: names[number] ?? "",
      confidence: lexicalConfidence[decidedBy],
      layer: decidedBy,
      evidence: evidenceOf(decidedBy, all, message, folded),
    };
    return {
      intent,
      counts: counted.length > 0,
      weight: deciding.reduce((most, match) => Math.max(most, match.weight), 0),
      start: deciding.reduce((first, match) => Math.min(first, match.start), Number.POSITIVE_INFINITY),
      number,
    };
  });
  ranked.sort(
    (one, other) =>
      other.intent.confidence - one.intent.confidence ||
      other.weight - one.weight ||
      one.start - other.start ||
      one.number - other.number,
  );
  return {
    intents: ranked.filter(({ counts }) => counts).map(({ intent }) => intent),
    discounted: ranked.filter(({ counts }) => !counts).map(({ intent }) => intent),
  };
}

/** Deciding evidence first: counted before discounted, the layer that decided, then the most specific. */
function evidenceOf(layer: Match["layer"], all: readonly Match[], message: string, folded: FoldedText): Evidence[] {
  const order = (match: Match) => (match.discounted ? 2 : 0) + (match.layer === layer ? 0 : 1);
  return [...all]
    .sort((one, other) => order(one) - order(other) || other.weight - one.weight || one.start - other.start)
    .slice(0, maxEvidence)
    .map(({ layer: of, source, start, end, discounted }) => {
      const at = folded.startOf(start);
      const text = message.slice(at, folded.endOf(end));
      return { layer: of, source, text, at, ...(discounted && { discounted }) };
    });
}
