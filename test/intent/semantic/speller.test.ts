/** What the trained layer reads is corrected against the policy's words and the vectors that ship. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { vocabularyOf } from "../../../src/intent/semantic/encoder.ts";
import { hashIndex, hashText } from "../../../src/intent/semantic/hash.ts";
import { vocabularySpeller } from "../../../src/intent/semantic/speller.ts";
import { wordsOf } from "../../../src/intent/semantic/words.ts";
import { languageLoader } from "../../../src/stores/semantic/languages-asset.ts";
import { vectors as english, folder } from "./policies.ts";

const loader = languageLoader(async (file) => new Uint8Array(readFileSync(`${folder}${file}`)).buffer);
const vectors = await loader.load(english, ["de", "en", "es", "fr", "ja", "zh"]);
const own = ["make a note", "Flashcards", "calendar", "Karteikarten", "recordatorio", "summarize"];
const vocabulary = vocabularyOf(own, vectors.languages);
const speller = vocabularySpeller(vocabulary, hashIndex(vocabulary.hashes), vectors);
const correct = (text: string) => {
  const words = wordsOf(text);
  return speller(text, { words, hashes: words.map(hashText), language: vectors.languages?.languageOf(words) });
};

describe("a message's words", () => {
  it.each([
    ["amke a ntoe plese", "make a note please"],
    ["creat flaschards for chapter 2", "create flashcards for chapter 2"],
    ["put it in my calender", "put it in my calendar"],
    ["can you sumarize this recieved mesage", "can you summarize this received message"],
    ["mach mir bitte Karteikraten zum Thema", "mach mir bitte Karteikarten zum Thema"],
    ["ponme un recordatoio para mañana", "ponme un recordatorio para mañana"],
  ])("%s → %s", (text, corrected) => {
    expect(correct(text).text).toBe(corrected);
  });

  it.each([
    "the kiln at the pottery is vegan and so is the ramen",
    "Ask Calenda about the CALENDA flag",
    "don't login, whats the kms to Noth?",
    "Schreib dem Klempner wegen der Überweisungsträger",
    "apúntame la cita del dentista, porfa",
    "カレンダーにcalendaを足して",
    "",
  ])("%s stays", (text) => {
    expect(correct(text)).toEqual({ text, corrections: [] });
  });
});
