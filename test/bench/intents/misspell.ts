/** One misspelt word in a text. Pure, seeded. */
import { seededRandom } from "../../../src/cli/vectors/seeded-random.ts";

/** Each text with one random edit in one of its words of four letters or more: a letter dropped, added, replaced, or two swapped. */
export function misspelt(texts: readonly string[], seed: number): readonly string[] {
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  return texts.map((text) => {
    const plain = text.toLowerCase();
    const words = [...plain.matchAll(/[a-z]{4,}/g)];
    const word = words[below(words.length)];
    if (!word) return plain;
    const [letters] = word;
    const at = below(letters.length);
    const letter = String.fromCharCode(97 + below(26));
    const [before, here, after] = [letters.slice(0, at), letters[at] ?? "", letters.slice(at + 1)];
    const edits = [
      before + after,
      before + letter + here + after,
      before + letter + after,
      after === "" ? before.slice(0, -1) + here + before.slice(-1) : before + after[0] + here + after.slice(1),
    ];
    return plain.slice(0, word.index) + edits[below(edits.length)] + plain.slice(word.index + letters.length);
  });
}
