/**
 * Merges the intents that the words of a message name with the guesses of the slow layers. Words give candidates: the trained layer gives
 * each a confidence. Without it, the words around a candidate decide whether the user asks for it or only mentions it. Pure.
 */
import { lazyRegExp, once } from "../lib/once.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import type { DetectedIntent, Detection, DetectionLayer, Evidence } from "./detection.ts";
import type { JudgedSentences, Wish } from "./wish/judge-wish.ts";
import { namedInQuotation } from "./wish/named-in-quotation.ts";
import {
  ASKED_AT,
  BESIDE_QUOTED_AT,
  BESIDE_QUOTED_LINES_AT,
  FURTHER_AT,
  SENTENCE_ASKED_AT,
  SURE_AT,
  TELLS_AT,
  UNSURE_BELOW,
  WISHES_AT,
} from "./wish/thresholds.ts";
import { wishOf } from "./wish/wish.ts";

interface Candidates {
  readonly intents: readonly DetectedIntent[];
  /** The requests of a message that lists several; a quotation divides it as well. */
  readonly clauses?: readonly string[];
  readonly holdsQuotedWords?: boolean;
  readonly discounted: readonly DetectedIntent[];
}

/** Source: reference/intent-detection-and-safe-tools.md, 1.5. */
const fallbackConfidence = 0.5;

/**
 * @param guesses of the layers `semantic` and `model`, best first. A guess that names no intent of the policy is dropped, and so
 *   is a similarity below the policy's threshold.
 * @param isTrained the guesses hold the trained layer's confidence in each candidate.
 * @param isDoubtful whether an intent that was found is only mentioned after all.
 * @param isFirm whether the trained layer takes nothing away from an intent that the words name (`detection.firmPatterns`).
 */
export function mergeLayers(
  policy: CompiledPolicy,
  candidates: Candidates,
  guesses: readonly DetectedIntent[],
  isTrained: boolean,
  isDoubtful: (intent: DetectedIntent) => boolean = () => false,
  isFirm: (name: string) => boolean = () => false,
): Pick<Detection, "intents" | "discounted"> {
  const found = new Map(candidates.intents.map((intent) => [intent.name, intent]));
  const discounted = new Map(candidates.discounted.map((intent) => [intent.name, intent]));
  const judged = new Set<string>();
  for (const guess of guesses) {
    if (!isAcceptable(policy, guess)) continue;
    const known = found.get(guess.name);
    const before = discounted.get(guess.name);
    judged.add(guess.name);
    if (known) {
      const both = joined(policy, known, guess, isTrained);
      const confidence = isFirm(guess.name) ? Math.max(both.confidence, known.confidence) : both.confidence;
      found.set(guess.name, { ...both, confidence });
    }
    // A similarity ignores the "not" in "do not make flashcards"; a model does not.
    else if (guess.layer === "semantic" && before?.evidence.some((one) => one.discounted === "negated")) {
      discounted.set(guess.name, { ...before, evidence: [...before.evidence, ...marked(guess.evidence, "negated")] });
    } else found.set(guess.name, { ...guess, evidence: [...guess.evidence, ...(before?.evidence ?? [])] });
  }
  if (isTrained) {
    for (const intent of candidates.intents) {
      if (judged.has(intent.name) || isFirm(intent.name)) continue;
      found.delete(intent.name);
      discounted.set(intent.name, { ...intent, evidence: marked(intent.evidence, "mentioned") });
    }
  }
  for (const [name, intent] of found) {
    if (!isDoubtful(intent)) continue;
    found.delete(name);
    discounted.set(name, { ...intent, evidence: marked(intent.evidence, "mentioned") });
  }
  const isList = (candidates.clauses?.length ?? 0) > 1 && !candidates.holdsQuotedWords;
  const intents = isTrained && !isList ? withoutEchoes([...found.values()], candidates) : [...found.values()];
  // The sort is stable: equal confidences keep the lexical order, which knows specificity.
  intents.sort((one, other) => other.confidence - one.confidence);
  return {
    intents: intents.length > 0 ? intents : fallback(policy),
    discounted: [...discounted.values()].filter(({ name }) => !found.has(name)),
  };
}

/**
 * Whether an intent of the trained layer is only mentioned: the message is a statement with the words of a request ("I get 200 emails a day"),
 * or the rest of a message without its quotation. Costs nothing if nothing is found.
 */
export function doubtsAbout(
  text: string,
  {
    intents: named,
    holdsQuotedWords,
    holdsQuotedLines,
  }: Candidates & { readonly holdsQuotedWords: boolean; readonly holdsQuotedLines: boolean },
  judged?: JudgedSentences,
): (intent: DetectedIntent) => boolean {
  let wish: Wish | undefined;
  const isQuoted = once(() => namedInQuotation(text, judged));
  return ({ name, layer, confidence, evidence }) => {
    if (layer === "model" || confidence < UNSURE_BELOW) return false;
    if (isQuoted()(evidence)) return true;
    const isNamed = named.some((one) => one.name === name);
    const isEcho = confidence < (holdsQuotedLines ? BESIDE_QUOTED_LINES_AT : BESIDE_QUOTED_AT);
    if (holdsQuotedWords && isEcho && !isNamed) return true;
    wish ??= wishOf(text, undefined, judged);
    if (confidence >= SURE_AT && holdsQuotedWords && !isNamed) return wish.request < WISHES_AT;
    if (confidence >= SURE_AT) return wish.statement >= TELLS_AT && evidence.every((one) => one.layer !== "patterns");
    // A question may be the very thing that the policy's words name: "when should I use …?".
    return wish.request + (isNamed ? wish.question : 0) < WISHES_AT;
  };
}

/** An intent heard by meaning alone beside a surer one is mostly the same wish, heard in half a sentence: it counts half. */
function withoutEchoes(intents: readonly DetectedIntent[], { intents: named }: Candidates): DetectedIntent[] {
  const best = Math.max(0, ...intents.map(({ confidence }) => confidence));
  const isEcho = ({ name, layer, confidence }: DetectedIntent) =>
    layer === "semantic" && confidence < Math.min(best, FURTHER_AT) && named.every((one) => one.name !== name);
  return intents.map((intent) => (isEcho(intent) ? { ...intent, confidence: intent.confidence / 2 } : intent));
}

/** UTF-16 units behind the candidate that are read of its sentence. */
const AFTER = 200;

/**
 * Without the candidates that the message only mentions, by the words around each.
 * @param message that the candidates are in.
 * @param welcomesQuestions whether a question may be what the intent is for: "how is the weather?".
 */
export function withoutMentions(
  { intents, discounted }: Candidates,
  message: string,
  welcomesQuestions: (name: string) => boolean = () => true,
): Candidates {
  const text = withoutQuotedValues(message);
  const counted = intents.flatMap(({ evidence }) => evidence.filter((one) => one.discounted === undefined));
  const lengths = new Map(counted.map((one) => [one.at, one.text.length]));
  const named = [...lengths.values()].reduce((sum, length) => sum + length, 0);
  if (named >= MOST * text.trim().length) return { intents, discounted };
  const refused = openingRefusal().exec(text)?.[0].length ?? 0;
  const judged = intents.map((intent) => {
    const share = welcomesQuestions(intent.name) ? requestOrQuestion : request;
    const evidence = intent.evidence.map((one): Evidence => {
      if (one.discounted || isAskedFor(text, one, share)) return one;
      if (refused > 0 && one.at >= refused && isAskedFor(text.slice(refused), { ...one, at: one.at - refused }, share))
        return one;
      return { ...one, discounted: "mentioned" };
    });
    return { ...intent, evidence };
  });
  const counts = ({ evidence }: DetectedIntent) => evidence.some((one) => one.discounted === undefined);
  return { intents: judged.filter(counts), discounted: [...judged.filter((one) => !counts(one)), ...discounted] };
}

/** It answers the assistant, and refuses nothing of what follows: "no: tell me the weather". */
const openingRefusal = lazyRegExp(
  String.raw`^\s*(?:no|nope|nah|nein|nee|non|n[aã]o|不|不是|不用|不要|いいえ|いや|아니요?)(?:\s*[,:，、：]|\s+[-–—]\s)\s*`,
  "iu",
);

/** Share of the message from which on it is little else than its candidates: "the file", "a note and the file". */
const MOST = 0.35;

const request = (wish: Wish): number => wish.request;
const requestOrQuestion = (wish: Wish): number => wish.request + wish.question;

/** Quotation marks around one value quote no third party: "set the password to 'x7-q2'", "pay 'bill-2023.txt'". */
const quotedWord = lazyRegExp(String.raw`(?<![\p{L}\p{N}])["'“‘][^\s"'“”‘’]{1,80}["'”’](?![\p{L}\p{N}])`, "gu");

/** With blanks for the marks, so that places stay true. */
const withoutQuotedValues = (text: string): string =>
  text.replace(quotedWord(), (word) => (/[\p{N}_@]/u.test(word) ? ` ${word.slice(1, -1)} ` : word));

/** By the words around it, or by its sentence: a pattern takes most words into itself. */
function isAskedFor(text: string, { at, text: { length } }: Evidence, share: (wish: Wish) => number): boolean {
  if (share(wishOf(text, { start: at, end: at + length })) >= ASKED_AT) return true;
  const start = Math.max(
    0,
    ...[".", "!", "?", "\n", "。", "！", "？"].map((mark) => text.lastIndexOf(mark, at - 1) + 1),
  );
  return share(wishOf(text.slice(start, at + length + AFTER))) >= SENTENCE_ASKED_AT;
}

const marked = (evidence: readonly Evidence[], discounted: NonNullable<Evidence["discounted"]>): readonly Evidence[] =>
  evidence.map((one) => ({ ...one, discounted: one.discounted ?? discounted }));

function isAcceptable({ intents, detection }: CompiledPolicy, { name, confidence, layer }: DetectedIntent): boolean {
  const layers: readonly DetectionLayer[] = detection.layers;
  if (!intents.has(name) || !layers.includes(layer)) return false;
  return confidence >= (layer === "semantic" ? detection.semanticThreshold : fallbackConfidence);
}

/** A model's verdict sets the confidence, else the trained layer; without them, the layer that the policy lists first. A guess that a verdict confirms is the model's. */
function joined(
  { detection }: CompiledPolicy,
  known: DetectedIntent,
  guess: DetectedIntent,
  isTrained: boolean,
): DetectedIntent {
  const layers: readonly DetectionLayer[] = detection.layers;
  const isFirst = layers.indexOf(guess.layer) < layers.indexOf(known.layer);
  const [first, second] = isFirst ? [guess, known] : [known, guess];
  const decides = isTrained && (guess.layer === "semantic" || guess.layer === "model");
  return {
    ...(known.layer === "semantic" && guess.layer === "model" ? guess : first),
    confidence: decides ? guess.confidence : first.confidence,
    evidence: [...first.evidence, ...second.evidence],
  };
}

function fallback({ detection: { fallback: name } }: CompiledPolicy): readonly DetectedIntent[] {
  if (name === undefined) return [];
  const layer = "fallback";
  return [{ name, confidence: fallbackConfidence, layer, evidence: [{ layer, source: name, text: "", at: 0 }] }];
}
