/** The layer `keywords`: the policy's words and phrases, all in one pass, as words of their own. Pure. */

import { latePattern } from "../../lib/once.ts";
import { countLettersAndDigits } from "../../lib/text/characters.ts";
import { foldWords } from "./fold.ts";

export interface KeywordUse {
  readonly intent: number;
  /** As the policy writes it. */
  readonly source: string;
  /** With its accents, where it has any: then a text without them does not say it. */
  readonly accented?: string;
}

export interface Keyword {
  readonly bare: string;
  /** Specificity: its letters and digits, at least one. */
  readonly weight: number;
  readonly uses: readonly KeywordUse[];
  /** Made of letters alone: inside of an address or a file's name it is a part of a name. */
  readonly plain: boolean;
}

/** @param intents in the policy's order. What folds to the same word is one keyword with several uses. */
export function keywordsOf(intents: readonly { readonly keywords: readonly string[] }[]): Map<string, Keyword> {
  const keywords = new Map<string, Keyword & { uses: KeywordUse[] }>();
  intents.forEach((intent, index) => {
    for (const source of intent.keywords) {
      const { bare, exact } = foldKeyword(source);
      if (bare === "") continue;
      const use = { intent: index, source, accented: exact === bare ? undefined : exact };
      const held = keywords.get(bare);
      if (held === undefined) keywords.set(bare, { bare, weight: weightOf(bare), uses: [use], plain: isPlain(bare) });
      else if (!held.uses.some((one) => one.intent === index && one.accented === use.accented)) held.uses.push(use);
    }
  });
  return keywords;
}

function foldKeyword(source: string): { bare: string; exact: string } {
  if (/^[a-z0-9]+(?: [a-z0-9]+)*$/.test(source)) return { bare: source, exact: source };
  return foldWords(source);
}

const weightOf = (bare: string) => (/^[a-z0-9]+$/.test(bare) ? bare.length : Math.max(1, countLettersAndDigits(bare)));
const plain = latePattern(String.raw`^[\p{L}\p{N}\p{M}]+$`, "u");
const isPlain = (bare: string) => plain().test(bare);

/** Web addresses; behind their first unit, where a keyword such as `https` may stand. */
const webAddress = /(?:\b[a-z][a-z0-9+.-]{1,20}:\/\/|\bwww\.)[^\s<>"]+/g;
/**
 * Mail addresses, and files by the ends that are no words: "read notes.txt" asks for a file, not for a note. Each is
 * sought where its first letters begin, or a message of dots would take long.
 */
const name =
  /(?<![a-z0-9._%+-])[a-z0-9._%+-]{1,64}@[^\s<>"]+|(?<![a-z0-9._/\\~-])[a-z0-9._/\\~-]{1,64}\.(?:txt|md|json|jsonl|ya?ml|toml|csv|tsv|xml|html?|css|[cm]?js|[cm]?ts|[jt]sx|py|rb|rs|java|kt|[ch]pp|[ch]|cs|php|swift|sh|sql|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|webp|mp[34]|wav|zip|t?gz|tar|log|lock|ini|cfg|conf|ipynb|tex)(?![a-z0-9_-])/g;

/** @returns whether a word lies inside of an address or a file's name, by its start. Cheap where a text holds none. */
export function addressesIn(bare: string): (index: number) => boolean {
  if (!/:\/\/|www\.|@|\.[a-z]/.test(bare)) return () => false;
  const spans = [
    ...Array.from(bare.matchAll(webAddress), (match) => [match.index + 1, match.index + match[0].length] as const),
    ...Array.from(bare.matchAll(name), (match) => [match.index, match.index + match[0].length] as const),
  ];
  return (index) => spans.some(([start, end]) => index >= start && index < end);
}
