import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSemantic } from "../../../src/intent/semantic/semantic-model.ts";
import { trainSemantic } from "../../../src/intent/semantic/train.ts";
import { readModel, writeModel } from "../../../src/intent/semantic/trained-model.ts";
import { readVectors } from "../../../src/intent/semantic/vectors.ts";
import { assetBytes, assistant, folder, vectors } from "./policies.ts";

const bytes = trainSemantic(assistant, vectors);
const errorOf = (read: { ok: boolean }) => (read as { error?: string }).error;

describe("a trained model's bytes", () => {
  it("are the same for the same policy", () => {
    expect(trainSemantic(structuredClone(assistant), vectors)).toEqual(bytes);
  });

  it("are few for a small policy", () => {
    expect(bytes.length).toBeLessThan(20_000);
  });

  it("are read wherever they lie in a buffer", () => {
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(readSemantic(shifted.subarray(3), vectors).ok).toBe(true);
  });

  it("are refused when cut off, at every length", () => {
    for (let length = 0; length < bytes.length; length += 7) {
      expect(readSemantic(bytes.slice(0, length), vectors).ok).toBe(false);
    }
  });

  it("never break a reader, whatever was changed in them", () => {
    const value = fc.record({ at: fc.nat({ max: bytes.length - 1 }), to: fc.nat({ max: 255 }) });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 8 }), (changes) => {
        const damaged = bytes.slice();
        for (const { at, to } of changes) damaged[at] = to;
        const read = readSemantic(damaged, vectors);
        if (read.ok) for (const found of read.value.classify("pay the bill")) expect(typeof found.name).toBe("string");
      }),
      { numRuns: 500 },
    );
  });

  it("are refused with more behind them, or a head that is longer than they are", () => {
    expect(readSemantic(new Uint8Array([...bytes, 0, 0, 0, 0]), vectors).ok).toBe(false);
    const damaged = bytes.slice();
    new DataView(damaged.buffer).setUint32(0, 0xffff_ffff, true);
    expect(readSemantic(damaged, vectors).ok).toBe(false);
  });

  it("are refused with fewer classes than intents", () => {
    const read = readModel(bytes, vectors.fingerprint);
    if (!read.ok) throw new Error(read.error);
    const { classifier, vocabulary } = read.value;
    const classes = assistant.length;
    const dense = classifier.dense.subarray(0, classes * classifier.dimensions);
    const few = { ...classifier, classes, dense, columns: new Uint16Array(0), weights: new Float32Array(0) };
    const starts = new Int32Array(vocabulary.hashes.length + 1);
    const damaged = writeModel({ ...read.value, classifier: { ...few, starts } });
    expect(errorOf(readSemantic(damaged, vectors))).toMatch(/does not add up/);
  });

  it("are refused where they name an intent that they do not have", () => {
    const read = readModel(bytes, vectors.fingerprint);
    if (!read.ok) throw new Error(read.error);
    const classifier = { ...read.value.classifier, columns: read.value.classifier.columns.map(() => 9999) };
    expect(errorOf(readSemantic(writeModel({ ...read.value, classifier }), vectors))).toMatch(/names a class/);
  });

  it("are refused with other word vectors than they were trained with", () => {
    const read = readSemantic(bytes, { ...vectors, fingerprint: vectors.fingerprint ^ 1 });
    expect(errorOf(read)).toBe("the semantic model was trained with other word vectors");
  });
});

describe("the word vectors that ship", () => {
  const manifest = JSON.parse(readFileSync(`${folder}manifest.json`, "utf8")) as { sha256: string; gzipped: number };

  it("are the ones that the manifest tells of", () => {
    expect(createHash("sha256").update(assetBytes()).digest("hex")).toBe(manifest.sha256);
    expect(manifest.gzipped).toBeLessThan(3_000_000);
  });

  it("are refused when cut off, of another kind or of another version", () => {
    const asset = assetBytes();
    expect(readVectors(asset.slice(0, 10).buffer).ok).toBe(false);
    expect(readVectors(asset.slice(0, -1).buffer).ok).toBe(false);
    for (const at of [0, 4, 8, 12]) {
      const damaged = asset.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      expect(readVectors(damaged.buffer).ok).toBe(false);
    }
  });
});
