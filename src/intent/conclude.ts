/**
 * Joins what the words of a message say with what the slower layers made of it. Where they disagree the more specific evidence
 * decides: words that were met beat a likeness of the whole sentence. Pure.
 */
import type { CompiledPolicy } from "../policy/compile.ts";
import type { DetectedIntent, Detection, DetectionLayer, Evidence } from "./detection.ts";
import type { LexicalFindings } from "./lexical/lexical.ts";

/** Of the layer that found nothing. Source: reference/intent-detection-and-safe-tools.md, 1.5. */
const fallbackConfidence = 0.5;

/**
 * @param guesses of the layers `semantic` and `model`, best first; nothing where none was asked, or none could answer.
 *   An intent that the policy does not have is dropped, and so is a likeness under the policy's threshold.
 */
export function conclude(
  policy: CompiledPolicy,
  findings: LexicalFindings,
  guesses: readonly DetectedIntent[] | undefined,
): Pick<Detection, "intents" | "discounted"> {
  const found = new Map(findings.intents.map((intent) => [intent.name, intent]));
  const dropped = new Map(findings.discounted.map((intent) => [intent.name, intent]));
  for (const guess of guesses ?? []) {
    if (!isAcceptable(policy, guess)) continue;
    const held = found.get(guess.name);
    if (held) found.set(guess.name, join(policy, held, guess));
    else take(guess, findings, found, dropped);
  }
  const intents = [...found.values()];
  const discounted = [...dropped.values()].filter(({ name }) => !found.has(name));
  // The lexical order, which knows specificity, stands among equals.
  intents.sort((one, other) => other.confidence - one.confidence);
  return { intents: intents.length > 0 ? intents : fallback(policy), discounted };
}

function isAcceptable(policy: CompiledPolicy, { name, confidence, layer }: DetectedIntent): boolean {
  const layers: readonly DetectionLayer[] = policy.detection.layers;
  if (!policy.intents.has(name) || !layers.includes(layer)) return false;
  return confidence >= (layer === "semantic" ? policy.detection.semanticThreshold : fallbackConfidence);
}

function take(
  guess: DetectedIntent,
  findings: LexicalFindings,
  found: Map<string, DetectedIntent>,
  dropped: Map<string, DetectedIntent>,
): void {
  const before = dropped.get(guess.name);
  const negated = before?.evidence.some(({ discounted }) => discounted === "negated");
  // A likeness does not hear the "not" in "do not make flashcards"; a model does.
  const reason =
    negated && guess.layer === "semantic" ? "negated" : isOverruled(guess, findings) ? "overruled" : undefined;
  const evidence = [...guess.evidence, ...(before?.evidence ?? [])];
  if (reason === undefined) {
    found.set(guess.name, { ...guess, evidence });
    return;
  }
  const marked = guess.evidence.map((one): Evidence => ({ ...one, discounted: one.discounted ?? reason }));
  dropped.set(
    guess.name,
    before ? { ...before, evidence: [...before.evidence, ...marked] } : { ...guess, evidence: marked },
  );
}

/** Words were met where the guess was made: in its part of an enumeration, or anywhere if it is about the whole message. */
function isOverruled(guess: DetectedIntent, findings: LexicalFindings): boolean {
  const met = findings.intents.flatMap(({ evidence }) => evidence.filter(({ discounted }) => discounted === undefined));
  if (met.length === 0) return false;
  return guess.evidence.every(
    ({ text, at }) => text === "" || met.some((one) => one.at >= at && one.at < at + text.length),
  );
}

/** The layer that the policy asks first tells how confident to be. */
function join(policy: CompiledPolicy, held: DetectedIntent, guess: DetectedIntent): DetectedIntent {
  const layers: readonly DetectionLayer[] = policy.detection.layers;
  const place = (layer: DetectionLayer) => layers.indexOf(layer);
  const first = place(guess.layer) < place(held.layer) ? guess : held;
  const second = first === held ? guess : held;
  return { ...first, evidence: [...first.evidence, ...second.evidence] };
}

function fallback(policy: CompiledPolicy): readonly DetectedIntent[] {
  const { fallback: name } = policy.detection;
  if (name === undefined) return [];
  return [
    {
      name,
      confidence: fallbackConfidence,
      layer: "fallback",
      evidence: [{ layer: "fallback", source: name, text: "", at: 0 }],
    },
  ];
}
