/**
 * Merges what the words of a message say with the guesses of the slow layers. Where they disagree the more specific evidence
 * decides: words that occur in the message beat a similarity of the whole sentence. Pure.
 */
import type { CompiledPolicy } from "../policy/compile.ts";
import type { DetectedIntent, Detection, DetectionLayer, Evidence } from "./detection.ts";
import type { LexicalFindings } from "./lexical/lexical.ts";

/** Source: reference/intent-detection-and-safe-tools.md, 1.5. */
const fallbackConfidence = 0.5;

/**
 * @param guesses of the layers `semantic` and `model`, best first. A guess that names no intent of the policy is dropped, and so
 *   is a similarity below the policy's threshold.
 */
export function mergeLayers(
  policy: CompiledPolicy,
  findings: LexicalFindings,
  guesses: readonly DetectedIntent[],
): Pick<Detection, "intents" | "discounted"> {
  const found = new Map(findings.intents.map((intent) => [intent.name, intent]));
  const discounted = new Map(findings.discounted.map((intent) => [intent.name, intent]));
  for (const guess of guesses) {
    if (!isAcceptable(policy, guess)) continue;
    const known = found.get(guess.name);
    const before = discounted.get(guess.name);
    const reason = whyDiscounted(guess, before, findings);
    if (known) found.set(guess.name, joined(policy, known, guess));
    else if (reason === undefined) {
      found.set(guess.name, { ...guess, evidence: [...guess.evidence, ...(before?.evidence ?? [])] });
    } else {
      const marked = guess.evidence.map((one): Evidence => ({ ...one, discounted: one.discounted ?? reason }));
      discounted.set(guess.name, { ...(before ?? guess), evidence: [...(before?.evidence ?? []), ...marked] });
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

function isAcceptable({ intents, detection }: CompiledPolicy, { name, confidence, layer }: DetectedIntent): boolean {
  const layers: readonly DetectionLayer[] = detection.layers;
  if (!intents.has(name) || !layers.includes(layer)) return false;
  return confidence >= (layer === "semantic" ? detection.semanticThreshold : fallbackConfidence);
}

function whyDiscounted(
  guess: DetectedIntent,
  before: DetectedIntent | undefined,
  findings: LexicalFindings,
): Evidence["discounted"] {
  // A similarity ignores the "not" in "do not make flashcards"; a model does not.
  const isNegated = before?.evidence.some(({ discounted }) => discounted === "negated");
  if (isNegated && guess.layer === "semantic") return "negated";
  return isOverruled(guess, findings) ? "overruled" : undefined;
}

/** Words occur where the guess was made: in its part of an enumeration, or anywhere if it is about the whole message. */
function isOverruled(guess: DetectedIntent, findings: LexicalFindings): boolean {
  const words = findings.intents.flatMap(({ evidence }) =>
    evidence.filter(({ discounted }) => discounted === undefined),
  );
  if (words.length === 0) return false;
  return guess.evidence.every(
    ({ text, at }) => text === "" || words.some((one) => one.at >= at && one.at < at + text.length),
  );
}

/** The layer that the policy lists first sets the confidence. */
function joined({ detection }: CompiledPolicy, known: DetectedIntent, guess: DetectedIntent): DetectedIntent {
  const layers: readonly DetectionLayer[] = detection.layers;
  const isFirst = layers.indexOf(guess.layer) < layers.indexOf(known.layer);
  const [first, second] = isFirst ? [guess, known] : [known, guess];
  return { ...first, evidence: [...first.evidence, ...second.evidence] };
}

function fallback({ detection: { fallback: name } }: CompiledPolicy): readonly DetectedIntent[] {
  if (name === undefined) return [];
  const layer = "fallback";
  return [{ name, confidence: fallbackConfidence, layer, evidence: [{ layer, source: name, text: "", at: 0 }] }];
}
