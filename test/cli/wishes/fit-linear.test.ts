import { expect, it } from "vitest";
import { type Example, fitLinear, fitSmall } from "../../../src/cli/wishes/fit-linear.ts";
import { pack } from "../../../src/cli/wishes/pack.ts";
import { linearModel } from "../../../src/intent/wish/linear-model.ts";

/** Key 7 says the first label, key 300000 the second; key 9 says nothing. */
const examples: readonly Example[] = Array.from({ length: 40 }, (_, index) => ({
  features: { keys: [index % 2 === 0 ? 7 : 300_000, 9], values: [1, 1] },
  label: index % 2,
  weight: 1,
}));
const options = { labels: 2, epochs: 10, rate: 0.5, decay: 0, least: 2 };

it("learns what tells the labels apart, the same each time, and ships it", () => {
  const fitted = fitLinear(examples, options);
  expect(fitLinear(examples, options)).toEqual(fitted);
  const judge = linearModel(pack(fitted, ["one", "other"]));
  expect(judge({ keys: [7, 9], values: [1, 1] })[0]).toBeGreaterThan(0.9);
  expect(judge({ keys: [300_000, 9], values: [1, 1] })[1]).toBeGreaterThan(0.9);
});

it("keeps the features that weigh most", () => {
  expect([...fitSmall(examples, { ...options, size: 2 }).weights.keys()].sort()).toEqual([300_000, 7]);
});
