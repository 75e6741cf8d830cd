/** The layer `keywords`: the policy's words and phrases, all in one pass, as words of their own. Pure. */
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
  /** Made of letters alone: inside of a web or mail address it is a part of a name. */
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

const weightOf = (bare: string) =>
  /^[a-z0-9]+$/.test(bare) ? bare.length : Math.max(1, bare.match(/[\p{L}\p{N}]/gu)?.length ?? 0);
const isPlain = (bare: string) => /^[\p{L}\p{N}\p{M}]+$/u.test(bare);

/** Web and mail addresses; behind their first unit, where a keyword such as `https` may stand. */
const address = /(?:\b[a-z][a-z0-9+.-]{1,20}:\/\/|\bwww\.|[a-z0-9._%+-]{1,64}@)[^\s<>"]+/g;

/** @returns whether a word lies inside of an address, by its start. Cheap where a text holds none. */
export function addressesIn(bare: string): (index: number) => boolean {
  if (!/:\/\/|www\.|@/.test(bare)) return () => false;
  const spans = [...bare.matchAll(address)].map((match) => [match.index, match.index + match[0].length] as const);
  return (index) => spans.some(([start, end]) => index > start && index < end);
}
