/** The bytes of a trained model, and their form's version. Pure. */
import { createWriter } from "./byte-stream.ts";
import { hashBytes } from "./hash.ts";
import type { LinearHead } from "./linear-head.ts";
import type { Prototypes } from "./prototypes.ts";
import type { CountedVocabulary } from "./vocabulary.ts";

/** Names the form of the bytes and the way of training; what is stored is keyed by it, and made anew under another one. */
export const SEMANTIC_FORMAT = "2";
export const modelMagic = 0x4d_53_47_54;

export interface TrainedModel {
  readonly names: readonly string[];
  /** Of the word vectors that it was trained with: no others fit. */
  readonly fingerprint: number;
  readonly calibration: Float32Array;
  readonly counted: CountedVocabulary;
  readonly head: LinearHead;
  readonly prototypes: Prototypes;
  /** The texts of the prototypes. */
  readonly sources: readonly string[];
}

/** Weights become bytes: they are rounded to 1/127 of the largest (of their class, where they are dense). */
export function writeModel(model: TrainedModel): Uint8Array<ArrayBuffer> {
  const { names, fingerprint, calibration, counted, head, prototypes, sources } = model;
  const { classes, dimensions } = head;
  const writer = createWriter();
  for (const value of [modelMagic, 0, Number(SEMANTIC_FORMAT), fingerprint]) writer.u32(value);
  for (const value of [
    names.length,
    dimensions,
    counted.hashes.length,
    head.weights.length,
    sources.length,
    counted.total,
  ])
    writer.u32(value);
  for (const name of names) writer.text(name);
  for (const value of calibration) writer.f32(value);
  for (let c = 0; c < classes; c++) writeRounded(head.dense.subarray(c * dimensions, (c + 1) * dimensions), writer);
  writer.array(counted.hashes);
  writer.array(counted.texts);
  writer.array(Uint16Array.from(counted.hashes, (_, i) => (head.starts[i + 1] as number) - (head.starts[i] as number)));
  writer.array(head.columns);
  writeRounded(head.weights, writer);
  writer.array(
    Uint16Array.from(names, (_, c) => (prototypes.starts[c + 1] as number) - (prototypes.starts[c] as number)),
  );
  for (const source of sources) writer.text(source);
  writeRounded(prototypes.vectors, writer);
  const bytes = writer.done();
  new DataView(bytes.buffer).setUint32(4, hashBytes(bytes.subarray(8)), true);
  return bytes;
}

function writeRounded(values: Float32Array, writer: ReturnType<typeof createWriter>): void {
  let most = 1e-12;
  for (const value of values) if (Math.abs(value) > most) most = Math.abs(value);
  const unit = Math.fround(most / 127);
  writer.f32(unit);
  writer.array(Int8Array.from(values, (value) => Math.round(value / unit)));
}
