/** Which of a policy's intents a message is about, by its meaning. Pure; never throws on any text. */
import { ok, type Result } from "../../lib/result.ts";
import type { DetectedIntent, Evidence } from "../detection.ts";
import type { LayerAnswer, LayerRequest } from "../slow-layer.ts";
import type { JudgedSentences } from "../wish/judge-wish.ts";
import { confidenceOf } from "./calibration.ts";
import { createEncoder, type EncodedText } from "./encoder.ts";
import { type Candidate, candidateSignals, guesses, wishSignals } from "./signals.ts";
import { readModel, type TrainedModel } from "./trained-model.ts";
import type { WordVectors } from "./vectors.ts";

export interface SemanticModel {
  /** At most about 2 % of the guesses with at least this confidence are wrong, by the trials of training. */
  readonly selectAt: number;
  /**
   * Best first; confidence is the probability that the user asks for the intent. Empty: none of these.
   * @param candidates intents that words of the message name: they are judged however many others are better.
   * @param judged of the same message, whose parts are classified one after the other.
   */
  classify(
    text: string,
    candidates?: ReadonlyMap<string, Candidate>,
    judged?: JudgedSentences,
  ): readonly DetectedIntent[];
}

const maxGuesses = 3;
const minConfidence = 0.001;

export function readSemantic(bytes: Uint8Array, vectors: WordVectors): Result<SemanticModel, string> {
  const read = readModel(bytes, vectors.fingerprint);
  return read.ok ? ok(modelOf(read.value, vectors)) : read;
}

function modelOf(model: TrainedModel, vectors: WordVectors): SemanticModel {
  const encode = createEncoder(model.vocabulary, vectors);
  return {
    selectAt: model.selectAt,
    classify(text, candidates, judged) {
      const encoded = encode(text);
      if (encoded.pieces.length === 0 && encoded.known === 0) return [];
      const wish = wishSignals(text, judged);
      const found: JudgedIntent[] = [];
      let unseen = candidates?.size ?? 0;
      for (const { intent, signals, nearest } of guesses(model, encoded)) {
        const name = model.names[intent] ?? "";
        const candidate = candidates?.get(name);
        if (candidate) unseen -= 1;
        if (found.length < maxGuesses || candidate) {
          const confidence = confidenceOf(model.calibration, signals.concat(wish, candidateSignals(candidate)));
          found.push({
            name,
            nearest,
            confidence,
            isNamed: candidate?.by === "keyword" || candidate?.by === "pattern",
          });
        }
        if (found.length >= maxGuesses && unseen <= 0) break;
      }
      return shareOut(found, correctionsOf(encoded));
    },
  };
}

const correctionsOf = ({ corrections }: EncodedText): Pick<Evidence, "corrections"> =>
  corrections.length === 0 ? {} : { corrections: corrections.map(({ from, to }) => ({ from, to })) };

interface JudgedIntent {
  readonly name: string;
  readonly nearest: string;
  readonly confidence: number;
  /** Words of the text name the intent. */
  readonly isNamed: boolean;
}

/** Words may name several intents. Of the others only one is meant: what one has of the probability, the rest do not. */
function shareOut(judged: readonly JudgedIntent[], read: Pick<Evidence, "corrections">): readonly DetectedIntent[] {
  let left = 1 - Math.max(0, ...judged.filter(({ isNamed }) => isNamed).map(({ confidence }) => confidence));
  const found = judged.map(({ name, nearest, confidence, isNamed }): DetectedIntent => {
    const share = isNamed ? confidence : Math.min(confidence, left);
    if (!isNamed) left = Math.min(share, left - share);
    const evidence = [{ layer: "semantic", source: nearest, text: "", at: 0, ...read }] as const;
    return { name, confidence: share, layer: "semantic", evidence };
  });
  return found
    .filter(({ confidence }) => confidence >= minConfidence)
    .sort((one, other) => other.confidence - one.confidence);
}

/** What the model says of a message: of each of its clauses and sentences, with the candidates whose words stand there. */
export function answerOf(model: SemanticModel, request: Omit<LayerRequest, "policy" | "signal">): LayerAnswer {
  const { clauses, sentences, intents, discounted, judged = new Map() } = request;
  const parts = [...clauses, ...sentences].map((text) => {
    const candidates = new Map<string, Candidate>();
    for (const { name, evidence } of discounted)
      if (here(text, evidence).length > 0) candidates.set(name, { by: "discounted", isWhole: false });
    for (const { name, evidence } of intents) {
      const counted = here(
        text,
        evidence.filter((one) => one.discounted === undefined),
      );
      if (counted.length === 0) continue;
      const by = counted.some((one) => one.layer === "patterns") ? "pattern" : "keyword";
      candidates.set(name, { by, isWhole: counted.some((one) => one.text.trim().length >= WHOLE * text.length) });
    }
    return model.classify(text, candidates, judged);
  });
  return { guesses: joinGuesses(parts), selectAt: model.selectAt };
}

/** Share of a text from which on a candidate is all of it but a "please". */
const WHOLE = 0.7;

const here = (text: string, evidence: readonly Evidence[]): readonly Evidence[] =>
  evidence.filter((one) => text.includes(one.text));

/** Each intent once, with the confidence of its best part; best first. */
export function joinGuesses(parts: readonly (readonly DetectedIntent[])[]): readonly DetectedIntent[] {
  if (parts.length === 1) return parts[0] ?? [];
  const best = new Map<string, DetectedIntent>();
  for (const guess of parts.flat()) {
    if (guess.confidence > (best.get(guess.name)?.confidence ?? -1)) best.set(guess.name, guess);
  }
  return [...best.values()].sort((a, b) => b.confidence - a.confidence);
}
