/**
 * Holds how well drafted policies hear what people say to seven lists of tools: a travel agency, a support desk, a home and a shop, at which
 * the sentences of the drafts were tried, and a clinic, a bank and a project tracker, at which they were not.
 */
import { describe, expect, it } from "vitest";
import { trainingAssets } from "../../../src/cli/models/trained-model.ts";
import { type HeardWish, hearWishes } from "./heard-wishes.ts";

const assets = await trainingAssets(["de", "en", "es", "fr", "ja", "zh"]);

interface Figures {
  /** Wishes that are heard, at least: English, German, and Spanish, Chinese and Japanese together. */
  readonly right: readonly [en: number, de: number, others: number];
  /** Sentences, at most, after which something may act that nobody asked for. */
  readonly unasked: number;
}

const lists: readonly (readonly [list: string, figures: Figures])[] = [
  ["travel", { right: [18, 19, 6], unasked: 1 }],
  ["support", { right: [16, 15, 4], unasked: 0 }],
  ["home", { right: [18, 18, 5], unasked: 2 }],
  ["clinic", { right: [17, 17, 5], unasked: 2 }],
  ["bank", { right: [13, 17, 5], unasked: 3 }],
  ["tracker", { right: [9, 15, 6], unasked: 3 }],
  ["shop", { right: [17, 15, 9], unasked: 0 }],
];

const rightIn = (heard: readonly HeardWish[], isIn: (language: string) => boolean): number =>
  heard.filter(({ expected, outcome, language }) => expected !== undefined && outcome === "right" && isIn(language))
    .length;

describe("what a drafted policy hears", () => {
  it.each(lists)(
    "%s",
    async (list, { right, unasked }) => {
      const heard = await hearWishes(list, assets);
      const isMain = (language: string) => language === "en" || language === "de";
      const found = [
        rightIn(heard, (language) => language === "en"),
        rightIn(heard, (language) => language === "de"),
        rightIn(heard, (language) => !isMain(language)),
      ];
      const wrong = heard.filter(({ outcome }) => outcome === "unasked").map(({ text }) => text);
      expect({ found, wrong }).toSatisfy(
        () => found.every((count, at) => count >= (right[at] ?? 0)) && wrong.length <= unasked,
      );
    },
    120_000,
  );
});
