/**
 * The reference document's first layer (intent-detection-and-safe-tools.md, 1.2): the first keyword of the list that occurs anywhere
 * in the text. Its keywords are an author's; here they are each intent's five most telling words.
 */
import { wordsOf } from "../../../src/intent/semantic/words.ts";
import { type Contender, intentsOf } from "./classifier.ts";

const perIntent = 5;

export const substring: Contender = {
  name: "first substring hit",
  train: (examples) => {
    const intents = intentsOf(examples);
    const holders = new Map<string, number>();
    for (const [text] of examples)
      for (const word of new Set(wordsOf(text))) holders.set(word, (holders.get(word) ?? 0) + 1);
    const keywords = intents.flatMap((intent) => {
      const counts = new Map<string, number>();
      for (const [text, of] of examples) {
        if (of === intent) for (const word of new Set(wordsOf(text))) counts.set(word, (counts.get(word) ?? 0) + 1);
      }
      const telling = [...counts].map(([word, count]) => [word, (count * count) / (holders.get(word) ?? 1)] as const);
      telling.sort(([, a], [, b]) => b - a);
      return telling.slice(0, perIntent).map(([keyword]) => ({ keyword, intent }));
    });
    return {
      guess: (text) => {
        const lower = text.toLowerCase();
        const hit = keywords.find(({ keyword }) => lower.includes(keyword));
        return hit && { intent: hit.intent, sure: 1 };
      },
    };
  },
};
