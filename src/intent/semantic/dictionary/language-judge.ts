/** Which language a message is in, by its words alone. Pure. */
import { hashText } from "../hash.ts";
import type { WordVectors } from "../vectors.ts";
import { isUnspaced } from "../words.ts";
import type { Dictionary } from "./dictionary.ts";
import { placeOfForm, placesOf, type SpacedLanguage } from "./find-places.ts";
import type { ForeignLanguage, LanguageJudge } from "./language.ts";
import { segment } from "./segment.ts";
import type { WordList } from "./word-list.ts";

interface JudgedWord {
  readonly word: string;
  readonly hash: number;
  /** How much it speaks for English; 0: it is not English. */
  readonly weight: number;
}

/** The language of a message shows in its first words. */
const wordsToJudge = 24;
/** Holds for about the thousand most frequent English words. */
const shortnessOfFrequent = 1.7;
/** Longer Japanese has kana. */
const longestWithoutKana = 24;
/** A single letter is a word of several languages. */
const letters = /^[a-z\u00df-\u024f]{2,32}$/;
const kana = /[\u3041-\u30ff]/;
const han = /[\u3400-\u9fff]/;

export function languageJudge(
  dictionaries: ReadonlyMap<ForeignLanguage, Dictionary>,
  wordList: WordList | undefined,
  vectors: Pick<WordVectors, "rowOf" | "shortness">,
): LanguageJudge {
  const latin = (["de", "es", "fr"] as const).flatMap((language) => {
    const dictionary = dictionaries.get(language);
    return dictionary ? [[language, dictionary] as const] : [];
  });

  /** Rarer English words speak for English half, for names of things are borrowed: "el package.json". */
  const judgedOf = (words: readonly string[], hashes: readonly number[]): readonly JudgedWord[] => {
    const judged: JudgedWord[] = [];
    for (let i = 0; i < words.length && judged.length < wordsToJudge; i++) {
      const word = words[i] as string;
      const hash = hashes[i] as number;
      if (!letters.test(word)) continue;
      const row = vectors.rowOf(hash);
      judged.push({ word, hash, weight: row < 0 ? 0 : vectors.shortness(row) > shortnessOfFrequent ? 1 : 0.5 });
    }
    return judged;
  };

  /** Words that are this language's and not English count for it, those that are English alone against it. */
  const balanceOf = (judged: readonly JudgedWord[], language: SpacedLanguage, dictionary: Dictionary): number => {
    let balance = 0;
    const strange: string[] = [];
    for (const { word, hash, weight } of judged) {
      const place = placeOfForm(dictionary, language, word, hash);
      if (place >= 0) balance += weight === 0 ? 1 : dictionary.isTelling(place) ? 0.5 : 0;
      else if (weight > 0) balance -= weight;
      else if (wordList?.has(hash) !== true) strange.push(word);
    }
    if (balance + strange.length <= 0) return balance;
    return balance + 0.75 * strange.filter((word) => placesOf(dictionary, language, word).length > 0).length;
  };

  const latinLanguage = (words: readonly string[], hashes: readonly number[]): ForeignLanguage | undefined => {
    const judged = judgedOf(words, hashes);
    let [best, chosen] = [0, undefined as ForeignLanguage | undefined];
    for (const [language, dictionary] of latin) {
      const balance = balanceOf(judged, language, dictionary);
      if (balance > best) [best, chosen] = [balance, language];
    }
    return chosen;
  };

  /** Without kana a text is Japanese if that dictionary has all of it, in fewer words than the Chinese one. */
  const isShorterInJapanese = (text: string): boolean => {
    const [japanese, chinese] = [dictionaries.get("ja"), dictionaries.get("zh")];
    if (!japanese || !chinese || text.length > longestWithoutKana) return false;
    const inJapanese = segment(text, japanese);
    if (inJapanese.unread > 0) return false;
    const inChinese = segment(chinese.simplified(text), chinese);
    return inJapanese.places.length < inChinese.places.length + inChinese.unread;
  };

  const unspacedLanguage = (words: readonly string[], hashes: readonly number[]): ForeignLanguage | undefined => {
    const runs = words.filter((word) => kana.test(word) || han.test(word));
    if (runs.length === 0) return undefined;
    const language = runs.some((word) => kana.test(word)) || isShorterInJapanese(runs.join("")) ? "ja" : "zh";
    // A sign or a name may be quoted in a sentence of another language.
    const isQuoted = runs.join("").length < words.length - runs.length && latinLanguage(words, hashes) !== undefined;
    return dictionaries.has(language) && !isQuoted ? language : undefined;
  };

  return (words, hashes = words.map(hashText)) => {
    const unspaced = words.some((word) => isUnspaced(word)) ? unspacedLanguage(words, hashes) : undefined;
    return unspaced ?? latinLanguage(words, hashes);
  };
}
