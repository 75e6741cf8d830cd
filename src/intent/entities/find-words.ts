/** All words of a list in a text, in one pass: at word boundaries, the longest at each place, none within another. Pure. */
import { isBoundary } from "./word-boundary.ts";

export interface WordList {
  readonly root: Node;
}

export interface FoundWord {
  /** Index of its meaning in the list that was compiled. */
  readonly meaning: number;
  readonly at: number;
  readonly end: number;
}

interface Node {
  readonly next: Map<number, Node>;
  meaning?: number;
}

const SPACE = 0x20;

/** @param meanings the words of each; of a word that stands in two, the first counts. */
export function compileWords(meanings: readonly (readonly string[])[]): WordList {
  const root: Node = { next: new Map() };
  for (const [meaning, words] of meanings.entries()) {
    for (const word of words) {
      let node = root;
      for (const unit of unitsOf(word)) {
        const known = node.next.get(unit);
        const next = known ?? { next: new Map() };
        if (!known) node.next.set(unit, next);
        node = next;
      }
      node.meaning ??= meaning;
    }
  }
  return { root };
}

/** The meaning of `text` as a whole. */
export function meaningOf({ root }: WordList, text: string): number | undefined {
  let node: Node | undefined = root;
  for (const unit of unitsOf(text)) node = node?.next.get(unit);
  return node?.meaning;
}

export function findWords(list: WordList, text: string): FoundWord[] {
  const folded = foldCase(text);
  const found: FoundWord[] = [];
  for (let at = 0; at < folded.length; ) {
    const word = isBoundary(folded, at) ? longestAt(list.root, folded, at) : undefined;
    if (word) found.push(word);
    at = word ? word.end : at + 1;
  }
  return found;
}

function longestAt(root: Node, text: string, at: number): FoundWord | undefined {
  let node = root;
  let longest: FoundWord | undefined;
  for (let end = at; end < text.length; ) {
    const space = isSpace(text.charCodeAt(end));
    const next = node.next.get(space ? SPACE : text.charCodeAt(end));
    if (!next) break;
    end++;
    while (space && end < text.length && isSpace(text.charCodeAt(end))) end++;
    node = next;
    if (node.meaning !== undefined && isBoundary(text, end)) longest = { meaning: node.meaning, at, end };
  }
  return longest;
}

/** As `findWords` reads a text: case folded, any white space one space. */
function unitsOf(word: string): number[] {
  const plain = foldCase(word.normalize("NFC")).replace(/\s+/g, " ");
  return Array.from({ length: plain.length }, (_, index) => plain.charCodeAt(index));
}

/** The same length as the text: `İ` alone would become two. The last sigma of a word is a sigma. */
const foldCase = (text: string): string => text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");

const isSpace = (unit: number): boolean => unit === SPACE || (unit >= 9 && unit <= 13) || unit === 0xa0;
