/** What training makes of a policy's intents, and its bytes. Pure. */
import { err, ok, type Result } from "../../lib/result.ts";
import { type Classifier, startsOf } from "./classifier.ts";
import { packModel, roundRows, unpackModel, unroundRows } from "./model-file.ts";
import type { Vocabulary } from "./piece.ts";
import { type Prototypes, signalCount } from "./signals.ts";

/** Names the form of the bytes and the way of training. Stored models are keyed by it: under another one they are trained anew. */
export const SEMANTIC_FORMAT = "18";

export interface TrainedModel {
  readonly names: readonly string[];
  /** Of the word vectors that it was trained with: no others fit. */
  readonly fingerprint: number;
  readonly calibration: readonly number[];
  /** From this confidence on a guess may be acted upon. */
  readonly selectAt: number;
  readonly vocabulary: Vocabulary;
  readonly classifier: Classifier;
  readonly prototypes: Prototypes;
}

interface ModelHead extends Pick<TrainedModel, "names" | "fingerprint" | "calibration" | "selectAt"> {
  readonly dimensions: number;
  /** Of the classifier: those behind the names are none of these. */
  readonly classes: number;
  readonly pieces: number;
  /** How many texts the vocabulary was counted in. */
  readonly texts: number;
  /** The texts of the prototypes, by intent. */
  readonly sources: readonly (readonly string[])[];
}

/** Weights become bytes: they are rounded to 1/127 of the largest (of their class if they are dense). */
export function writeModel(model: TrainedModel): Uint8Array<ArrayBuffer> {
  const { names, fingerprint, calibration, selectAt, vocabulary, classifier, prototypes } = model;
  const { classes, dimensions, starts } = classifier;
  const rows = Array.from({ length: classes }, (_, c) =>
    classifier.dense.subarray(c * dimensions, (c + 1) * dimensions),
  );
  const vectors = prototypes.flat().map(({ dense }) => dense);
  const head: ModelHead = {
    names,
    fingerprint,
    calibration,
    selectAt,
    dimensions,
    classes,
    pieces: vocabulary.hashes.length,
    texts: vocabulary.total,
    sources: prototypes.map((all) => all.map(({ text }) => text)),
  };
  const sizes = Uint16Array.from(vocabulary.hashes, (_, i) => (starts[i + 1] as number) - (starts[i] as number));
  const rounded = [rows, [classifier.weights], vectors].map(roundRows);
  return packModel(head, [
    vocabulary.hashes,
    vocabulary.texts,
    sizes,
    classifier.columns,
    ...rounded.flatMap(({ bytes, scales }) => [bytes, scales]),
  ]);
}

/** Refuses what is of another form, or was trained with other word vectors. That the bytes are whole is checked before. */
export function readModel(bytes: Uint8Array, fingerprint: number): Result<TrainedModel, string> {
  try {
    const packed = unpackModel(bytes);
    const head = packed.head as ModelHead;
    if (head.fingerprint !== fingerprint) return err("the semantic model was trained with other word vectors");
    const { names, calibration, selectAt, dimensions, pieces, texts, sources } = head;
    const vocabulary = {
      hashes: packed.take(Uint32Array, pieces),
      texts: packed.take(Uint16Array, pieces),
      total: texts,
    };
    const starts = startsOf(packed.take(Uint16Array, pieces));
    const columns = packed.take(Uint16Array, starts.at(-1) ?? 0);
    const rounded = (rows: number, length: number) =>
      unroundRows({ bytes: packed.take(Int8Array, rows * length), scales: packed.take(Float32Array, rows) });
    const { classes } = head;
    const dense = rounded(classes, dimensions);
    const weights = rounded(1, columns.length);
    const vectors = rounded(sources.flat().length, dimensions);
    if (
      !packed.isAtEnd() ||
      calibration.length !== signalCount ||
      !isShare(selectAt) ||
      classes <= names.length ||
      sources.length !== names.length
    ) {
      return err("the semantic model does not add up");
    }
    if (columns.some((column) => column >= classes))
      return err("the semantic model names a class that it does not have");
    let row = 0;
    const prototypeOf = (text: string) => ({ text, dense: vectors.subarray(row++ * dimensions, row * dimensions) });
    return ok({
      names,
      fingerprint,
      calibration,
      selectAt,
      vocabulary,
      classifier: { classes, dimensions, dense, starts, columns, weights },
      prototypes: sources.map((of) => of.map(prototypeOf)),
    });
  } catch {
    return err("this is no semantic model, or a damaged one");
  }
}

const isShare = (value: unknown): boolean => typeof value === "number" && value >= 0 && value <= 1;
