/**
 * Reads our own lists of everyday words that dictionaries lack or translate by a rarer sense. Made by hand: `english: word word …`; words
 * under `-` say nothing about the request; words under `=` show the language although they occur in English texts too, in names.
 */
import { readFileSync } from "node:fs";

interface OwnWords {
  readonly empty: ReadonlySet<string>;
  readonly telling: ReadonlySet<string>;
  /** Word → its translations, in the order of the list. */
  readonly meanings: ReadonlyMap<string, readonly string[]>;
}

export function readOwnWords(path: string): OwnWords {
  const empty = new Set<string>();
  const telling = new Set<string>();
  const meanings = new Map<string, string[]>();
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const colon = line.indexOf(":");
    if (colon < 0) continue;
    const english = line.slice(0, colon);
    for (const word of line
      .slice(colon + 1)
      .trim()
      .split(/\s+/)) {
      if (english === "-") empty.add(word);
      else if (english === "=") telling.add(word);
      else meanings.set(word, [...(meanings.get(word) ?? []), english]);
    }
  }
  return { empty, telling, meanings };
}
