/**
 * Whether a message plainly asks for nothing to be done: it asks how things stand, refuses or tells. What the model selects for it all the
 * same is not the user's wish until a person says so. Pure.
 */
import { lexicalRest } from "../lexical/lexical.ts";
import { continuationFor } from "./continues.ts";
import { asksHowTo, isAside, isOnlyQuestions } from "./mere-questions.ts";
import { beginsWithRequest } from "./tokens.ts";
import { wishOf } from "./wish.ts";

/** From this probability on it goes on with a task, whose wish stands. */
const CONTINUES_AT = 0.4;
/** Below this probability of a request nothing is wanted. */
const ASKED_AT = 0.15;
const REFUSED_AT = 0.5;
/** From this one on, what is left beside the refused asks for something: "don't cancel it, move it to Friday". */
const REST_ASKED_AT = 0.5;

/** @param assistant the assistant's message before; absent: not known. */
export function asksForNothing(text: string, assistant: string | undefined): boolean {
  const { request, refusal } = wishOf(text);
  const isRefusal = refusal >= REFUSED_AT;
  if (isRefusal && onlyRefuses(text)) return true;
  if (continuationFor(text, assistant).continues >= CONTINUES_AT) return false;
  if (isOnlyQuestions(text) || onlyRefuses(text)) return true;
  return !beginsWithRequest(text) && (request < ASKED_AT || isRefusal);
}

/**
 * Whether a message that asks for nothing asks how one does it, or refuses: no change is an answer to that. To a question how things
 * stand, or a story, a small one may be: a page is opened, a fact noted.
 */
export function wantsNoChange(text: string, assistant: string | undefined): boolean {
  const isHowTo = isOnlyQuestions(text) && asksHowTo(text);
  return (isHowTo || onlyRefuses(text) || wishOf(text).refusal >= REFUSED_AT) && asksForNothing(text, assistant);
}

function onlyRefuses(text: string): boolean {
  const rest = lexicalRest(text);
  return rest?.every((clause) => isAside(clause) || wishOf(clause).request < REST_ASKED_AT) === true;
}
