/**
 * Merges what the words of a message say with the guesses of the slow layers. Words are candidates: the trained layer gives each a
 * confidence, and where it does not answer, the words around the candidate decide whether the user asks for it or only mentions it. Pure.
 */
import { latePattern } from "../lib/once.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import type { DetectedIntent, Detection, DetectionLayer, Evidence } from "./detection.ts";
import type { Wish } from "./wish/judge-wish.ts";
import { wishOf } from "./wish/wish.ts";

interface Candidates {
  readonly intents: readonly DetectedIntent[];
  readonly discounted: readonly DetectedIntent[];
}

/** Source: reference/intent-detection-and-safe-tools.md, 1.5. */
const fallbackConfidence = 0.5;

/**
 * @param guesses of the layers `semantic` and `model`, best first. A guess that names no intent of the policy is dropped, and so
 *   is a similarity below the policy's threshold.
 * @param isTrained the guesses hold the trained layer's confidence in each candidate.
 */
export function mergeLayers(
  policy: CompiledPolicy,
  candidates: Candidates,
  guesses: readonly DetectedIntent[],
  isTrained: boolean,
): Pick<Detection, "intents" | "discounted"> {
  const found = new Map(candidates.intents.map((intent) => [intent.name, intent]));
  const discounted = new Map(candidates.discounted.map((intent) => [intent.name, intent]));
  const judged = new Set<string>();
  for (const guess of guesses) {
    if (!isAcceptable(policy, guess)) continue;
    const known = found.get(guess.name);
    const before = discounted.get(guess.name);
    judged.add(guess.name);
    if (known) found.set(guess.name, joined(policy, known, guess, isTrained));
    // A similarity ignores the "not" in "do not make flashcards"; a model does not.
    else if (guess.layer === "semantic" && before?.evidence.some((one) => one.discounted === "negated")) {
      discounted.set(guess.name, { ...before, evidence: [...before.evidence, ...marked(guess.evidence, "negated")] });
    } else found.set(guess.name, { ...guess, evidence: [...guess.evidence, ...(before?.evidence ?? [])] });
  }
  if (isTrained) {
    for (const intent of candidates.intents) {
      if (judged.has(intent.name)) continue;
      found.delete(intent.name);
      discounted.set(intent.name, { ...intent, evidence: marked(intent.evidence, "mentioned") });
    }
  }
  const intents = [...found.values()];
  // The sort is stable: equal confidences keep the lexical order, which knows specificity.
  intents.sort((one, other) => other.confidence - one.confidence);
  return {
    intents: intents.length > 0 ? intents : fallback(policy),
    discounted: [...discounted.values()].filter(({ name }) => !found.has(name)),
  };
}

/** From this probability on a candidate is asked for, where no trained layer judges it. */
const ASKED_AT = 0.4;
const SENTENCE_ASKED_AT = 0.6;
/** UTF-16 units behind the candidate that are read of its sentence. */
const AFTER = 200;

/** Without the candidates that the message only mentions, by the words around each. @param text the message that they stand in. */
export function withoutMentions({ intents, discounted }: Candidates, text: string): Candidates {
  const counted = intents.flatMap(({ evidence }) => evidence.filter((one) => one.discounted === undefined));
  const lengths = new Map(counted.map((one) => [one.at, one.text.length]));
  const named = [...lengths.values()].reduce((sum, length) => sum + length, 0);
  if (named >= MOST * text.trim().length) return { intents, discounted };
  const refused = openingRefusal().exec(text)?.[0].length ?? 0;
  const judged = intents.map((intent) => {
    const evidence = intent.evidence.map((one): Evidence => {
      if (one.discounted || isAskedFor(text, one)) return one;
      if (refused > 0 && one.at >= refused && isAskedFor(text.slice(refused), { ...one, at: one.at - refused }))
        return one;
      return { ...one, discounted: "mentioned" };
    });
    return { ...intent, evidence };
  });
  const counts = ({ evidence }: DetectedIntent) => evidence.some((one) => one.discounted === undefined);
  return { intents: judged.filter(counts), discounted: [...judged.filter((one) => !counts(one)), ...discounted] };
}

/** It answers the assistant, and refuses nothing of what follows: "no: tell me the weather". */
const openingRefusal = latePattern(
  String.raw`^\s*(?:no|nope|nah|nein|nee|non|n[aã]o|不|不是|不用|不要|いいえ|いや|아니요?)(?:\s*[,:，、：]|\s+[-–—]\s)\s*`,
  "iu",
);

/** Share of the message from which on it is little else than its candidates: "the file", "a note and the file". */
const MOST = 0.35;

/** A question may be one that only the tool answers ("how is the weather?"). */
const askedShare = ({ request, question }: Wish): number => request + question;

/** By the words around it, or by the sentence that it stands in: a pattern takes most words into itself. */
function isAskedFor(text: string, { at, text: { length } }: Evidence): boolean {
  if (askedShare(wishOf(text, { start: at, end: at + length })) >= ASKED_AT) return true;
  const start = Math.max(
    0,
    ...[".", "!", "?", "\n", "。", "！", "？"].map((mark) => text.lastIndexOf(mark, at - 1) + 1),
  );
  return askedShare(wishOf(text.slice(start, at + length + AFTER))) >= SENTENCE_ASKED_AT;
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
