/** Words that a misspelt one may mean. Pure. */
import { addUnit, addUnits, mixed, seed } from "../semantic/hash.ts";

/** How likely a word is meant, by its hash; the higher the likelier, and 0: it is no word. */
export type WordRank = (hash: number) => number;

const letters = Uint16Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => letter.charCodeAt(0));
/** Added to the rank: people seldom miss the first letter, and change or drop letters more than they add strange ones. */
const swapBonus = 0.5;
const firstLetterLoss = 0.25;

/**
 * The best word that is one edit away: a letter dropped, added, replaced, or two neighbours swapped. Candidates are hashed, not built:
 * some fifty for each letter.
 */
export function wordOneEditAway(word: string, rankOf: WordRank, least = 0): string | undefined {
  let best = least;
  let found: (() => string) | undefined;
  const consider = (state: number, bonus: number, make: () => string): void => {
    const rank = rankOf(mixed(state));
    if (rank > 0 && rank + bonus > best) {
      best = rank + bonus;
      found = make;
    }
  };
  let before = seed;
  for (let i = 0; i <= word.length; i++) {
    const at = i;
    const here = word.charCodeAt(i);
    const bonus = i === 0 ? -firstLetterLoss : 0;
    if (i < word.length) consider(addUnits(before, word, i + 1), bonus, () => word.slice(0, at) + word.slice(at + 1));
    if (i + 1 < word.length && here !== word.charCodeAt(i + 1)) {
      const swapped = addUnits(addUnit(addUnit(before, word.charCodeAt(i + 1)), here), word, i + 2);
      consider(swapped, swapBonus, () => word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2));
    }
    for (const letter of letters) {
      const put = addUnit(before, letter);
      const text = () => word.slice(0, at) + String.fromCharCode(letter);
      consider(addUnits(put, word, i), bonus, () => text() + word.slice(at));
      if (i < word.length && letter !== here)
        consider(addUnits(put, word, i + 1), bonus, () => text() + word.slice(at + 1));
    }
    before = addUnit(before, here);
  }
  return found?.();
}
