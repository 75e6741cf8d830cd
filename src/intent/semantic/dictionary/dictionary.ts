/**
 * A dictionary as it lies in the asset: words of a language → up to three rows of the English word vectors. Pure; reads views, parses
 * nothing.
 *
 * | bytes | what |
 * |---|---|
 * | 7 × 4 | magic, version, fingerprint of the word vectors, fingerprint of the dictionary, words, pairs of characters, extras |
 * | words × 4 | hashes, ascending |
 * | extras × 4 | hashes of English words that have no vector; they are numbered behind the rows |
 * | words × 3 × 2 | rows, the best first; `noRow` if there are fewer, `tellingRow` |
 * | pairs × 2 × 2 | traditional characters, ascending, then the simplified one of each |
 */
import { err, ok, type Result } from "../../../lib/result.ts";

export const dictionaryMagic = 0x44_57_47_54;
export const dictionaryVersion = 2;
export const dictionaryHeadBytes = 28;
export const rowsAWord = 3;
export const noRow = 0xffff;
/** In place of the last row: the word shows the language, although English texts hold it too. */
export const tellingRow = 0xfffe;

export interface Dictionary {
  /** Tells one asset from another. */
  readonly fingerprint: number;
  readonly words: number;
  /** Place of the word of that hash, or -1. */
  find(hash: number): number;
  /** Its rows begin at `place * rowsAWord`. */
  readonly rows: Uint16Array;
  /** Whether the word at that place shows the language, although English texts hold it too. */
  isTelling(place: number): boolean;
  /** Hashes of the English words that are numbered from `vectors.rows` on. */
  readonly extras: Uint32Array;
  /** The text in simplified characters; unchanged if the dictionary has no pairs. */
  simplified(text: string): string;
}

/** Refuses a file that is cut off, or was made for other word vectors. @param vectors their fingerprint. */
export function readDictionary(bytes: ArrayBuffer, vectors: number): Result<Dictionary, string> {
  if (bytes.byteLength < dictionaryHeadBytes) return err("the dictionary is cut off");
  const [magic, version, madeFor, fingerprint = 0, words = 0, pairs = 0, extra = 0] = new Uint32Array(bytes, 0, 7);
  if (magic !== dictionaryMagic) return err("this is no dictionary");
  if (version !== dictionaryVersion)
    return err(`a dictionary of version ${version} where ${dictionaryVersion} is read`);
  if (madeFor !== vectors) return err("the dictionary was made for other word vectors");
  const want = dictionaryHeadBytes + words * (4 + 2 * rowsAWord) + (pairs + extra) * 4;
  if (words < 1 || bytes.byteLength !== want)
    return err(`the dictionary has ${bytes.byteLength} bytes where ${want} are due`);
  const hashes = new Uint32Array(bytes, dictionaryHeadBytes, words);
  const extras = new Uint32Array(bytes, dictionaryHeadBytes + 4 * words, extra);
  const rows = new Uint16Array(bytes, dictionaryHeadBytes + 4 * (words + extra), words * rowsAWord);
  const characters = new Uint16Array(bytes, rows.byteOffset + rows.byteLength, pairs * 2);
  const isTelling = (place: number): boolean => {
    for (let at = place * rowsAWord; at < (place + 1) * rowsAWord; at++) if (rows[at] === tellingRow) return true;
    return false;
  };
  return ok({ fingerprint, words, rows, isTelling, extras, find: finder(hashes), simplified: simplifier(characters) });
}

/** Hashes are spread evenly: a table with the start of each group of them leaves a few to look at, and is made in one pass. */
function finder(hashes: Uint32Array): (hash: number) => number {
  const bits = Math.max(1, Math.min(16, Math.ceil(Math.log2(hashes.length)) - 1));
  const shift = 32 - bits;
  const starts = new Uint32Array(2 ** bits + 1);
  for (const hash of hashes) starts[(hash >>> shift) + 1] = (starts[(hash >>> shift) + 1] as number) + 1;
  for (let i = 1; i < starts.length; i++) starts[i] = (starts[i] as number) + (starts[i - 1] as number);
  return (hash) => {
    const group = hash >>> shift;
    const end = starts[group + 1] as number;
    for (let i = starts[group] as number; i < end; i++) if (hashes[i] === hash) return i;
    return -1;
  };
}

function simplifier(characters: Uint16Array): (text: string) => string {
  const pairs = characters.length / 2;
  if (pairs === 0) return (text) => text;
  let table: Map<number, number> | undefined;
  return (text) => {
    table ??= new Map(
      Array.from({ length: pairs }, (_, i) => [characters[i] as number, characters[pairs + i] as number]),
    );
    let out = "";
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      out += String.fromCharCode(table.get(unit) ?? unit);
    }
    return out;
  };
}
