/** TF-IDF of words, pairs of words and runs of 3 to 5 characters; the intent whose mean example is nearest by cosine. */
import { wordsOf } from "../../../src/intent/semantic/words.ts";
import { type Contender, intentsOf } from "./classifier.ts";

export const centroid: Contender = {
  name: "TF-IDF centroid",
  train: (examples) => {
    const texts = new Map<string, number>();
    for (const [text] of examples) for (const term of termsOf(text).keys()) texts.set(term, (texts.get(term) ?? 0) + 1);
    const rarity = (term: string) => Math.log((1 + examples.length) / (1 + (texts.get(term) ?? 0))) + 1;
    const encode = (text: string) => {
      const weights = [...termsOf(text)].map(([term, count]) => [term, (1 + Math.log(count)) * rarity(term)] as const);
      const length = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight * weight, 1e-12));
      return weights.map(([term, weight]) => [term, weight / length] as const);
    };
    const intents = intentsOf(examples);
    const means = new Map<string, Map<number, number>>();
    const squares = new Float64Array(intents.length);
    for (const [text, intent] of examples) {
      const label = intents.indexOf(intent);
      for (const [term, weight] of encode(text)) {
        const of = means.get(term) ?? new Map<number, number>();
        means.set(term, of.set(label, (of.get(label) ?? 0) + weight));
      }
    }
    for (const of of means.values())
      for (const [label, weight] of of) squares[label] = (squares[label] ?? 0) + weight ** 2;
    return {
      guess: (text) => {
        const scores = new Float64Array(intents.length);
        for (const [term, weight] of encode(text)) {
          for (const [label, mean] of means.get(term) ?? []) scores[label] = (scores[label] ?? 0) + weight * mean;
        }
        const cosines = scores.map((score, label) => score / Math.sqrt(squares[label] ?? 1));
        const sure = Math.max(...cosines);
        return { intent: intents[cosines.indexOf(sure)] ?? "", sure };
      },
    };
  },
};

function termsOf(text: string): Map<string, number> {
  const terms = new Map<string, number>();
  const add = (term: string) => terms.set(term, (terms.get(term) ?? 0) + 1);
  const words = wordsOf(text);
  words.forEach((word, i) => {
    add(`w ${word}`);
    if (i > 0) add(`p ${words[i - 1]} ${word}`);
    const padded = ` ${word} `;
    for (let size = 3; size <= 5; size++) {
      for (let from = 0; from + size <= padded.length; from++) add(`c${padded.slice(from, from + size)}`);
    }
  });
  return terms;
}
