/** What is measured is not learnt from: no sentence of a benchmark stands among those that the models are trained on. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  changeLabels,
  continuesLabels,
  readRequests,
  readSentences,
  wishLabels,
} from "../../../src/cli/wishes/sentences.ts";
import { folder } from "../../bench/intents/data-sets.ts";
import { readChanges } from "../../bench/intents/judged-messages.ts";

const paths = ["clinc150.json", "banking77.json"].map((file) => join(folder, file));

it.skipIf(!paths.every((path) => existsSync(path)))("trains on no sentence of CLINC150 or BANKING77", () => {
  const texts: string[] = [];
  for (const path of paths)
    JSON.parse(readFileSync(path, "utf8"), (_, value) => typeof value === "string" && texts.push(value));
  const measured = new Set(texts.map(bare));
  expect(measured.size).toBeGreaterThan(20_000);
  // Of three words, many are what everybody says: "thanks a lot".
  expect(learnt().filter((text) => text.split(" ").length > 3 && measured.has(bare(text)))).toEqual([]);
});

it("trains on no sentence of those that try it", () => {
  const tried = readFileSync(join(import.meta.dirname, "../../fixtures/look-alikes.jsonl"), "utf8")
    .trim()
    .split("\n");
  const texts = [
    ...tried.map((line) => JSON.parse(line) as { text: string }),
    ...readChanges("open"),
    ...readChanges("held"),
  ];
  const measured = new Set(texts.map(({ text }) => bare(text)));
  expect(learnt().filter((text) => text.split(" ").length > 3 && measured.has(bare(text)))).toEqual([]);
});

const learnt = (): readonly string[] =>
  [
    ...readRequests(),
    ...readSentences("wishes", wishLabels),
    ...readSentences("look-alikes", wishLabels),
    ...readSentences("continues", continuesLabels),
    ...readSentences("refusals", continuesLabels),
    ...readSentences("changes", changeLabels),
  ].map(({ text }) => text);

const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
