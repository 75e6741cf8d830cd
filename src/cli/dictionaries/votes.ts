/**
 * Collects translations through third languages. A single path is often wrong, because a word in between has several senses; a
 * translation that several paths agree on is right. Pure.
 */
import type { Translations } from "./freedict.ts";

/** Word → English word → sum of votes. */
export type Votes = Map<string, Map<string, number>>;

/** @param weight of this path. A word's vote is divided among its translations. */
export function vote(votes: Votes, toThird: Translations, thirdToEnglish: Translations, weight = 1): void {
  for (const [word, thirds] of toThird) {
    const found = new Map<string, number>();
    for (const third of thirds) {
      const english = thirdToEnglish.get(third)?.slice(0, 6) ?? [];
      english.forEach((target, rank) => {
        const share = 1 / (thirds.length * (1 + rank / 2));
        found.set(target, (found.get(target) ?? 0) + share);
      });
    }
    const own = votes.get(word) ?? new Map<string, number>();
    for (const [target, share] of found) {
      const name = englishWord(target);
      // Two paths that agree count more than one strong path.
      own.set(name, (own.get(name) ?? 0) + weight * Math.min(1, 0.4 + share));
    }
    if (own.size > 0) votes.set(word, own);
  }
}

/** "to write" is the verb "write". */
const englishWord = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^(to|a|an|the) /, "")
    .trim();

/** The best translations of each word: at most three, none far behind the best. */
export function elected(votes: Votes, least: number): Map<string, readonly string[]> {
  const chosen = new Map<string, readonly string[]>();
  for (const [word, targets] of votes) {
    const ranked = [...targets].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    const best = ranked[0]?.[1] ?? 0;
    if (best < least) continue;
    chosen.set(
      word,
      ranked
        .filter(([, score]) => score >= 0.75 * best)
        .slice(0, 3)
        .map(([target]) => target),
    );
  }
  return chosen;
}
