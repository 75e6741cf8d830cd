/** Reads FreeDict's dictionaries in the form of dictd: which word has which translations. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** Words and their translations, the best first. */
export type Translations = ReadonlyMap<string, readonly string[]>;

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const numberOf = (text: string): number => [...text].reduce((sum, digit) => sum * 64 + digits.indexOf(digit), 0);

/** @param folder of the unpacked packages. @param pair such as `deu-fin`. */
export function readFreedict(folder: string, pair: string): Translations {
  const path = `${folder}/dict-freedict-${pair}/usr/share/dictd/freedict-${pair}`;
  const text = gunzipSync(readFileSync(`${path}.dict.dz`));
  const translations = new Map<string, string[]>();
  const seen = new Set<number>();
  for (const line of readFileSync(`${path}.index`, "utf8").split("\n")) {
    const [word = "", start = "", length = ""] = line.split("\t");
    const at = numberOf(start);
    if (word === "" || word.startsWith("00") || seen.has(at)) continue;
    seen.add(at);
    const [head, found] = translationsOf(text.toString("utf8", at, at + numberOf(length)).split("\n"));
    if (head === "" || found.length === 0) continue;
    translations.set(head, [...new Set([...(translations.get(head) ?? []), ...found])]);
  }
  return translations;
}

/** The dictionary in the other direction. */
export function inverted(translations: Translations): Translations {
  const back = new Map<string, string[]>();
  for (const [word, others] of translations)
    for (const other of others) back.set(other, [...(back.get(other) ?? []), word]);
  return back;
}

export function joined(first: Translations, second: Translations): Translations {
  const all = new Map(first);
  for (const [word, others] of second) all.set(word, [...new Set([...(all.get(word) ?? []), ...others])]);
  return all;
}

/** An entry: the head, its sound and part of speech; then translations, numbered where there are several senses. Names are left out. */
function translationsOf([first = "", ...rest]: readonly string[]): readonly [head: string, translations: string[]] {
  if (first.includes("<pn>")) return ["", []];
  const head = first.replace(/\s+[/<].*$/, "").trim();
  const numbered = rest.flatMap((line) => /^ ?\d+\. (.+)$/.exec(line)?.[1] ?? []);
  const lines = numbered.length > 0 ? numbered : rest.slice(0, 1);
  const words = lines.flatMap((line) => line.replace(/ \d+\.$/, "").split(/[,;]/));
  return [head, words.map(plainWord).filter((word) => word !== "")];
}

/** Bulgarian entries mark the stress. */
const plainWord = (text: string): string =>
  text
    .replaceAll(/\(.*?\)|\[.*?\]/g, "")
    .replaceAll("\u0301", "")
    .trim();
