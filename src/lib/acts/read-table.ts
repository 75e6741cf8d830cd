/** Reads the tables of words: a line that is not indented begins a block, and each line of a block begins with a language. Pure. */

export interface TableLine {
  readonly language: string;
  readonly words: readonly string[];
}

interface TableBlock {
  readonly head: string;
  readonly lines: readonly TableLine[];
}

/** A short block may be one line: `reject - en: declin de: ablehn`. */
export const readTable = (table: string): readonly TableBlock[] =>
  table
    .trim()
    .split(/\n(?! )/)
    .map((block) => {
      const [head = "", ...lines] = block.split(/\s+(?=[a-z]+:\s)/);
      return {
        head,
        lines: lines.map((line) => {
          const [language = "", ...words] = line.split(/\s+/);
          return { language: language.slice(0, -1), words };
        }),
      };
    });

/** Each word with the key of its list. */
export const keysByWord = <Key extends string>(lists: Readonly<Record<Key, string>>): ReadonlyMap<string, Key> =>
  new Map(
    (Object.entries(lists) as [Key, string][]).flatMap(([key, words]) =>
      words.split(/\s+/).flatMap((word) => (word === "" ? [] : [[word, key] as const])),
    ),
  );
