import { describe, expect, it } from "vitest";
import { readEmbeddings, textsOf, trainEmbeddings } from "../../../src/intent/semantic/embedding-model.ts";
import type { TrainingIntent } from "../../../src/intent/training-set.ts";

const DIMENSIONS = 64;

/** Chance that is the same at every run. */
function chance(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32 - 0.5;
  };
}

const noise = (random: () => number) => Array.from({ length: DIMENSIONS }, random);
const near = (center: readonly number[], random: () => number, spread: number) =>
  center.map((value) => value + random() * spread);

/** Ten intents, each texts around a direction of its own. `shared` is what all vectors of a model have in common. */
function clusters(seed: number, spread: number, shared: number, perIntent = 6) {
  const random = chance(seed);
  const common = noise(random).map((value) => value * shared);
  const centers = Array.from({ length: 10 }, () => noise(random).map((value, i) => value + (common[i] ?? 0)));
  const intents: TrainingIntent[] = centers.map((_, i) => ({
    name: `I${i}`,
    description: "",
    keywords: [],
    examples: Array.from({ length: perIntent }, (_, n) => `text ${i} ${n}`),
  }));
  const texts = textsOf(intents);
  const vectors = texts.map(({ intent }) => near(centers[Number(intent.slice(1))] ?? [], random, spread));
  const trained = trainEmbeddings(intents, vectors);
  if (!trained.ok) throw new Error(trained.error);
  const read = readEmbeddings(trained.value);
  if (!read.ok) throw new Error(read.error);
  return { model: read.value, bytes: trained.value, centers, common, random };
}

describe("the model over somebody else's vectors", () => {
  it.each([
    ["one that spreads its vectors", 0],
    ["one whose vectors are all much alike", 3],
  ])("tells the intent, and none of these, with the same threshold for %s", (_, shared) => {
    const { model, centers, common, random } = clusters(7, 1.2, shared);
    const tries = 200;
    let right = 0;
    let refused = 0;
    for (let i = 0; i < tries; i++) {
      const place = i % centers.length;
      const [found] = model.classify(near(centers[place] ?? [], random, 1.2));
      if (found && found.confidence >= 0.5 && found.name === `I${place}`) right += 1;
      const [other] = model.classify(near(common, random, 2));
      if (!other || other.confidence < 0.5) refused += 1;
    }
    expect(right / tries).toBeGreaterThan(0.9);
    expect(refused / tries).toBeGreaterThan(0.9);
  });

  it("names the nearest text as its evidence, best first", () => {
    const { model, centers } = clusters(3, 0.8, 0);
    const [first, second] = model.classify(centers[4] ?? []);
    expect(first?.name).toBe("I4");
    expect(first?.evidence[0]?.source).toMatch(/^text 4 /);
    expect(first?.layer).toBe("semantic");
    expect(second?.confidence ?? 0).toBeLessThan(first?.confidence ?? 0);
  });

  it("is sure of a text that it was given, and not of another one, with two texts an intent", () => {
    const { model, centers, random } = clusters(5, 0.4, 0, 1);
    expect(model.classify(near(centers[2] ?? [], random, 0.4))[0]?.confidence).toBeGreaterThan(0.6);
    expect(model.classify(noise(random))[0]?.confidence ?? 0).toBeLessThan(0.4);
  });

  it("says nothing of a vector of other dimensions, or of none", () => {
    const { model } = clusters(3, 0.8, 0);
    expect(model.classify([1, 2, 3])).toEqual([]);
    expect(model.classify(new Array(DIMENSIONS).fill(0))).toEqual([]);
    expect(model.classify(new Array(DIMENSIONS).fill(Number.NaN))).toEqual([]);
  });

  it("refuses vectors that are not one for each text, of one length", () => {
    const intents = [{ name: "A", description: "", keywords: ["a"], examples: ["b"] }];
    expect(trainEmbeddings(intents, [[1, 2]]).ok).toBe(false);
    expect(trainEmbeddings(intents, [[1, 2], [1]]).ok).toBe(false);
    expect(
      trainEmbeddings(intents, [
        [1, 2],
        [0, 0],
      ]).ok,
    ).toBe(false);
  });

  it("reads nothing from bytes that were cut, added to or are of something else", () => {
    const { bytes } = clusters(3, 0.8, 0);
    expect(readEmbeddings(bytes.subarray(0, bytes.length - 1)).ok).toBe(false);
    expect(readEmbeddings(new Uint8Array([...bytes, 0])).ok).toBe(false);
    expect(readEmbeddings(new TextEncoder().encode("something else")).ok).toBe(false);
    expect(readEmbeddings(new Uint8Array()).ok).toBe(false);
  });
});
