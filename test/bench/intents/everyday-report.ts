/** The everyday sentences over the shipped policies: a table of shares beside their goals, and what unrelated public sentences unlock. */
import { trainingAssets } from "../../../src/cli/trained-model.ts";
import { plainTable } from "../report/table.ts";
import { readDataSets } from "./data-sets.ts";
import { type Heard, hear, readSentences, type Subject, subjectOf } from "./everyday.ts";
import { everydayShares, type Share } from "./everyday-figures.ts";

const languages: ("en" | "de" | "es" | "zh" | "ja")[] = ["en", "de", "es", "zh", "ja"];

export async function reportEveryday(half: "open" | "held"): Promise<string> {
  const sentences = readSentences(half);
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
  const foreign = await foreignShares(subjects);
  return `everyday sentences over ${subjects.size} shipped policies, the ${half} half (${sentences.length})\n${table}\n${foreign}`;
}

const percent = (share: Share | undefined): string =>
  share === undefined || share.of === 0 ? "–" : ((100 * share.hits) / share.of).toFixed(1);

/** How many sentences of a public set, which belong to no policy, unlock something. */
async function foreignShares(subjects: ReadonlyMap<string, Subject>): Promise<string> {
  const lines: string[] = [];
  for (const set of readDataSets() ?? []) {
    const texts = [...new Set(set.held.map(([text]) => text))];
    for (const [policy, subject] of subjects) {
      let unlocked = 0;
      for (const text of texts) {
        const { unlocked: names } = await hear(subject, { policy, language: "en", kind: "foreign", text, expect: [] });
        if (names.length > 0) unlocked += 1;
      }
      lines.push(
        `  ${set.name} as foreign text, ${policy}: ${((100 * unlocked) / texts.length).toFixed(2)} % of ${texts.length} unlock (goal ≤ 0.5)`,
      );
    }
  }
  return lines.join("\n");
}
