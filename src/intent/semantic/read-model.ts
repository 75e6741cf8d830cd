/** Reads a trained model's bytes; refuses what is damaged, of another form, or trained with other word vectors. Pure. */
import { err, ok, type Result } from "../../lib/result.ts";
import { type ByteReader, BytesDamaged, createReader } from "./byte-stream.ts";
import { hashBytes } from "./hash.ts";
import { modelMagic, SEMANTIC_FORMAT, type TrainedModel } from "./model-bytes.ts";
import { signalCount } from "./signals.ts";

export function readModel(bytes: Uint8Array, fingerprint: number): Result<TrainedModel, string> {
  // A copy: the arrays are views, which must begin at a multiple of their size and must not change under us.
  const whole = bytes.slice();
  try {
    const reader = createReader(whole.buffer);
    if (reader.u32() !== modelMagic) return err("this is no semantic model");
    const checksum = reader.u32();
    const format = reader.u32();
    if (String(format) !== SEMANTIC_FORMAT)
      return err(`a semantic model of format ${format} where ${SEMANTIC_FORMAT} is read`);
    if (checksum !== hashBytes(whole.subarray(8))) return err("the semantic model is damaged");
    if (reader.u32() !== fingerprint) return err("the semantic model was trained with other word vectors");
    return readBody(reader, fingerprint);
  } catch (error) {
    if (error instanceof BytesDamaged) return err("the semantic model is cut off or damaged");
    throw error;
  }
}

function readBody(reader: ByteReader, fingerprint: number): Result<TrainedModel, string> {
  const [intents, dimensions, pieces, weightCount, prototypeCount, total] = [0, 0, 0, 0, 0, 0].map(() =>
    reader.u32(),
  ) as [number, number, number, number, number, number];
  const classes = intents + 1;
  // Before anything is allocated by a number that is only claimed.
  if (dimensions % 4 !== 0) return err("the semantic model's vectors are of no length that is read");
  if (classes * dimensions + pieces * 8 + weightCount * 3 + prototypeCount * dimensions > reader.left)
    throw new BytesDamaged();
  const names = Array.from({ length: intents }, () => reader.text());
  const calibration = Float32Array.from({ length: signalCount }, () => reader.f32());
  const dense = new Float32Array(classes * dimensions);
  for (let c = 0; c < classes; c++) dense.set(readRounded(reader, dimensions), c * dimensions);
  const counted = { hashes: reader.u32s(pieces), texts: reader.u16(pieces), total };
  const starts = sumsOf(reader.u16(pieces));
  const columns = reader.u16(weightCount);
  const weights = readRounded(reader, weightCount);
  const prototypeStarts = sumsOf(reader.u16(intents));
  const sources = Array.from({ length: prototypeCount }, () => reader.text());
  const vectors = readRounded(reader, prototypeCount * dimensions);
  if (starts[pieces] !== weightCount || prototypeStarts[intents] !== prototypeCount || reader.left !== 0) {
    return err("the semantic model does not add up");
  }
  if (columns.some((column) => column >= classes)) return err("the semantic model names a class that it has not");
  return ok({
    names,
    fingerprint,
    calibration,
    counted,
    sources,
    head: { classes, dimensions, dense, starts, columns, weights },
    prototypes: { vectors, starts: prototypeStarts },
  });
}

function sumsOf(counts: Uint16Array): Int32Array {
  const sums = new Int32Array(counts.length + 1);
  counts.forEach((count, i) => {
    sums[i + 1] = (sums[i] as number) + count;
  });
  return sums;
}

function readRounded(reader: ByteReader, count: number): Float32Array {
  const unit = reader.f32();
  return Float32Array.from(reader.i8(count), (value) => value * unit);
}
