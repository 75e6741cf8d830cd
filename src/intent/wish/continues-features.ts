/** What the model of continuations reads: the message, and what the assistant last said. Pure. */
import { addChain, addFeature, addRuns, bucket, type Features, noFeatures, normalise } from "./features.ts";
import { type Tokens, tokensOf } from "./tokens.ts";

/** UTF-16 units of each text that are read: of the user's the beginning, of the assistant's the end, where it asks. */
const reach = 300;

export const weights = { runs: 0.5, assistant: 0.15, pair: 1 };

export function continuesFeatures(assistant: string | undefined, text: string): Features {
  const tokens = tokensOf(text.slice(0, reach), undefined);
  const said = tokensOf((assistant ?? "").slice(-reach), undefined);
  const features = noFeatures();
  const longest = tokens.kinds.includes("character") ? 4 : 2;
  addRuns(features, 1, tokens.words, 0, tokens.length, longest, weights.runs);
  addChain(features, 10, tokens.words, 0, 1, tokens.length, 4);
  addChain(features, 20, tokens.shapes, 0, 1, tokens.length, 3);
  addChain(features, 30, tokens.words, tokens.length - 1, -1, -1, 4);
  addFeature(features, 40, bucket(tokens.length));
  addFeature(features, 41, tokens.kinds.filter((kind) => kind === "sentence").length);
  if (assistant === undefined) addFeature(features, 42, 0);
  else addAnswer(features, tokens, said, longest);
  normalise(features);
  return features;
}

const question = tokensOf("?", undefined).words[0];

function addAnswer(features: Features, tokens: Tokens, said: Tokens, longest: number): void {
  const last = said.kinds.lastIndexOf("sentence", said.length - 2) + 1;
  const act = said.words.at(-1) === question ? 2 : said.words.includes(question as number) ? 3 : 1;
  addFeature(features, 50, act);
  addFeature(features, 51, act * 64 + bucket(tokens.length));
  addChain(features, 60 + act * 10, tokens.words, 0, 1, tokens.length, 2);
  addChain(features, 100, said.words, last, 1, said.length, 3);
  addRuns(features, 110, said.words, last, said.length, longest, weights.assistant);
  const known = new Set(said.words);
  let shared = 0;
  for (const word of new Set(tokens.words)) if (known.has(word)) shared += 1;
  addFeature(features, 120, bucket(shared));
  addFeature(features, 121, Math.round((4 * shared) / Math.max(1, tokens.length)));
}
