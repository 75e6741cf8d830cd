/** What a question was about, to name it in a sentence: "Delete `old.txt`" for "Delete `old.txt`?". Pure. */

import type { Approval } from "../approval.ts";
import { fillWords, wordsOf } from "../words/words.ts";
import { describeApproval } from "./disclosure.ts";
import { markdownOf } from "./markdown.ts";

/** The question that the policy's words end with, or *proceed?*: no argument is in it. */
const ownQuestion = /(?<=[.!])\s+[^`?]{1,100}\?$|(?<=[。！])[^`？]{1,100}？$/;

/** In Markdown. */
export function namedAct(approval: Approval): string {
  const { title, language } = describeApproval(approval, "whole");
  const question = title.replace(ownQuestion, "").replace(/[.。]$/, "");
  const act = question.replace(/^¿|\s?[?？]$/g, "");
  return fillWords(wordsOf(language).frame.act, { act: markdownOf(act), question: markdownOf(question) });
}
