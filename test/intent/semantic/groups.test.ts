import { describe, expect, it } from "vitest";
import { groupsOf } from "../../../src/intent/semantic/groups.ts";
import { readerOf } from "../../../src/intent/semantic/learn.ts";
import { trainSemantic } from "../../../src/intent/semantic/train.ts";
import { readModel } from "../../../src/intent/semantic/trained-model.ts";
import { assistant, vectors } from "./policies.ts";

const { encode } = readerOf([], vectors);

function grouped(texts: readonly string[], count: number): readonly number[] {
  const slices = groupsOf(texts, encode, count);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}

describe("texts that are about none of the intents", () => {
  it("are sorted by meaning", () => {
    const texts = ["play a quiet song", "put on some music", "is it raining outside", "will it snow tomorrow"];
    const [song, music, rain, snow] = grouped(texts, 2);
    expect([song, rain]).toEqual([music, snow]);
    expect(song).not.toBe(rain);
  });

  it("have at most as many groups as there are texts", () => {
    expect(grouped([], 4)).toEqual([]);
    expect(new Set(grouped(["play a song"], 4)).size).toBe(1);
  });

  it("are several classes of the model", () => {
    const model = readModel(trainSemantic(assistant, vectors), vectors.fingerprint);
    if (!model.ok) throw new Error(model.error);
    expect(model.value.classifier.classes).toBeGreaterThan(assistant.length + 4);
  });
});
