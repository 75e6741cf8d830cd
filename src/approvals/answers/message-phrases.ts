/** A message as a row of known phrases and codes. Pure, and bounded: a message that is an answer is short. */

import { lazyRegExp, once } from "../../lib/once.ts";
import { normalForm } from "../../lib/text/normal-form.ts";
import { languages, type PhraseKind } from "./phrases.ts";

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

/** A plain yes, which begins no other message: "ok" and "sure" may. Its letters may be drawn out. */
const YES =
  `ye+s+|ye+a+h*|ye+p+|yu+p+|correct|right|go ahead|go for it|do it|do that|please do(?! not)|of course|certainly|absolutely|definitely|approved?|proceed
  ja+|jo+|jawohl|je+p+|richtig|genau|na klar|klar|naturlich|gerne?|freigegeben|genehmigt|einverstanden|passt(?: so)?|mach das|mach es|mach's|machs|nur zu|leg los
  si+(?=[,.! ])|claro|vale|dale|adelante|hazlo|de acuerdo|por supuesto|ou+i+|ouais|vas-y|allez-y|d'accord|bien sur|volontiers
  是的?|好的?|对|對|可以|行|同意|批准|没问题|沒問題|はー*い|うん|ええ|どうぞ|もちろん|お願いします|承認します|네|예|응|좋아요|물론이죠|승인`.replace(
    /\n\s*/g,
    "|",
  );
const plainYes = new RegExp(String.raw`^(?:${YES})(?![\p{Script=Latin}\p{N}_])`, "u");
/** A yes that begins a clause, behind another one: "no wait, yes". */
const clauseYes = lazyRegExp(
  String.raw`(?:[,.;:!?，。、；！？…–—-]\s*|(?<=[\p{L}\p{M}] )(?=doch|actually|sorry|wait|moment|mais|espera))(?:(?:doch|actually|sorry|wait|moment|mais|espera|then|dann|alors|entonces|やっぱり|还是|還是),? ?)?(?:ye+s+|ye+a+h*|ye+p+|go ahead|do it|ja+|jawohl|mach das|si(?=[,.!]|$)|oui|是的?(?=[，。！]|$)|好的?(?=[，。！]|$)|はい|네)(?![\p{L}\p{N}_])`,
  "u",
);
/** Whether a text in plain words comes to a yes after it has begun otherwise. */
export const turnsToYes = (text: string): boolean => clauseYes().test(text);

/** Whether a clause of a message is a yes, or ends with one: "the refund yes, leave the ticket open". */
export const holdsYes = (message: string): boolean => {
  const text = plainWords(message);
  // Without its accent the Spanish yes is "if".
  return turnsToYes(text) || yesAtEnd().test(/(?<!\p{L})si(?!\p{L})/iu.test(message.normalize("NFC")) ? "" : text);
};
const yesAtEnd = lazyRegExp(
  String.raw`(?<![\p{Script=Latin}\p{N}_])(?:ye+s+|ye+p+|ye+a+h*|ok(?:ay)?|ja+|si|oui)(?=$|[,.;!，。、；！])|(?:はい|うん|いいよ|好的|可以|네)(?=$|[,.;!，。、；！])`,
  "u",
);

/** What stands behind a plain yes and words of politeness, as plain words. @returns undefined without one. */
export const behindYes = (message: string): string | undefined =>
  behindPhrases(message, (kind) => kind === "yes" || kind === "praise" || kind === "polite" || joins(kind))?.rest;

/**
 * What stands behind a plain yes, its code and the first "and", as plain words; and what stands behind words of politeness after that.
 * @returns undefined without such a yes.
 */
export function behindYesAnd(
  message: string,
): { readonly codes: readonly string[]; readonly rest: string } | undefined {
  let hasAnd = false;
  const found = behindPhrases(message, (kind, phrase) => {
    if (hasAnd) return kind === "polite" || kind === "and";
    hasAnd = kind === "and" || kind === "y" || THEN.has(phrase);
    return hasAnd || kind === "yes" || kind === "praise" || kind === "polite" || kind === "code";
  });
  return hasAnd ? found : undefined;
}

/** Words of politeness that join as an "and" does. */
const THEN: ReadonlySet<string> = new Set(["then", "dann"]);

/** @param passes whether a phrase of this kind is passed; it is called for the phrases in their order. */
function behindPhrases(
  message: string,
  passes: (kind: Item["kind"], phrase: string) => boolean,
): { readonly codes: readonly string[]; readonly rest: string } | undefined {
  const text = plainWords(message);
  const start = plainYes.exec(text)?.[0].length;
  // Without its accent the Spanish yes is "if".
  if (start === undefined || (/^si+(?!\p{L})/u.test(text) && !/^\s*sí/iu.test(message.normalize("NFC"))))
    return undefined;
  const codes: string[] = [];
  let at = start;
  while (at < text.length) {
    const next = itemsAt(text, at).find(({ item, length }) => passes(item.kind, text.slice(at, at + length)));
    if (!next && !skipped.test(text.charAt(at))) break;
    if (next?.item.kind === "code") codes.push(next.item.code);
    at += next?.length ?? 1;
  }
  return { codes, rest: text.slice(at) };
}

/** The phrases of a text that stand as whole words, wherever they stand. */
export function phrasesWithin(text: string): readonly { readonly kind: Item["kind"]; readonly phrase: string }[] {
  return [...text.matchAll(/[\p{L}\p{N}'-]+/gu)].flatMap(({ index }) =>
    itemsAt(text, index)
      .filter(({ length }) => !/^[\p{L}\p{N}]/u.test(text.slice(index + length)))
      .map(({ item: { kind }, length }) => ({ kind, phrase: text.slice(index, index + length) })),
  );
}

/** Stands between two answers. */
export const joins = (kind: Item["kind"] | undefined): boolean => kind === "and" || kind === "but";

/** A word that looks like a code: four of the letters and digits that codes are made of. */
export const likeCode = lazyRegExp(
  String.raw`(?<![\p{L}\p{N}_])(?=[A-HJ-NP-Z]*[2-9])[A-HJ-NP-Z2-9]{4}(?![\p{L}\p{N}_])`,
  "iu",
);

const skipped = /[\s,.!;:、，。！；：…~～〜"“”«»()（）[\]「」『』⟦⟧/'*·・¡¿-]/u;
/** A code, or an attempt at one: mistyped, or the number that the call has in the frame. */
const code = /(?=[a-z]*\d)(?:[a-z0-9]{3,5}|\d{1,2})(?![a-z0-9])/y;

/** The phrases that stand at a place, the longest first, then a code. */
function itemsAt(text: string, at: number): { readonly item: Item; readonly length: number }[] {
  if (isInWord(text, at)) return [];
  const found = (phrasesByText().get(text.charAt(at)) ?? [])
    .filter((phrase) => text.startsWith(phrase.text, at) && !isInWord(text, at + phrase.text.length))
    .map(({ kind, text: { length } }): { item: Item; length: number } => ({ item: { kind }, length }));
  const drawn = found.length === 0 ? drawnOutAt(text, at) : undefined;
  if (drawn) found.push(drawn);
  code.lastIndex = at;
  const written = code.exec(text)?.[0];
  if (written === undefined || isInWord(text, at + written.length)) return found;
  return [...found, { item: { kind: "code", code: written.toUpperCase() }, length: written.length }];
}

/** "yess", "jaaa", "nooo": a plain yes or no with its letters drawn out. */
function drawnOutAt(text: string, at: number): { readonly item: Item; readonly length: number } | undefined {
  latinWord.lastIndex = at;
  const word = latinWord.exec(text)?.[0] ?? "";
  const plain = word.replace(/(.)\1+/gu, "$1");
  const kind = DRAWN.no.has(plain) ? "no" : DRAWN.yes.has(plain) ? "yes" : undefined;
  return kind && plain !== word && !isInWord(text, at + word.length)
    ? { item: { kind }, length: word.length }
    : undefined;
}

const latinWord = /\p{Script=Latin}{1,40}/uy;
const DRAWN = {
  yes: new Set("yes yeah yep yup ja jo si oui ok".split(" ")),
  no: new Set("no nein nope".split(" ")),
} as const;

/** Letters that are written in words with spaces between them. */
const spaced = /[\p{Script=Latin}\p{N}_]/u;

/** Whether a word continues over this place. */
const isInWord = (text: string, at: number): boolean =>
  at > 0 && at < text.length && spaced.test(text.charAt(at - 1)) && spaced.test(text.charAt(at));

/** Where a text is of several kinds, the first of this list counts. */
const order: readonly PhraseKind[] = [
  "unclear",
  "wait",
  "no",
  "always",
  "useValues",
  "edit",
  "preview",
  "learnMore",
  "done",
  "continue",
  "praise",
  "yes",
  "all",
  "because",
  "and",
  "but",
  "polite",
];

interface Phrase {
  readonly text: string;
  /** `y` is "yes" in some languages, and "and" in others. */
  readonly kind: PhraseKind | "y";
}

/** By the first character, the longest first. */
const phrasesByText = once((): ReadonlyMap<string, readonly Phrase[]> => {
  const byText = new Map<string, Phrase["kind"]>([["y", "y"]]);
  for (const kind of order) {
    for (const text of languages.flatMap((one) => one[kind].split(/[,\n]/)).map(plainWords)) {
      if (text !== "" && !byText.has(text)) byText.set(text, kind);
    }
  }
  const phrases = Array.from(byText, ([text, kind]): Phrase => ({ text, kind }));
  phrases.sort((a, b) => b.text.length - a.text.length);
  return Map.groupBy(phrases, ({ text }) => text.charAt(0));
});

/** What does not show: variation selectors, joiners, marks of direction, soft hyphens; and the colour of a thumb. */
const unseen =
  /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\p{Variation_Selector}|[\u{1f3fb}-\u{1f3ff}]/gu;

/** A short message as answers are compared: plain lower-case letters, single spaces, no accents, nothing invisible. */
export function plainWords(text: string): string {
  return (
    normalForm(normalForm(text.replace(unseen, ""), "NFKC"), "NFD")
      // Not for other scripts, where the mark makes another letter: が is no か.
      .replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
      .normalize("NFC")
      .toLowerCase()
      .replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
      .replace(/\s+/g, " ")
      .trim()
  );
}
