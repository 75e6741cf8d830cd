/** The everyday sentences over the shipped policies: a table of shares beside their goals, and what unrelated public sentences unlock. */
import { trainingAssets } from "../../../src/cli/models/trained-model.ts";
import { plainTable } from "../report/table.ts";
import { readDataSets } from "./data-sets.ts";
import { at, type Heard, halves, hear, permitsTools, readSentences, type Subject, subjectOf } from "./everyday.ts";
import { everydayShares, type Share } from "./everyday-figures.ts";
import { reportMessages } from "./judged-messages.ts";
import { ownBusiness } from "./own-business.ts";

const languages: ("en" | "de" | "es" | "fr" | "zh" | "ja")[] = ["en", "de", "es", "fr", "zh", "ja"];

/** @param source a half of the bench's own sentences, or a folder with others. */
export async function reportEveryday(source: "open" | "held" | { readonly folder: string }): Promise<string> {
  const isOwn = typeof source === "string";
  const sentences = readSentences(isOwn ? at(halves[source]) : source.folder);
  const assets = await trainingAssets(languages);
  const subjects = new Map<string, Subject>();
  for (const { policy } of sentences) if (!subjects.has(policy)) subjects.set(policy, subjectOf(policy, assets));
  const heard: Heard[] = [];
  for (const sentence of sentences) {
    const subject = subjects.get(sentence.policy);
    if (subject) heard.push(await hear(subject, sentence));
  }
  const knows = (policy: string, intent: string) => subjects.get(policy)?.policy.intents.has(intent) === true;
  const all = everydayShares(heard, knows);
  const byLanguage = languages.map((language) =>
    everydayShares(
      heard.filter(({ sentence }) => sentence.language === language),
      knows,
    ),
  );
  const rows = all.map((share, i) => [
    share.what,
    `${share.hits}/${share.of}`,
    percent(share),
    share.goal,
    ...byLanguage.map((shares) => percent(shares[i])),
  ]);
  const table = plainTable([["%", "", "all", "goal", ...languages], ...rows]);
  const what = isOwn ? `the ${source} half` : source.folder;
  const foreign = isOwn ? `\n${reportMessages(source)}\n${await foreignShares(subjects)}` : "";
  return `everyday sentences over ${subjects.size} shipped policies, ${what} (${sentences.length})\n${table}${foreign}`;
}

const hundredthAbove = (value: number): string => ((Math.floor(value * 100) + 1) / 100).toFixed(2);

const percent = (share: Share | undefined): string =>
  share === undefined || share.of === 0 ? "–" : ((100 * share.hits) / share.of).toFixed(1);

/** What may unlock of sentences that are about something else: by it the shipped policies' `selectAt` are set. */
const foreignAtMost = 0.0049;

/**
 * How many sentences of a public set unlock what is not their business, how many unlock anything, and the lowest `selectAt`, in hundredths,
 * at which no more than `foreignAtMost` would unlock what is not their business.
 */
async function foreignShares(subjects: ReadonlyMap<string, Subject>): Promise<string> {
  const rows: string[][] = [
    ["unlock, of unrelated public sentences (goal ≤ 0.5 %)", "%", "own business too, %", "of", "lowest selectAt"],
  ];
  for (const set of readDataSets() ?? []) {
    const texts = [...new Map(set.held)];
    for (const [policy, subject] of subjects) {
      let [unrelated, any] = [0, 0];
      const confidences: number[] = [];
      for (const [text, label] of texts) {
        const { unlocked, detection } = await hear(subject, {
          policy,
          language: "en",
          kind: "foreign",
          text,
          expect: [],
        });
        const own = ownBusiness(policy, label);
        if (unlocked.some((name) => !own.includes(name))) unrelated += 1;
        if (unlocked.length > 0) any += 1;
        const foreign = detection.intents.filter(
          ({ name, layer }) => layer !== "fallback" && !own.includes(name) && permitsTools(subject.policy, name),
        );
        confidences.push(Math.max(0, ...foreign.map(({ confidence }) => confidence)));
      }
      confidences.sort((one, other) => other - one);
      const highest = confidences[Math.floor(foreignAtMost * texts.length)] ?? 0;
      const percentOf = (count: number) => ((100 * count) / texts.length).toFixed(2);
      rows.push([
        `${set.name}, ${policy}`,
        percentOf(unrelated),
        percentOf(any),
        `${texts.length}`,
        hundredthAbove(highest),
      ]);
    }
  }
  return plainTable(rows);
}
