/** The layer `keywords`: finds the policy's words and phrases as words of their own. Pure. */

import { lazyRegExp } from "../../lib/once.ts";
import { countLettersAndDigits } from "../../lib/text/characters.ts";
import { foldWords } from "./fold.ts";
import { type Script, scriptOf, scripts } from "./script.ts";

interface KeywordUse {
  readonly intent: number;
  /** As the policy writes it. */
  readonly source: string;
  /** With its accents, if it has any: then a text without them does not match. */
  readonly accented: string | undefined;
}

export interface Keyword {
  /** Specificity: its letters and digits, at least one. */
  readonly weight: number;
  readonly uses: readonly KeywordUse[];
  /** Made of letters alone: inside of an address or a file's name it is a part of a name. */
  readonly isPlain: boolean;
}

/** By the folded word. @param intents in the policy's order. */
export function keywordsOf(intents: readonly { readonly keywords: readonly string[] }[]): Map<string, Keyword> {
  const keywords = new Map<string, Keyword & { uses: KeywordUse[] }>();
  intents.forEach((intent, index) => {
    for (const source of intent.keywords) {
      const { folded, exact } = foldWords(source);
      if (folded === "") continue;
      const accented = exact === folded ? undefined : exact;
      const keyword = keywords.get(folded) ?? {
        weight: Math.max(1, countLettersAndDigits(folded)),
        uses: [],
        isPlain: letters().test(folded),
      };
      keywords.set(folded, keyword);
      if (!keyword.uses.some((use) => use.intent === index && use.accented === accented)) {
        keyword.uses.push({ intent: index, source, accented });
      }
    }
  });
  return keywords;
}

const letters = lazyRegExp(String.raw`^[\p{L}\p{N}\p{M}]+$`, "u");

/** Web addresses, from behind their first unit: a keyword such as `https` may be there. */
const webAddress = /(?:\b[a-z][a-z0-9+.-]{1,20}:\/\/|\bwww\.)[^\s<>"]+/g;
/**
 * Mail addresses, and files by the ends that are no words: "read notes.txt" asks for a file, not for a note. Each is
 * tried only at its first letters, or a message of dots would take long.
 */
const name =
  /(?<![a-z0-9._%+-])[a-z0-9._%+-]{1,64}@[^\s<>"]+|(?<![a-z0-9._/\\~-])[a-z0-9._/\\~-]{1,64}\.(?:txt|md|json|jsonl|ya?ml|toml|csv|tsv|xml|html?|css|[cm]?js|[cm]?ts|[jt]sx|py|rb|rs|java|kt|[ch]pp|[ch]|cs|php|swift|sh|sql|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|webp|mp[34]|wav|zip|t?gz|tar|log|lock|ini|cfg|conf|ipynb|tex)(?![a-z0-9_-])/g;

/** @returns whether a word lies inside of an address or a file's name, by its start.  */
export function addressesIn(folded: string): (index: number) => boolean {
  if (!/:\/\/|www\.|@|\.[a-z]/.test(folded)) return () => false;
  const addresses = [
    ...Array.from(folded.matchAll(webAddress), (match) => [match.index + 1, match.index + match[0].length] as const),
    ...Array.from(folded.matchAll(name), (match) => [match.index, match.index + match[0].length] as const),
  ];
  return (index) => addresses.some(([start, end]) => index >= start && index < end);
}

/**
 * The end of a keyword that is a word of its own: "latest" holds no "test", and コンテスト (contest) no テスト (test).
 *
 * - Scripts with spaces: no letter, digit or `_` on either side.
 * - Katakana: a run of it is one word.
 * - Han, hiragana, Thai and the like have no marks between words: anywhere.
 * - Hangul: particles and the endings of 하다 may follow. It starts anywhere if it has two syllables or more (compounds are
 *   written together), else only at the beginning of a run of Hangul.
 * - A word ends at a change of script: quizを作って.
 * - A plural `s` may follow a Latin word of four letters or more (`es`, `zes` as English writes them): a policy that lists
 *   "exam" means "exams". Nothing else is inflected; a policy lists the forms that it means.
 * @returns undefined if it is no word of its own.
 */
export function wordEnd(text: string, start: number, end: number): number | undefined {
  if (!startsWord(text, start, end)) return undefined;
  const last = scriptOf(text.charCodeAt(end - 1));
  const next = end < text.length ? scriptOf(text.charCodeAt(end)) : scripts.none;
  if (last === scripts.hangul && next === scripts.hangul) return followsHangul(text, end) ? end : undefined;
  if (!together(last, next)) return end;
  return last === scripts.spaced ? pluralEnd(text, start, end) : undefined;
}

function startsWord(text: string, start: number, end: number): boolean {
  const first = scriptOf(text.charCodeAt(start));
  const before = start > 0 ? scriptOf(text.charCodeAt(start - 1)) : scripts.none;
  if (first === scripts.hangul) return before !== scripts.hangul || end - start > 1;
  return !together(before, first);
}

const together = (left: Script, right: Script) =>
  left === right && (left === scripts.spaced || left === scripts.katakana);

const particles =
  /^들?(?:을|를|이|가|은|는|의|에|에서|에게|한테|께|으로|로|와|과|하고|랑|이랑|도|만|까지|부터|마다|처럼|보다|밖에|이나|나|라도|이라도|이란|란|이라는|라는)?(?:요|은|는|도|만|의)?$/;
const verbs =
  /^(?:을|를|들|도|만)?(?:해|하|할|했|한|합|돼|되|된|될|됩|만들|내|주|줘|줄|준|좀|있|없|이에요|예요|이야|야|입니|인|말|빼)/;

function followsHangul(text: string, end: number): boolean {
  let stop = end;
  while (stop < text.length && stop < end + 12 && scriptOf(text.charCodeAt(stop)) === scripts.hangul) stop += 1;
  const rest = text.slice(end, stop);
  return particles.test(rest) || verbs.test(rest);
}

const plural = lazyRegExp(String.raw`^(?:z?es|s)(?![\p{L}\p{N}\p{M}_])`, "u");

function pluralEnd(text: string, start: number, end: number): number | undefined {
  const word = /[a-z]{4,}$/.exec(text.slice(Math.max(start, end - 40), end))?.[0];
  if (word === undefined || word.endsWith("s")) return undefined;
  const rest = plural().exec(text.slice(end, end + 5))?.[0];
  if (rest === undefined) return undefined;
  const fits = rest === "s" || (rest === "zes" ? /[^z]z$/.test(word) : /(?:x|z|ch|sh)$/.test(word));
  return fits ? end + rest.length : undefined;
}
