/** The gateway's dictionaries: static assets, each read once an isolate, and only if a policy needs it. */
import { type Dictionary, readDictionary } from "../../intent/semantic/dictionary/dictionary.ts";
import type { ForeignLanguage } from "../../intent/semantic/dictionary/language.ts";
import { languagesOf } from "../../intent/semantic/dictionary/languages.ts";
import { readWordList, type WordList } from "../../intent/semantic/dictionary/word-list.ts";
import { type WordVectors, withLanguages } from "../../intent/semantic/vectors.ts";
import type { TrainingSet } from "../../intent/training-set.ts";
import { log } from "../../lib/log.ts";
import { err, type Result } from "../../lib/result.ts";
import { type Assets, loadAsset } from "./assets.ts";

type PolicyLanguage = TrainingSet["languages"][number];

export const languageAsset = (language: PolicyLanguage): string => `words.${language}.bin`;

interface LanguageLoader {
  /**
   * The vectors with the dictionaries of those languages. A dictionary that is missing or not readable is left out and logged: its
   * language is then read by pieces of its words. Throws if reading fails for now.
   */
  load(vectors: WordVectors, languages: readonly PolicyLanguage[]): Promise<WordVectors>;
}

/** @param read the bytes of an asset; undefined if there is none. */
export function languageLoader(read: (file: string) => Promise<ArrayBuffer | undefined>): LanguageLoader {
  const dictionaries = new Map<ForeignLanguage, Dictionary>();
  let wordList: WordList | undefined;
  const leftOut = new Set<PolicyLanguage>();

  async function loadOne(language: PolicyLanguage, vectors: WordVectors): Promise<void> {
    if (leftOut.has(language) || (language === "en" ? wordList !== undefined : dictionaries.has(language))) return;
    const bytes = await read(languageAsset(language));
    const made = bytes === undefined ? err("there is no such asset") : open(language, bytes, vectors.fingerprint);
    if (made.ok) return;
    leftOut.add(language);
    log("warn", "semantic_dictionary_left_out", { language, why: made.error });
  }

  function open(language: PolicyLanguage, bytes: ArrayBuffer, vectors: number): Result<unknown, string> {
    if (language === "en") {
      const list = readWordList(bytes);
      if (list.ok) wordList = list.value;
      return list;
    }
    const dictionary = readDictionary(bytes, vectors);
    if (dictionary.ok) dictionaries.set(language, dictionary.value);
    return dictionary;
  }

  return {
    async load(vectors, languages) {
      await Promise.all(languages.map((language) => loadOne(language, vectors)));
      const chosen = [...dictionaries].filter(([language]) => languages.includes(language));
      const list = languages.includes("en") ? wordList : undefined;
      if (chosen.length === 0 && list === undefined) return vectors;
      // In a fixed order, whichever was read first: the order is part of the fingerprint.
      chosen.sort(([a], [b]) => (a < b ? -1 : 1));
      return withLanguages(vectors, languagesOf(new Map(chosen), list, vectors));
    },
  };
}

export const assetLanguages = (assets: Assets | undefined): LanguageLoader =>
  languageLoader((file) => loadAsset(assets, file));
