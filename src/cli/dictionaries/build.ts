/**
 * Makes `assets/words.*.bin`: words of other languages as rows of the English word vectors, and English words that have none.
 * `npm run dictionaries`, after `npm run vectors`.
 *
 * 1. Our own list of everyday words comes first (`words.*.txt`).
 * 2. German, Spanish and French: FreeDict, through third languages, if several paths agree.
 * 3. Japanese: the common words of EDICT, with the stems that endings stick to. Chinese: CC-CEDICT.
 * 4. English words that are correct although they have no vector: GloVe's frequent words, WordNet's words, and words of user interfaces.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rowsAWord, tellingRow } from "../../intent/semantic/dictionary/dictionary.ts";
import { foldFrench } from "../../intent/semantic/dictionary/french.ts";
import { foldGerman } from "../../intent/semantic/dictionary/german.ts";
import { foldSpanish } from "../../intent/semantic/dictionary/spanish.ts";
import { hashText } from "../../intent/semantic/hash.ts";
import { mustReadVectors, VECTORS_ASSET } from "../../stores/semantic/assets.ts";
import { programArguments } from "../program-arguments.ts";
import { characterPairs, readCedict } from "./cedict.ts";
import { unpackDebian } from "./debian.ts";
import { debianPackages } from "./debian-packages.ts";
import { readEdict } from "./edict.ts";
import { frequentWords, rareWords, rowsOfEnglish } from "./english.ts";
import { inverted, joined, readFreedict } from "./freedict.ts";
import { readOwnWords } from "./own-words.ts";
import { packDictionary, packWordList } from "./pack.ts";
import { elected, type Votes, vote } from "./votes.ts";

programArguments(
  "npm run dictionaries\nmakes assets/words.*.bin anew: a minute; needs Debian's apt-get and dpkg-deb",
  {},
);

const here = fileURLToPath(new URL(".", import.meta.url));
const assets = fileURLToPath(new URL("../../../assets/", import.meta.url));
const cache = fileURLToPath(new URL("../../../.wrangler/dictionaries/", import.meta.url));
const modules = `${here}node_modules`;

const packages = unpackDebian(debianPackages, cache);
const vectors = mustReadVectors(new Uint8Array(readFileSync(`${assets}${VECTORS_ASSET}`)).buffer);
const frequent = frequentWords(modules);
const rankOf = new Map(frequent.map((word, rank) => [word, rank]));

/** A sum of votes below this is a guess of a single path. */
const leastVotes = 0.55;
/** Chinese words are kept whose translation is an everyday word. */
const everyday = 9000;
/** English words this frequent count as words of another language only if our own list has them: "my" is a letter in German. */
const frequentEnglish = 1000;

/** Longer translations are explanations. */
const listed = rowsOfEnglish(vectors, 2);

const { de, es, fr } = fromFreedict();
write("de", de, foldGerman);
write("es", es, foldSpanish);
write("fr", fr, foldFrench);
write("ja", japanese(), (word) => word.normalize("NFKC").toLowerCase());
const cedict = await readCedict(`${modules}/cc-cedict/data/all.js`);
write("zh", chinese(), (word) => word, characterPairs(cedict));
writeEnglish();
writeManifest();

type Entries = ReadonlyMap<string, readonly string[]>;

function fromFreedict(): { readonly de: Entries; readonly es: Entries; readonly fr: Entries } {
  const read = (pair: string) => readFreedict(packages, pair);
  const finnish = joined(read("fin-eng"), inverted(read("eng-fin")));
  const [polish, greek, bulgarian] = [read("pol-eng"), read("ell-eng"), inverted(read("eng-bul"))];
  const german: Votes = new Map();
  vote(german, joined(read("deu-fin"), inverted(read("fin-deu"))), finnish);
  vote(german, joined(read("deu-pol"), inverted(read("pol-deu"))), polish);
  vote(german, read("deu-ell"), greek);
  vote(german, read("deu-bul"), bulgarian);
  const de = elected(german, leastVotes);
  const spanish: Votes = new Map();
  vote(spanish, inverted(read("pol-spa")), polish);
  vote(spanish, inverted(read("ell-spa")), greek);
  vote(spanish, inverted(read("deu-spa")), de);
  const es = elected(spanish, leastVotes);
  const french: Votes = new Map();
  vote(french, joined(read("fra-fin"), inverted(read("fin-fra"))), finnish);
  vote(french, joined(read("fra-pol"), inverted(read("pol-fra"))), polish);
  vote(french, joined(read("fra-ell"), inverted(read("ell-fra"))), greek);
  vote(french, read("fra-bul"), bulgarian);
  vote(french, joined(read("fra-deu"), inverted(read("deu-fra"))), de);
  vote(french, read("fra-spa"), es);
  return { de, es, fr: withoutParticiples(elected(french, leastVotes)) };
}

/** Without its accent "remplacé" is the imperative of "remplacer", which would be read as a participle. */
function withoutParticiples(entries: Entries): Entries {
  return new Map([...entries].filter(([word]) => !(word.endsWith("é") && entries.has(`${word.slice(0, -1)}er`))));
}

function japanese(): Entries {
  const entries = new Map<string, readonly string[]>();
  for (const { forms, english } of readEdict(`${packages}/edict/usr/share/edict/edict`)) {
    for (const form of forms) if (!entries.has(form)) entries.set(form, english);
  }
  return entries;
}

function chinese(): Entries {
  const entries = new Map<string, string[]>();
  for (const { simplified, english } of cedict) {
    const isEveryday = english.some((text) => (rankOf.get(text.replace(/^to /, "")) ?? everyday) < everyday);
    if (isEveryday) entries.set(simplified, [...(entries.get(simplified) ?? []), ...english]);
  }
  return entries;
}

function write(
  language: string,
  entries: Entries,
  fold: (word: string) => string,
  pairs: ReadonlyMap<string, string> = new Map(),
): void {
  const words = new Map<number, readonly number[]>();
  const extras = new Map<number, number>();
  const { empty, telling, meanings } = readOwnWords(`${here}words.${language}.txt`);
  const key = (word: string) => hashText(fold(word.toLowerCase()));
  /** The row of an English word in our own list, or the number of its extra. */
  const numberOf = (word: string): number => {
    const hash = hashText(word);
    const row = vectors.rowOf(hash);
    if (row >= 0) return row;
    if (!extras.has(hash)) extras.set(hash, vectors.rows + extras.size);
    return extras.get(hash) as number;
  };
  for (const [word, english] of meanings) {
    const rows = english.flatMap((text) => text.split(" ").map(numberOf));
    words.set(key(word), first(words.get(key(word)) ?? [], rows));
  }
  for (const word of empty) words.set(key(word), []);
  for (const [word, english] of entries) {
    if (
      words.has(key(word)) ||
      /\s/.test(word) ||
      (rankOf.get(fold(word.toLowerCase())) ?? frequentEnglish) < frequentEnglish
    )
      continue;
    const rows = first(
      [],
      english.flatMap((text) => listed(text) ?? []),
    );
    if (rows.length > 0) words.set(key(word), rows);
  }
  for (const word of telling)
    words.set(key(word), [...(words.get(key(word)) ?? []).slice(0, rowsAWord - 1), tellingRow]);
  writeAsset(`words.${language}.bin`, packDictionary(words, [...extras.keys()], pairs, vectors.fingerprint));
}

function first(some: readonly number[], more: readonly number[]): readonly number[] {
  return [...new Set([...some, ...more])].slice(0, rowsAWord);
}

function writeEnglish(): void {
  const own = readFileSync(`${here}words.en.txt`, "utf8").split(/\s+/);
  const words = new Set([...rareWords(modules, frequent, vectors), ...own]);
  writeAsset("words.en.bin", packWordList([...words].map(hashText)));
}

function writeAsset(file: string, bytes: Uint8Array): void {
  writeFileSync(`${assets}${file}`, bytes);
  console.log(file, bytes.length, "bytes");
}

function writeManifest(): void {
  const files = ["de", "en", "es", "fr", "ja", "zh"].map((language) => {
    const bytes = readFileSync(`${assets}words.${language}.bin`);
    return {
      file: `words.${language}.bin`,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      bytes: bytes.length,
      gzipped: gzipSync(bytes, { level: 9 }).length,
    };
  });
  const sources = {
    ...JSON.parse(readFileSync(`${here}package.json`, "utf8")).dependencies,
    ...Object.fromEntries(Object.entries(debianPackages).map(([name, [version]]) => [name, version])),
  };
  const path = `${assets}manifest.json`;
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  manifest.dictionaries = { madeBy: "npm run dictionaries", files, sources, licences: "NOTICE.md" };
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
}
