/**
 * Finds the verb of which a word in a name or a description is a form, and the effect of a tool with that verb. Pure.
 *
 * `verbOf` knows the base form of English verbs, the third person and the form in -ing. A past participle is no verb of the tool:
 * "messages sent to the user". Verbs of other languages are listed in the forms that names and descriptions use.
 */
import { nameVerb, phraseStarts, unspacedVerbs } from "../../lib/acts/verbs-in-names.ts";
import { lazyRegExp } from "../../lib/once.ts";
import type { InferredEffect } from "./effects.ts";

/** The effect of a verb in its base form. */
export const effectOfVerb = (verb: string): InferredEffect | undefined => {
  const found = nameVerb(verb);
  return found?.isForeign ? undefined : found?.draft;
};

/** Words that are more often a noun, unless they begin a clause: "the posts of a channel", "a list of orders". */
export const isAlsoNoun = (verb: string): boolean => ["both", "drafts"].includes(nameVerb(verb)?.nounIn ?? "neither");

/** A verb that a text has, in its base form. */
export interface FoundVerb {
  readonly verb: string;
  readonly effect: InferredEffect;
  readonly form: "base" | "third" | "ing";
  /** Its language may put the verb last in a name. */
  readonly foreign?: true;
}

export const isForeign = ({ foreign }: FoundVerb): boolean => foreign === true;

/** @param word in lower case. */
export function verbOf(word: string): FoundVerb | undefined {
  const known = (verb: string, form: FoundVerb["form"]) => {
    const effect = effectOfVerb(verb);
    return effect && { verb, effect, form };
  };
  const found = nameVerb(word);
  const other = found?.isForeign ? found.draft : undefined;
  return (
    known(word, "base") ??
    (other && { verb: word, effect: other, form: "third" as const, foreign: true as const }) ??
    thirdPerson(word)
      .map((verb) => known(verb, "third"))
      .find(Boolean) ??
    presentParticiple(word)
      .map((verb) => known(verb, "ing"))
      .find(Boolean)
  );
}

/** Participles that no rule makes. */
const irregular: ReadonlyMap<string, string> = new Map(
  `bid:bid bound:bind bought:buy built:build dealt:deal drawn:draw frozen:freeze given:give held:hold hidden:hide left:leave lent:lend
    made:make overwritten:overwrite paid:pay put:put redone:redo reset:reset rebuilt:rebuild rung:ring run:run rerun:rerun sent:send resent:resend
    set:set shut:shut sold:sell spent:spend taken:take undone:undo unfrozen:unfreeze withdrawn:withdraw withheld:withhold written:write`
    .split(/\s+/)
    .map((pair) => pair.split(":") as [string, string]),
);

/** The changing verb whose past participle a word is: "purged", "booked", "sent". @param word in lower case. */
export function participleOf(word: string): { readonly verb: string; readonly effect: InferredEffect } | undefined {
  const stem = word.slice(0, -2);
  const doubled = /(.)\1$/.test(stem) ? [stem.slice(0, -1)] : [];
  const regular = word.endsWith("ied") ? [`${word.slice(0, -3)}y`] : [stem, `${stem}e`, ...doubled];
  const verbs = [irregular.get(word) ?? "", ...(/..ed$/.test(word) ? regular : [])];
  const verb = verbs.find((one) => (effectOfVerb(one) ?? "read") !== "read");
  const effect = verb === undefined ? undefined : effectOfVerb(verb);
  return verb !== undefined && effect ? { verb, effect } : undefined;
}

/** "Followed by removal", "with deletion": the noun of a verb that destroys. @param word in lower case. */
export function isDestruction(word: string): boolean {
  const stem = /^(\p{L}{4,})(?:ation|ion|al)$/u.exec(word)?.[1];
  if (stem === undefined) return false;
  const verbs = [
    stem,
    `${stem}e`,
    `${stem}ate`,
    stem.slice(0, -1),
    word.replace(/ion$/, "e"),
    word.replace(/ion$/, ""),
  ];
  return verbs.some((verb) => effectOfVerb(verb) === "destroy");
}

function thirdPerson(word: string): string[] {
  if (!word.endsWith("s") || word.length < 4) return [];
  const [short, shorter] = [word.slice(0, -1), word.slice(0, -2)];
  return word.endsWith("ies") ? [`${word.slice(0, -3)}y`] : word.endsWith("es") ? [short, shorter] : [short];
}

function presentParticiple(word: string): string[] {
  if (!word.endsWith("ing") || word.length < 6) return [];
  const stem = word.slice(0, -3);
  const doubled = /(.)\1$/.test(stem) ? [stem.slice(0, -1)] : [];
  return [stem, `${stem}e`, ...doubled];
}

/** The phrase that begins with the word at `at`, whose verb may be in the third person. */
export function phraseAt(words: readonly string[], at: number): InferredEffect | undefined {
  const first = words[at] ?? "";
  const verb = [first, ...thirdPerson(first)].find((one) => phraseStarts().has(one));
  if (verb === undefined) return undefined;
  for (const length of [3, 2]) {
    const effect =
      words.length >= at + length && nameVerb([verb, ...words.slice(at + 1, at + length)].join("_"))?.draft;
    if (effect) return effect;
  }
  return undefined;
}

const cjk = lazyRegExp(String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`, "u");

/** Effects of the verbs in a text without spaces, in the order of the table. */
export function unspacedEffects(text: string): readonly (readonly [verb: string, effect: InferredEffect])[] {
  if (!cjk().test(text)) return [];
  return unspacedVerbs(text).flatMap(({ verb, draft }) => (draft ? [[verb, draft] as const] : []));
}
