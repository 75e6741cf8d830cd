/**
 * The layer `semantic` over somebody else's sentence vectors: the nearest of the policy's own texts, with a calibrated
 * confidence. Pure: who makes the vectors is not known here.
 */
import { err, ok, type Result } from "../../lib/result.ts";
import type { DetectedIntent } from "../detection.ts";
import type { TrainingIntent } from "../training-set.ts";
import { type Calibration, calibrate, confidenceOf, type Similarity } from "./embedding-calibration.ts";
import { cosine, packRows, type Rows, unit } from "./embedding-rows.ts";

/** Changes whenever what was stored by an earlier version cannot be read any more. */
export const EMBEDDING_FORMAT = "embeddings-1";

export interface EmbeddingModel {
  readonly dimensions: number;
  /** Best first; empty for a vector of other dimensions. */
  classify(vector: ArrayLike<number>): readonly DetectedIntent[];
}

interface Text {
  readonly intent: string;
  readonly text: string;
}

interface Head {
  readonly dimensions: number;
  readonly texts: readonly Text[];
  readonly calibration: Calibration;
}

/** How many intents are told. */
const TOLD = 3;
/** Texts that are taken out for the calibration; more make it slower, not truer. */
const MAX_TAKEN_OUT = 300;

/** What must be embedded, in the order in which `trainEmbeddings` wants the vectors. */
export const textsOf = (intents: readonly TrainingIntent[]): readonly Text[] =>
  intents.flatMap(({ name, description, keywords, examples }) =>
    [...new Set([...examples, ...keywords, description])]
      .filter((text) => text.trim() !== "")
      .map((text) => ({ intent: name, text })),
  );

/** @param vectors of `textsOf(intents)`, one each; an error where they are not, or not vectors of one length. */
export function trainEmbeddings(
  intents: readonly TrainingIntent[],
  vectors: readonly ArrayLike<number>[],
): Result<Uint8Array, string> {
  const texts = textsOf(intents);
  if (vectors.length !== texts.length) return err(`${vectors.length} vectors came for ${texts.length} texts`);
  const units: Float32Array[] = [];
  for (const vector of vectors) {
    const made = unit(vector);
    if (made === undefined || made.length !== vectors[0]?.length) return err("a vector is empty or of another length");
    units.push(made);
  }
  const rows = packRows(units);
  return ok(pack({ dimensions: rows.dimensions, texts, calibration: calibrateRows(rows, texts, units) }, rows));
}

export function readEmbeddings(bytes: Uint8Array): Result<EmbeddingModel, string> {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const headBytes = view.getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + headBytes))) as Head;
    const { dimensions, texts } = head;
    const at = 4 + headBytes;
    if (bytes.length !== at + texts.length * (4 + dimensions)) return err("its length is not what its head says");
    const body = bytes.slice(at).buffer;
    const scales = new Float32Array(body, 0, texts.length);
    return ok(model(head, { count: texts.length, dimensions, scales, bytes: new Int8Array(body, 4 * texts.length) }));
  } catch {
    return err("it is no model of this format");
  }
}

function pack(head: Head, rows: Rows): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(head));
  const packed = new Uint8Array(4 + text.length + rows.scales.byteLength + rows.bytes.byteLength);
  new DataView(packed.buffer).setUint32(0, text.length, true);
  packed.set(text, 4);
  packed.set(new Uint8Array(rows.scales.buffer), 4 + text.length);
  packed.set(new Uint8Array(rows.bytes.buffer), 4 + text.length + rows.scales.byteLength);
  return packed;
}

function model({ texts, calibration, dimensions }: Head, rows: Rows): EmbeddingModel {
  return {
    dimensions,
    classify(vector) {
      const asked = unit(vector);
      if (asked === undefined || asked.length !== dimensions) return [];
      const near = nearest(rows, texts, asked).slice(0, TOLD + 1);
      return near.slice(0, TOLD).map(({ text, best }, place) => {
        const next = near[place === 0 ? 1 : 0]?.best ?? best;
        const confidence = confidenceOf(calibration, { best, lead: best - next });
        const evidence = [{ layer: "semantic" as const, source: text.text, text: "", at: 0 }];
        return { name: text.intent, confidence, layer: "semantic" as const, evidence };
      });
    },
  };
}

interface Near {
  readonly text: Text;
  readonly best: number;
}

/** The nearest text of each intent, the nearest intent first. @param out texts that do not count. */
function nearest(
  rows: Rows,
  texts: readonly Text[],
  asked: Float32Array,
  out: (text: Text, row: number) => boolean = () => false,
): readonly Near[] {
  const best = new Map<string, Near>();
  texts.forEach((text, row) => {
    if (out(text, row)) return;
    const similar = cosine(rows, row, asked);
    if (similar > (best.get(text.intent)?.best ?? Number.NEGATIVE_INFINITY)) {
      best.set(text.intent, { text, best: similar });
    }
  });
  return [...best.values()].sort((a, b) => b.best - a.best);
}

function calibrateRows(rows: Rows, texts: readonly Text[], units: readonly Float32Array[]): Calibration {
  const samples: (Similarity & { right: boolean })[] = [];
  const step = Math.max(1, texts.length / MAX_TAKEN_OUT);
  let unrelated = 0;
  let counted = 0;
  for (let place = 0; place < texts.length; place += step) {
    const row = Math.floor(place);
    const { intent } = texts[row] as Text;
    const asked = units[row] as Float32Array;
    const near = nearest(rows, texts, asked, (_, other) => other === row);
    const others = near.filter(({ text }) => text.intent !== intent);
    if (others[0]) {
      unrelated += others.reduce((sum, { best }) => sum + best, 0) / others.length;
      counted += 1;
      samples.push({ ...similarityOf(others), right: false });
    }
    if (near.length > others.length) samples.push({ ...similarityOf(near), right: near[0]?.text.intent === intent });
  }
  return calibrate(samples, counted === 0 ? 0 : unrelated / counted);
}

const similarityOf = ([first, next]: readonly Near[]): Similarity => {
  const best = first?.best ?? 0;
  return { best, lead: best - (next?.best ?? best) };
};
