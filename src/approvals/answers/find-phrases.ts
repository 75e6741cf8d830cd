/**
 * A message as a row of known phrases, with nothing left over; undefined where anything is. Pure, and bounded: a message
 * that is an answer is short.
 */
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { ko } from "./ko.ts";
import type { PhraseKind, Phrases } from "./phrases.ts";
import { plainWords } from "./plain-words.ts";
import { zh } from "./zh.ts";

export type Item = { readonly kind: PhraseKind | "y" } | { readonly kind: "code"; readonly code: string };

/** UTF-16 units, once plain. */
const MAX_LENGTH = 240;

const languages: readonly Phrases[] = [en, zh, ja, ko, es, de, fr];

interface Phrase {
  readonly text: string;
  readonly kind: PhraseKind | "y";
}

/** By first character, longest first; of one text the kind that stands first in `order`. */
let phrases: ReadonlyMap<string, readonly Phrase[]> | undefined;

const order: readonly PhraseKind[] = [
  "unclear",
  "no",
  "always",
  "edit",
  "preview",
  "learnMore",
  "done",
  "continue",
  "yes",
  "all",
  "because",
  "and",
  "polite",
];

function known(): ReadonlyMap<string, readonly Phrase[]> {
  if (phrases) return phrases;
  // "Yes" to some, "and" to others.
  const byText = new Map<string, Phrase["kind"]>([["y", "y"]]);
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
const skipped = /[\s,.!;:、，。！；：…~～"“”«»()（）[\]「」『』⟦⟧/'*·・¡¿-]/u;
/** A code, or what was meant for one: mistyped, or the number that the call has in the frame. */
const code = /^(?=[a-z]*\d)(?:[a-z0-9]{3,5}|\d{1,2})$/;
const word = /[a-z0-9]{1,6}/y;

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

/**
 * The phrases that a plain text begins with, the longest of each place.
 * @returns `rest`: how much stands behind them.
 */
export function beginningPhrases(text: string): { readonly items: readonly Item[]; readonly rest: number } {
  const items: Item[] = [];
  let at = 0;
  while (at < text.length) {
    const begins = !joined(text, at);
    const phrase = begins
      ? known()
          .get(text.charAt(at))
          ?.find((one) => text.startsWith(one.text, at) && !joined(text, at + one.text.length))
      : undefined;
    const found = begins && !phrase ? codeAt(text, at) : "";
    if (phrase) items.push({ kind: phrase.kind });
    else if (found !== "") items.push({ kind: "code", code: found.toUpperCase() });
    else if (!skipped.test(text.charAt(at))) break;
    at += phrase?.text.length ?? Math.max(1, found.length);
  }
  return { items, rest: text.length - at };
}

function readAt(text: string, at: number, rest: readonly (readonly Item[] | undefined)[]): readonly Item[] | undefined {
  const begins = at === 0 || !joined(text, at);
  if (begins) {
    for (const phrase of known().get(text.charAt(at)) ?? []) {
      const end = at + phrase.text.length;
      const after = rest[end];
      if (after && text.startsWith(phrase.text, at) && !joined(text, end)) return [{ kind: phrase.kind }, ...after];
    }
    const found = codeAt(text, at);
    const after = rest[at + found.length];
    if (after && found !== "") return [{ kind: "code", code: found.toUpperCase() }, ...after];
  }
  return skipped.test(text.charAt(at)) ? rest[at + 1] : undefined;
}

function codeAt(text: string, at: number): string {
  word.lastIndex = at;
  const [found = ""] = word.exec(text) ?? [];
  return code.test(found) && !joined(text, at + found.length) ? found : "";
}

/** Whether a word goes on over this place. */
const joined = (text: string, at: number): boolean =>
  at > 0 && at < text.length && spaced.test(text.charAt(at - 1)) && spaced.test(text.charAt(at));
