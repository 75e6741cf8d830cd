/** Text without spaces → its words, by longest match. Pure; the time grows with the text's length. */
import { addUnit, mixed, seed } from "../hash.ts";
import type { Dictionary } from "./dictionary.ts";

/** The longest word that is looked for, in characters. */
const longest = 8;

interface Segments {
  /** Places in the dictionary, in order. */
  readonly places: readonly number[];
  /** Stretches that are in no dictionary. A single kana is an ending or a particle, and not counted. */
  readonly unknown: number;
  /** Characters that are in no word of the dictionary. */
  readonly unread: number;
}

export function segment(run: string, dictionary: Dictionary): Segments {
  const places: number[] = [];
  let [at, unknown, unread, unknownSince] = [0, 0, 0, 0];
  const closeUnknown = (end: number): void => {
    const skipped = end - unknownSince;
    unread += skipped;
    if (skipped > 1 || (skipped === 1 && !isHiragana(run.charCodeAt(unknownSince)))) unknown++;
  };
  while (at < run.length) {
    let [state, length, place] = [seed, 0, -1];
    for (let i = 0; i < longest && at + i < run.length; i++) {
      state = addUnit(state, run.charCodeAt(at + i));
      const found = dictionary.find(mixed(state));
      if (found >= 0) [length, place] = [i + 1, found];
    }
    if (place >= 0) {
      closeUnknown(at);
      places.push(place);
      unknownSince = at + length;
    }
    at += Math.max(1, length);
  }
  closeUnknown(at);
  return { places, unknown, unread };
}

const isHiragana = (unit: number): boolean => unit >= 0x3041 && unit <= 0x309f;
