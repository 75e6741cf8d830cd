/**
 * Requests, and what looks like them, by a writer who saw no sentence that the models are trained on. The figures are what they reach:
 * a change may better them, and lowers none without a reason.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type WishSentence, wishLabels } from "../../../src/cli/wishes/sentences.ts";
import { asksForNothing } from "../../../src/intent/wish/asks-for-nothing.ts";
import { wishOf } from "../../../src/intent/wish/wish.ts";

const path = join(import.meta.dirname, "../../fixtures/look-alikes.jsonl");
const sentences = readFileSync(path, "utf8")
  .trim()
  .split("\n")
  .map((line): Required<WishSentence> => JSON.parse(line));
const labelled = (label: WishSentence["label"]) => sentences.filter((one) => one.label === label);

function likeliest({ text, candidate }: Required<WishSentence>): WishSentence["label"] {
  const start = text.indexOf(candidate);
  const wish = wishOf(text, { start, end: start + candidate.length });
  return wishLabels.reduce((best, label) => (wish[label] > wish[best] ? label : best));
}

it.each([
  ["request", 116, 140],
  ["question", 43, 50],
  ["statement", 40, 50],
  ["quotation", 86, 100],
  ["refusal", 112, 140],
] as const)("knows a %s for one: %d of %d", (label, right, count) => {
  expect(labelled(label)).toHaveLength(count);
  expect(labelled(label).filter((one) => likeliest(one) === label).length).toBeGreaterThanOrEqual(right);
});

describe("a message asks for nothing", () => {
  it("is what at most 16 of 140 requests are taken for", () => {
    expect(labelled("request").filter(({ text }) => asksForNothing(text, undefined)).length).toBeLessThanOrEqual(16);
  });

  it.each([
    ["refusal", 104],
    ["question", 35],
    ["statement", 30],
  ] as const)("is known of a %s: %d", (label, right) => {
    expect(labelled(label).filter(({ text }) => asksForNothing(text, undefined)).length).toBeGreaterThanOrEqual(right);
  });
});
