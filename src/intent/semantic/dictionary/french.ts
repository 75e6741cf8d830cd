/** Finds French words that are inflected. Pure; the time is bounded by the word's length. Elisions are divided by `wordsOf`. */
import { type Ending, endingsOf, type FindWord, findByEnding, withoutMarks } from "./find-word.ts";

/** Written as the dictionary has it: without accents, which people leave out; `œ` is `oe`. */
export const foldFrench = (word: string): string => withoutMarks(word.replaceAll("œ", "oe").replaceAll("æ", "ae"));

/** Letters before an ending. */
const SHORTEST = 2;
const nominal: readonly Ending[] = [
  // A request begins with such a form more often than with an adjective: "active", "continue".
  ["e", ["er"]],
  ["es", ["er"]],
  ["s", [""]],
  ["x", [""]],
  ["aux", ["al", "ail"]],
  ["elles", ["el", "eau"]],
  ["elle", ["el", "eau"]],
  ["ennes", ["en"]],
  ["enne", ["en"]],
  ["onnes", ["on"]],
  ["onne", ["on"]],
  ["ettes", ["et"]],
  ["ette", ["et"]],
  ["euses", ["eur", "eux"]],
  ["euse", ["eur", "eux"]],
  ["trices", ["teur"]],
  ["trice", ["teur"]],
  ["ives", ["if"]],
  ["ive", ["if"]],
  ["eres", ["er"]],
  ["ere", ["er"]],
  ["es", [""]],
  ["e", [""]],
  ["amment", ["ant"]],
  ["emment", ["ent"]],
  ["ement", ["", "e"]],
  ["ment", [""]],
];
const verbal = endingsOf(
  "eraient,iraient,assions,issions,eriez,iriez,erions,irions,issaient,issions,issons,issent,issant,issais,issait,issiez,issez,isses,isse,erais,erait,irais,irait,erons,irons,eront,iront,erez,irez,erai,irai,eras,iras,era,ira,rais,rait,rions,riez,raient,rons,rez,ront,rai,ras,ra,aient,erent,irent,ames,ates,ions,iez,ons,ent,ant,ante,antes,ants,ais,ait,ez,ees,ee,es,as,ai,is,it,ie,ies,us,ut,ue,ues,u,e,a,i,s,t",
  ["er", "r", "ir", "re", "tre", "dre"],
);

export function findFrench(folded: string, find: FindWord): readonly number[] {
  const place = findByEnding(folded, nominal, find, SHORTEST) ?? verbOf(folded, find);
  return place === undefined ? [] : [place];
}

const verbOf = (word: string, find: FindWord): number | undefined =>
  findByEnding(word, verbal, find, SHORTEST, stemsOf);

/**
 * The stem, and as it is spelt in the infinitive: `mange` is `mang`, `envoi` is `envoy`, `appell` is `appel`, `tienn` is `ten`, `traduis` is
 * `tradui`, `connaiss` is `connai`.
 */
function stemsOf(stem: string): readonly string[] {
  const spelt = stem
    .replace(/ge$/, "g")
    .replace(/i$/, "y")
    .replace(/([lt])\1$/, "$1");
  const changed = stem.replace(/ien+$/, "en").replace(/s+$/, "");
  return [...new Set([stem, spelt, changed])];
}
