/** Words of other languages, read as the English words that they mean. Pure; never throws on any text. */
import { hashText, pairHash } from "../hash.ts";
import type { WordVectors } from "../vectors.ts";
import { isUnspaced } from "../words.ts";
import { type Dictionary, noRow, rowsAWord, tellingRow } from "./dictionary.ts";
import { placeOfForm, placesOf, type SpacedLanguage } from "./find-places.ts";
import type { ForeignLanguage, Languages, Meaning } from "./language.ts";
import { languageJudge } from "./language-judge.ts";
import { segment } from "./segment.ts";
import type { WordList } from "./word-list.ts";

/** Words of a message that are taken apart: bounds the time. */
const maxTakenApart = 48;
/** Characters without spaces that are read: as much as the words of other scripts. */
const maxUnspaced = 512;

export function languagesOf(
  dictionaries: ReadonlyMap<ForeignLanguage, Dictionary>,
  wordList: WordList | undefined,
  vectors: Pick<WordVectors, "rowOf" | "hashOf" | "shortness" | "rows">,
): Languages {
  return {
    fingerprint: [...dictionaries].reduce(
      (all, [language, { fingerprint }]) => pairHash(all, pairHash(hashText(language), fingerprint)),
      wordList?.fingerprint ?? 0,
    ),
    languageOf: languageJudge(dictionaries, wordList, vectors),
    read(words, language) {
      const dictionary = dictionaries.get(language);
      if (!dictionary) return words.map(() => undefined);
      const meaningOf = (place: number) => meaningAt(dictionary, vectors, place);
      let [takenApart, unitsLeft] = [0, maxUnspaced];
      return words.map((word) => {
        if (isUnspaced(word)) {
          const { places, unknown } = segment(word.slice(0, unitsLeft), dictionary);
          unitsLeft = Math.max(0, unitsLeft - word.length);
          return { meanings: places.map(meaningOf), parts: places.length + unknown, known: places.length };
        }
        if (!isSpaced(language)) return undefined;
        const place = placeOfForm(dictionary, language, word, hashText(word));
        if (place >= 0) return { meanings: [meaningOf(place)], parts: 1, known: 1 };
        takenApart++;
        if (takenApart > maxTakenApart) return undefined;
        const places = placesOf(dictionary, language, word);
        return places.length === 0 ? undefined : { meanings: places.map(meaningOf), parts: 1, known: 1 };
      });
    },
    knows(word, language) {
      const dictionary = dictionaries.get(language);
      return dictionary !== undefined && isSpaced(language) && placesOf(dictionary, language, word).length > 0;
    },
    isRareWord: (hash) => wordList?.has(hash) === true,
    simplified: (text) => dictionaries.get("zh")?.simplified(text) ?? text,
  };
}

const isSpaced = (language: ForeignLanguage): language is SpacedLanguage =>
  language === "de" || language === "es" || language === "fr";

function meaningAt(
  { rows, extras }: Dictionary,
  vectors: Pick<WordVectors, "hashOf" | "rows">,
  place: number,
): Meaning {
  const meaning = { hashes: [] as number[], rows: [] as number[] };
  for (let i = place * rowsAWord; i < (place + 1) * rowsAWord; i++) {
    const row = rows[i] as number;
    if (row === noRow || row === tellingRow) break;
    if (row < vectors.rows) meaning.rows.push(row);
    meaning.hashes.push(row < vectors.rows ? vectors.hashOf(row) : (extras[row - vectors.rows] ?? 0));
  }
  return meaning;
}
