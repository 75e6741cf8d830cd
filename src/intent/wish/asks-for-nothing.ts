/**
 * Whether a message plainly asks for nothing to be done: it asks for information, refuses or tells. An intent that the model selects for it is
 * not the user's wish until a person says so. Pure.
 */
import { lexicalRest } from "../lexical/lexical.ts";
import { continuationFor } from "./continues.ts";
import { asksHowTo, isAside, isOnlyQuestions } from "./mere-questions.ts";
import { ASKED_BELOW, MAY_CONTINUE_AT, REFUSED_AT, REST_ASKED_AT } from "./thresholds.ts";
import { beginsWithRequest } from "./tokens.ts";
import { wishOf } from "./wish.ts";

/** @param assistant the assistant's message before; absent: not known. */
export function asksForNothing(text: string, assistant: string | undefined): boolean {
  const { request, refusal } = wishOf(text);
  const isRefusal = refusal >= REFUSED_AT;
  if (isRefusal && onlyRefuses(text)) return true;
  if (continuationFor(text, assistant).continues >= MAY_CONTINUE_AT) return false;
  if (isOnlyQuestions(text) || onlyRefuses(text)) return true;
  return !beginsWithRequest(text) && (request < ASKED_BELOW || isRefusal);
}

/**
 * Whether a message that asks for nothing asks how one does it, or refuses: no change is an answer to that. To a question about the state
 * of things, or to a story, a small change may be an answer: a page is opened, a fact noted.
 */
export function wantsNoChange(text: string, assistant: string | undefined): boolean {
  const isHowTo = isOnlyQuestions(text) && asksHowTo(text);
  return (isHowTo || onlyRefuses(text) || wishOf(text).refusal >= REFUSED_AT) && asksForNothing(text, assistant);
}

function onlyRefuses(text: string): boolean {
  const rest = lexicalRest(text);
  return rest?.every((clause) => isAside(clause) || wishOf(clause).request < REST_ASKED_AT) === true;
}
