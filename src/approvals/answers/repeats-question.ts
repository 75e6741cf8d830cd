/**
 * Whether words only repeat what a question asks: "cancel it" where it says "Cancel the appointment?". Behind a yes they add nothing to
 * it; alone they may mean the call, or that it shall not run. Pure.
 */
import { once } from "../../lib/once.ts";
import type { Approval } from "../approval.ts";
import { shownMembers } from "../disclosure/disclosure.ts";
import {
  type Act,
  type AskedWords,
  actsOf,
  askedBy,
  begins,
  means,
  saysAct,
  stemsOf,
  UNSPACED,
  wordsIn,
} from "./acts.ts";
import { saysOpposite } from "./opposites.ts";

/** Words that say nothing about what is done. */
const FILLERS = `it this that them those these the a an one to of for in on at from with by as his her their its my our your me him us now then
  please thanks go ahead and do so just too i we want would like you can may is fine ok okay yes yeah right way ll d s correct exact
  kann darf es das sie ihn ihm ihr ihnen den die der dem des ein eine einen bitte mal jetzt dann ruhig doch und mach mir uns ab an aus ein raus damit
  zum zur vom im am fur auf mit gern gerne so ja stimmt stimmen passt passen korrekt
  lo la los las le les el un una por favor ya ahora entonces y se a de al del si esta bien correcto correcta
  l lui leur une il te vous plait alors et au du les moi oui`;

/** Of languages without blanks: they say nothing either. */
export const UNSPACED_FILLERS =
  /お願いします|おねがいします|してください|して下さい|ください|下さい|それ|これ|あれ|して|って|します|する|を|に|は|が|の|で|と|よ|ね|し|해주세요|해줘요|해줘|주세요|줘|그거|이거|그걸|이걸|을|를|해|这个|這個|那个|那個|把|它|他|她|给|給|请|請|就|吧|了|的|掉|去|我|是|好|对|對|한/gu;
export const fillers = once((): ReadonlySet<string> => new Set(FILLERS.split(/\s+/)));

/** They put a condition to a yes or take it back, also where the question has them: a file's name may be anything. */
const LIMITS = new Set(
  "not no dont never without if when unless until except nicht nie kein keine ohne wenn falls bevor nunca sin cuando ne pas jamais sans quand".split(
    " ",
  ),
);

/** @param text what stands behind a yes, or all of a message. */
export function repeatsQuestion(text: string, approval: Approval): boolean {
  const asked = askedBy(approval);
  const { questionWords, acts } = asked;
  const act = stemsOf(acts);
  const words = wordsIn(text);
  if (words.some((word) => LIMITS.has(word)) || namesPart(words, approval) || saysOpposite(text, asked)) return false;
  let [repeated, saysAct, saysOther] = [0, false, false];
  for (const word of words) {
    const isAct = act.some((stem) => means(word, stem, words));
    saysAct ||= isAct;
    if (UNSPACED.test(word)) {
      const rest = withoutStems(
        word,
        [...questionWords, ...act].filter((one) => UNSPACED.test(one)),
      );
      if (rest.length < word.length) repeated += 1;
      if (rest.replace(UNSPACED_FILLERS, "") !== "") return false;
    } else if (isAct || questionWords.includes(word) || isInflected(word, questionWords)) {
      repeated += 1;
      saysOther ||= !isAct && actsOf(word, words).length > 0;
    } else if (!fillers().has(word)) return false;
  }
  // "Delete the email?" holds a word for another act: "yes, email it" is no yes to it.
  return repeated > 0 && (saysAct || !saysOther);
}

/** "Send it to bob" where it goes to Bob and Eve: the person may want the one alone. */
function namesPart(words: readonly string[], approval: Approval): boolean {
  const shown = shownMembers(approval, "whole");
  return Object.values(shown).some((value) => {
    const members = Array.isArray(value) ? value.map((one) => wordsIn(String(one))) : [];
    const isOwn = (word: string) => members.some((others) => !others.includes(word));
    const named = members.filter((own) => own.some((word) => words.includes(word) && isOwn(word)));
    return named.length > 0 && named.length < members.length;
  });
}

/** "Make it so": they mean the call as often. */
const DOING = new Set(["make", "haz", "hazlo", "leg"]);

/**
 * Whether a yes is a word for another act: "send it" and "save it", where the question is whether to delete a draft, "enable it" where
 * it is whether to disable a rule.
 * @param text all of a message.
 */
export function saysOtherAct(text: string, asked: AskedWords): boolean {
  const { acts, isMixed } = asked;
  const words = wordsIn(text).filter((word) => !DOING.has(word));
  const says = (act: Act) => saysAct(words.join(" "), act);
  const takesAway = isMixed || acts.has("cancel") || acts.has("delete") || acts.has("stop");
  const isOther = (act: Act, instead: boolean) => instead && !acts.has(act) && says(act);
  return (
    saysOpposite(text, asked) ||
    isOther("send", takesAway) ||
    isOther("create", takesAway || acts.has("send") || acts.has("pay"))
  );
}

/** "appointments" for "appointment"; a word with a digit is a value, and stands as it is. */
export const isInflected = (word: string, questionWords: readonly string[]): boolean =>
  word.length >= 4 &&
  !/\p{N}/u.test(word) &&
  questionWords.some(
    (one) => one.length >= 4 && (begins(word, one) || begins(one, word)) && Math.abs(one.length - word.length) <= 3,
  );

export const withoutStems = (word: string, stems: readonly string[]): string =>
  [...stems].sort((one, other) => other.length - one.length).reduce((rest, stem) => rest.replaceAll(stem, ""), word);
