/** Finds Spanish words that are inflected. Pure; the time is bounded by the word's length. */
import { type Ending, endingsOf, type FindWord, findByEnding, withoutMarks } from "./find-word.ts";

/** Written as the dictionary has it: without accents, which people leave out. */
export const foldSpanish = withoutMarks;

const pronouns = /(?:me|te|se|nos|os)?(?:les|los|las|le|lo|la|me|te|se|nos|os)$/;
/** Letters before an ending. */
const SHORTEST = 2;
const nominal: readonly Ending[] = [
  ["", [""]],
  ["s", [""]],
  ["es", ["", "e"]],
  ["ces", ["z"]],
  ["a", ["o", ""]],
  ["as", ["o", "a"]],
  ["os", ["o"]],
  ["ito", ["o", ""]],
  ["ita", ["a"]],
  ["itos", ["o"]],
  ["itas", ["a"]],
  ["cito", [""]],
  ["cita", [""]],
  ["mente", ["", "o"]],
];
const verbal = endingsOf(
  "aramos,ieramos,iesemos,aremos,eremos,iremos,asteis,isteis,abamos,ariamos,eriamos,iriamos,iendo,yendo,ieron,yeron,arias,erias,irias,arian,erian,irian,aste,iste,aron,ando,amos,emos,imos,aban,abas,aras,aran,eras,eran,iras,iran,aria,eria,iria,ados,adas,idos,idas,ado,ada,ido,ida,ais,eis,aba,ian,ias,are,ere,ire,ara,era,ira,ia,as,an,es,en,io,ar,er,ir,a,e,i,o,r",
  ["ar", "er", "ir"],
);

export function findSpanish(folded: string, find: FindWord): readonly number[] {
  const place = findByEnding(folded, nominal, find, SHORTEST) ?? verbOf(folded, find) ?? withoutPronouns(folded, find);
  return place === undefined ? [] : [place];
}

/** `mandale`, `apuntamelo`, `borrarlos`. */
function withoutPronouns(word: string, find: FindWord): number | undefined {
  const stem = word.replace(pronouns, "");
  if (stem === word || stem.length < 2) return undefined;
  const place = find(stem);
  return place >= 0 ? place : verbOf(stem, find);
}

const verbOf = (word: string, find: FindWord): number | undefined =>
  findByEnding(word, verbal, find, SHORTEST, stemsOf);

/** The stem, and as it is spelt before another vowel (`busqu` is `busc`), and before its vowel changed (`cuent` is `cont`). */
function stemsOf(stem: string): readonly string[] {
  const spelt = stem.endsWith("qu")
    ? `${stem.slice(0, -2)}c`
    : stem.endsWith("gu")
      ? stem.slice(0, -1)
      : stem.replace(/c$/, "z");
  const changed = spelt.replace(/ue(?=[^aeiou]+$)/, "o").replace(/ie(?=[^aeiou]+$)/, "e");
  const raised = spelt.replace(/i(?=[^aeiou]+$)/, "e");
  return [...new Set([stem, spelt, changed, raised])];
}
