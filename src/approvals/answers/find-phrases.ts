/**
 * A message as a row of known phrases, with nothing left over; undefined where anything is. Pure, and bounded: a message
 * that is an answer is short.
 */
import { en } from "./en.ts";
import type { PhraseKind, Phrases } from "./phrases.ts";
import { plainWords } from "./plain-words.ts";

export type Item = { readonly kind: PhraseKind } | { readonly kind: "known_code"; readonly code: string };

/** UTF-16 units, once plain. */
const MAX_LENGTH = 240;

const languages: readonly Phrases[] = [en];

interface Phrase {
  readonly text: string;
  readonly kind: PhraseKind;
}

/** By first character, longest first; of one text the kind that stands first in `order`. */
let phrases: ReadonlyMap<string, readonly Phrase[]> | undefined;

const order: readonly PhraseKind[] = [
  "no",
  "always",
  "edit",
  "preview",
  "learnMore",
  "continue",
  "yes",
  "all",
  "because",
  "and",
  "polite",
];

function known(): ReadonlyMap<string, readonly Phrase[]> {
  if (phrases) return phrases;
  const byText = new Map<string, PhraseKind>();
  for (const kind of order) {
    for (const text of languages.flatMap((one) => one[kind].split(/[,\n]/)).map(plainWords)) {
      if (text !== "" && !byText.has(text)) byText.set(text, kind);
    }
  }
  const found = new Map<string, Phrase[]>();
  for (const [text, kind] of byText) {
    const first = text.charAt(0);
    found.set(first, [...(found.get(first) ?? []), { text, kind }]);
  }
  for (const list of found.values()) list.sort((a, b) => b.text.length - a.text.length);
  phrases = found;
  return found;
}

/** Letters that are written in words with spaces between them. */
const spaced = /[\p{Script=Latin}\p{N}_]/u;
const skipped = /[\s,.!;:、，。！；：…~～"“”()（）[\]「」/'·・-]/u;
const code = /^[a-hj-np-z2-9]{4}$/;

export function findPhrases(message: string): readonly Item[] | undefined {
  if (message.length > 4 * MAX_LENGTH) return undefined;
  const text = plainWords(message);
  if (text.length > MAX_LENGTH || text === "") return undefined;
  // From the end, so that each place is looked at once.
  const rest: (readonly Item[] | undefined)[] = [];
  rest[text.length] = [];
  for (let at = text.length - 1; at >= 0; at -= 1) rest[at] = readAt(text, at, rest);
  return rest[0];
}

function readAt(text: string, at: number, rest: readonly (readonly Item[] | undefined)[]): readonly Item[] | undefined {
  const begins = at === 0 || !joined(text, at);
  if (begins) {
    for (const phrase of known().get(text.charAt(at)) ?? []) {
      const end = at + phrase.text.length;
      const after = rest[end];
      if (after && text.startsWith(phrase.text, at) && !joined(text, end)) return [{ kind: phrase.kind }, ...after];
    }
    const word = text.slice(at, at + 4);
    const after = rest[at + 4];
    if (after && code.test(word) && /\d/.test(word) && !joined(text, at + 4)) {
      return [{ kind: "known_code", code: word.toUpperCase() }, ...after];
    }
  }
  return skipped.test(text.charAt(at)) ? rest[at + 1] : undefined;
}

/** Whether a word goes on over this place. */
const joined = (text: string, at: number): boolean =>
  at > 0 && at < text.length && spaced.test(text.charAt(at - 1)) && spaced.test(text.charAt(at));
