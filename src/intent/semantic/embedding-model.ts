/**
 * The layer `semantic` over a provider's sentence vectors: the nearest of the policy's own texts, with a calibrated confidence that
 * means about the same whatever model made the vectors. Pure.
 */
import { err, ok, type Result } from "../../lib/result.ts";
import type { DetectedIntent } from "../detection.ts";
import type { TrainingIntent } from "../training-set.ts";
import { calibrate, confidenceOf, type Trial } from "./calibration.ts";
import { packModel, roundRows, unpackModel } from "./model-file.ts";

/** Changes whenever what was stored by an earlier version cannot be read any more. */
export const EMBEDDING_FORMAT = "embeddings-2";

export interface EmbeddingModel {
  readonly dimensions: number;
  /** Best first; empty for a vector of other dimensions. */
  classify(vector: ArrayLike<number>): readonly DetectedIntent[];
}

interface IntentText {
  readonly intent: string;
  readonly text: string;
}

interface ModelHead {
  readonly dimensions: number;
  readonly texts: readonly IntentText[];
  /** Weights of 1, the best cosine, and its lead over the next intent. */
  readonly calibration: readonly number[];
}

const maxGuesses = 3;

/** What must be embedded, in the order in which `trainEmbeddings` wants the vectors. */
export const textsOf = (intents: readonly TrainingIntent[]): readonly IntentText[] =>
  intents.flatMap(({ name, description, keywords, examples }) =>
    [...new Set([...examples, ...keywords, description])]
      .filter((text) => text.trim() !== "")
      .map((text) => ({ intent: name, text })),
  );

/** @param vectors of `textsOf(intents)`, one each; an error if any is missing, or they are not vectors of one length. */
export function trainEmbeddings(
  intents: readonly TrainingIntent[],
  vectors: readonly ArrayLike<number>[],
): Result<Uint8Array, string> {
  const texts = textsOf(intents);
  if (vectors.length !== texts.length) return err(`${vectors.length} vectors for ${texts.length} texts`);
  const units = vectors.map(unit).filter((vector) => vector !== undefined);
  const dimensions = units[0]?.length ?? 0;
  if (units.length !== vectors.length || units.some(({ length }) => length !== dimensions))
    return err("a vector is empty or of another length");
  const { bytes, scales } = roundRows(units);
  const rows = { dimensions, bytes, scales };
  const head: ModelHead = { dimensions, texts, calibration: calibrateRows(rows, texts, units) };
  return ok(packModel(head, [bytes, scales]));
}

export function readEmbeddings(stored: Uint8Array): Result<EmbeddingModel, string> {
  try {
    const packed = unpackModel(stored);
    const { dimensions, texts, calibration } = packed.head as ModelHead;
    const bytes = packed.take(Int8Array, texts.length * dimensions);
    const scales = packed.take(Float32Array, texts.length);
    if (!packed.isAtEnd()) return err("its length is not what its head says");
    return ok(modelOf({ dimensions, texts, calibration }, { dimensions, bytes, scales }));
  } catch {
    return err("it is no model of this format");
  }
}

function modelOf({ texts, calibration, dimensions }: ModelHead, rows: Rows): EmbeddingModel {
  return {
    dimensions,
    classify(vector) {
      const query = unit(vector);
      if (query === undefined || query.length !== dimensions) return [];
      const neighbours = nearestTexts(rows, texts, query).slice(0, maxGuesses + 1);
      return neighbours.slice(0, maxGuesses).map(({ text, cosine }, place) => {
        const next = neighbours[place === 0 ? 1 : 0]?.cosine ?? cosine;
        const confidence = confidenceOf(calibration, [1, cosine, cosine - next]);
        const evidence = [{ layer: "semantic" as const, source: text.text, text: "", at: 0 }];
        return { name: text.intent, confidence, layer: "semantic" as const, evidence };
      });
    },
  };
}

/** Length 1. Undefined for a vector that has no direction, or holds what is no number. */
export function unit(vector: ArrayLike<number>): Float32Array | undefined {
  const length = Math.hypot(...Array.from(vector));
  return length > 0 && Number.isFinite(length) ? Float32Array.from(vector, (value) => value / length) : undefined;
}

/** Unit vectors, one for each text, in a byte a component. */
interface Rows {
  readonly dimensions: number;
  readonly bytes: Int8Array;
  readonly scales: Float32Array;
}

interface Neighbour {
  readonly text: IntentText;
  readonly cosine: number;
}

/** The nearest text of each intent, the nearest intent first. @param without a row that does not count. */
function nearestTexts(
  rows: Rows,
  texts: readonly IntentText[],
  query: Float32Array,
  without = -1,
): readonly Neighbour[] {
  const best = new Map<string, Neighbour>();
  texts.forEach((text, row) => {
    const cosine = cosineOf(rows, row, query);
    const known = best.get(text.intent)?.cosine ?? Number.NEGATIVE_INFINITY;
    if (row !== without && cosine > known) best.set(text.intent, { text, cosine });
  });
  return [...best.values()].sort((a, b) => b.cosine - a.cosine);
}

function cosineOf({ dimensions, bytes, scales }: Rows, row: number, vector: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < dimensions; i++) sum += (bytes[row * dimensions + i] as number) * (vector[i] as number);
  return sum * (scales[row] as number);
}

/** Texts that are tried for the calibration; more make it slower, not truer. */
const maxTried = 300;
/** Of each kind. With fewer trials the curve would be chance. */
const minTrials = 4;
/** How firmly the weights of standardised signals are held near 0. */
const decay = 0.01;

/**
 * Each text is left out and judged by the others: is the nearest one of its own intent? Then its whole intent is left out: what is
 * nearest now is certainly wrong, as it is for a message that means none of the intents.
 */
function calibrateRows(rows: Rows, texts: readonly IntentText[], units: readonly Float32Array[]): readonly number[] {
  const right: (readonly number[])[] = [];
  const wrong: (readonly number[])[] = [];
  const unrelated: number[] = [];
  const step = Math.max(1, texts.length / maxTried);
  for (let place = 0; place < texts.length; place += step) {
    const row = Math.floor(place);
    const { intent } = texts[row] as IntentText;
    const all = nearestTexts(rows, texts, units[row] as Float32Array, row);
    const others = all.filter(({ text }) => text.intent !== intent);
    if (others.length > 0) {
      unrelated.push(mean(others.map(({ cosine }) => cosine)));
      wrong.push(signalsOf(others));
    }
    if (all.length > others.length) (all[0]?.text.intent === intent ? right : wrong).push(signalsOf(all));
  }
  return right.length < minTrials || wrong.length < minTrials ? uncalibrated(mean(unrelated)) : fitCurve(right, wrong);
}

const signalsOf = ([first, next]: readonly Neighbour[]): readonly number[] => {
  const best = first?.cosine ?? 0;
  return [1, best, best - (next?.cosine ?? best)];
};

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / (values.length || 1);

/** Even odds half way between an unrelated text and the same one. */
function uncalibrated(unrelated: number): readonly number[] {
  const room = Math.max(0.05, 1 - unrelated);
  const weight = 10 / room;
  return [-weight * (unrelated + room / 2), weight, 0];
}

/** Both kinds weigh the same: how often messages mean none of the intents is not known here. */
function fitCurve(right: readonly (readonly number[])[], wrong: readonly (readonly number[])[]): readonly number[] {
  const trialsOf = (all: typeof right, isRight: boolean, used: readonly boolean[]) =>
    all.map(
      (signals): Trial => ({
        signals: signals.map((signal, i) => (used[i] ? signal : 0)),
        right: isRight,
        weight: 0.5 / all.length,
      }),
    );
  const variances = [1, 2].map((i) => {
    const values = [...right, ...wrong].map((signals) => signals[i] as number);
    return mean(values.map((value) => (value - mean(values)) ** 2)) || 1;
  });
  const prior = { weights: [0, 0, 0], precisions: [1e-9, ...variances.map((variance) => decay * variance)] };
  const weightsOf = (used: readonly boolean[]) =>
    calibrate([...trialsOf(right, true, used), ...trialsOf(wrong, false, used)], prior);
  const weights = weightsOf([true, true, true]);
  // Nearer is never less likely, whatever a few trials say.
  return weights.slice(1).every((weight) => weight >= 0)
    ? weights
    : weightsOf([true, ...weights.slice(1).map((weight) => weight >= 0)]);
}
