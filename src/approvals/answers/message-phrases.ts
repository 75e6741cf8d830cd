/** A message as a row of known phrases and codes. Pure, and bounded: a message that is an answer is short. */
import { type PhraseKind, phrasesByText, plainWords } from "./phrases.ts";

export type Item = { readonly kind: PhraseKind | "y" } | { readonly kind: "code"; readonly code: string };

/** UTF-16 units of the plain text. */
const MAX_LENGTH = 240;

/** @returns undefined where anything but phrases and codes stands in the message. */
export function findPhrases(message: string): readonly Item[] | undefined {
  if (message.length > 4 * MAX_LENGTH) return undefined;
  const text = plainWords(message);
  if (text.length > MAX_LENGTH || text === "") return undefined;
  // From the end, so that each place is read once.
  const rests: (readonly Item[] | undefined)[] = [];
  rests[text.length] = [];
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const next = itemsAt(text, at).find(({ length }) => rests[at + length]);
    const rest = next && rests[at + next.length];
    if (next && rest) rests[at] = [next.item, ...rest];
    else if (skipped.test(text.charAt(at))) rests[at] = rests[at + 1];
  }
  return rests[0];
}

/**
 * The phrases that a message begins with, the longest at each place.
 * @returns `rest`: how many characters of the plain text stand behind them.
 */
export function beginningPhrases(message: string): { readonly items: readonly Item[]; readonly rest: number } {
  const text = plainWords(message);
  const items: Item[] = [];
  let at = 0;
  while (at < text.length) {
    const [next] = itemsAt(text, at);
    if (next) items.push(next.item);
    else if (!skipped.test(text.charAt(at))) break;
    at += next?.length ?? 1;
  }
  return { items, rest: text.length - at };
}

const skipped = /[\s,.!;:、，。！；：…~～"“”«»()（）[\]「」『』⟦⟧/'*·・¡¿-]/u;
/** A code, or an attempt at one: mistyped, or the number that the call has in the frame. */
const code = /(?=[a-z]*\d)(?:[a-z0-9]{3,5}|\d{1,2})(?![a-z0-9])/y;

/** The phrases that stand at a place, the longest first, then a code. */
function itemsAt(text: string, at: number): { readonly item: Item; readonly length: number }[] {
  if (isInWord(text, at)) return [];
  const found = (phrasesByText().get(text.charAt(at)) ?? [])
    .filter((phrase) => text.startsWith(phrase.text, at) && !isInWord(text, at + phrase.text.length))
    .map(({ kind, text: { length } }): { item: Item; length: number } => ({ item: { kind }, length }));
  code.lastIndex = at;
  const written = code.exec(text)?.[0];
  if (written === undefined || isInWord(text, at + written.length)) return found;
  return [...found, { item: { kind: "code", code: written.toUpperCase() }, length: written.length }];
}

/** Letters that are written in words with spaces between them. */
const spaced = /[\p{Script=Latin}\p{N}_]/u;

/** Whether a word continues over this place. */
const isInWord = (text: string, at: number): boolean =>
  at > 0 && at < text.length && spaced.test(text.charAt(at - 1)) && spaced.test(text.charAt(at));
