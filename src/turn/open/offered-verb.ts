/**
 * The verb that says what the assistant offers to do: "close" of "close the change of WEB-9", "zeigen" of "dir die Änderung zeigen". Acts
 * that only a noun or a participle names are not offered. Pure.
 */
import { UNSPACED, wordsIn } from "../../approvals/answers/acts.ts";
import { namedActs } from "../../intent/wish/named-acts.ts";
import { spokenActs } from "../../lib/acts/act-words.ts";
import { lazyRegExp, once } from "../../lib/once.ts";

/** Adverbs, pronouns and auxiliaries of offers whose verb comes first. */
const OPENING = new Set(
  `go ahead and just quickly simply also then now lo la los las le les l t se te me nos vous y en lui leur ya ahora tambien aussi peux dois
  devrais puedo debo`.split(/\s+/),
);
/** They leave all as it is, or only talk of an act. */
const LEAVING = new Set(
  `have be keep leave suggest propose recommend haben sein halten behalten lassen vorschlagen empfehlen haya sea este deje dejo mantenga mantengo
  sugiera sugiero proponga propongo recomiende recomiendo aie sois ai suis laisse garde suggere recommande`.split(
    /\s+/,
  ),
);
const leavesUnspaced = lazyRegExp("^(?:建议|建議|提议|提議|保持|保留|維持|提案|제안|유지)", "u");
/** Questions of these forms end with the verb. */
const endsWithVerb = lazyRegExp(String.raw`\bsoll(?:te)? ich\b|ましょうか|ますか|까요`, "iu");
/** Japanese verbs stand behind the last particle. */
const lastVerb = lazyRegExp("[^をにはがでとへのもて、\\s]+$", "u");
const opensChinese = lazyRegExp("^(?:先|再|也|现在|現在|直接|帮[您你]|為[您你]|为[您你]|给[您你]|給[您你])+", "u");
const objectFirst = lazyRegExp("^(?:把|将|將)", "u");

/** @returns undefined where it only looks, or leaves all as it is. A verb that no table has names no act. */
export function offeredVerb(offer: string, assistant: string): string | undefined {
  const verb = verbOf(offer, assistant);
  if (verb === undefined || LEAVING.has(verb) || leavesUnspaced().test(verb)) return undefined;
  return namedActs(verb).wanted.has("read") ? undefined : verb;
}

function verbOf(offer: string, assistant: string): string | undefined {
  const words = wordsIn(offer);
  if (endsWithVerb().test(assistant)) {
    const last = words.at(-1) ?? "";
    return UNSPACED.test(last) ? lastVerb().exec(last)?.[0] : last;
  }
  return /^\p{sc=Han}/u.test(offer) ? chineseVerb(offer) : words.find((word) => !OPENING.has(word));
}

/** "修改WEB-9", "把WEB-9关闭"; in "把WEB-9的修改给你看" the first act is a noun. */
function chineseVerb(offer: string): string | undefined {
  const text = offer.replace(opensChinese(), "");
  if (namedActs(text).wanted.has("read")) return undefined;
  const found = unspacedActs().exec(text);
  return found && (found.index === 0 || objectFirst().test(text)) ? found[0] : text.slice(0, 2);
}

const unspacedActs = once(() => {
  const words = spokenActs().flatMap(({ isUnspaced, stems, inMessages }) =>
    isUnspaced ? [...stems, ...inMessages] : [],
  );
  const longestFirst = words.sort((one, other) => other.length - one.length).join("|");
  return new RegExp(`(?<!的)(?:${longestFirst})`, "u");
});
