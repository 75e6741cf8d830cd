/** Finds German words that are inflected or compound. Pure; the time is bounded by the word's length. */
import { type Ending, type FindWord, findByEnding, withoutMarks } from "./find-word.ts";

/** Written as the dictionary has it: `ä` is `a`, `ß` is `ss`. */
export const foldGerman = (word: string): string => withoutMarks(word).replaceAll("ß", "ss");

/** The dictionary's form of the ending. */
const infinitives = ["", "en", "n", "e"];
const endings: readonly Ending[] = [
  "",
  "e",
  "n",
  "en",
  "s",
  "es",
  "er",
  "ern",
  "em",
  "t",
  "st",
  "te",
  "ten",
  "et",
  "est",
  "ete",
  "eten",
  "tet",
  "test",
].map((ending) => [ending, infinitives]);
const prefixes = [
  "auf",
  "ab",
  "an",
  "aus",
  "ein",
  "zu",
  "vor",
  "nach",
  "mit",
  "weg",
  "los",
  "um",
  "her",
  "hin",
  "zusammen",
  "zuruck",
  "raus",
  "rein",
  "durch",
  "fest",
  "bei",
  "weiter",
  "unter",
  "uber",
];

export function findGerman(folded: string, find: FindWord): readonly number[] {
  const place = inflected(folded, find) ?? participle(folded, find) ?? umlautWrittenOut(folded, find);
  return place === undefined ? compound(folded, find) : [place];
}

const inflected = (word: string, find: FindWord): number | undefined => findByEnding(word, endings, find, 3);

/** `geloscht`, `aufgeschrieben`, `aufzuschreiben`: the verb without `ge` or `zu`, with its prefix, else without. */
function participle(word: string, find: FindWord): number | undefined {
  const prefix = prefixes.find((start) => word.startsWith(start)) ?? "";
  for (const start of new Set([prefix, ""])) {
    const rest = word.slice(start.length);
    const infix = ["ge", "zu"].find((part) => rest.startsWith(part)) ?? "";
    const verb = rest.slice(infix.length);
    if (verb.length < 4 || (infix === "" && start === "")) continue;
    const place = (infix === "" ? undefined : inflected(start + verb, find)) ?? inflected(verb, find);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** `loeschen` for `löschen`. */
function umlautWrittenOut(word: string, find: FindWord): number | undefined {
  const shorter = word.replaceAll(/([aou])e/g, "$1");
  return shorter === word ? undefined : inflected(shorter, find);
}

const links = ["", "s", "n", "en", "es", "er"];
const shortestPart = 3;

/** The longest end that is a word gives the main meaning; the beginning, if it is a word, narrows it: `terminkalender`. */
function compound(word: string, find: FindWord): readonly number[] {
  for (let cut = shortestPart; cut <= word.length - shortestPart - 1; cut++) {
    const end = inflected(word.slice(cut), find);
    if (end === undefined) continue;
    const start = startOf(word.slice(0, cut), find);
    if (start >= 0) return [end, start];
  }
  return [];
}

function startOf(part: string, find: FindWord): number {
  for (const link of links) {
    if (!part.endsWith(link)) continue;
    const stem = part.slice(0, part.length - link.length);
    if (stem.length < shortestPart) continue;
    for (const infinitive of infinitives) {
      const place = find(stem + infinitive);
      if (place >= 0) return place;
    }
  }
  return -1;
}
