/**
 * Whether a message answers the question that the gateway put into the assistant message before it. Pure. Whether anything
 * waits under the codes that stand there is told by UserGuard: a history can be made up.
 */

import type { WrittenAnswer } from "../../approvals/answers/read-answer.ts";
import { readAnswer } from "../../approvals/answers/read-answer.ts";
import { readCodes } from "../../approvals/codes.ts";
import { MAX_ANSWER } from "../../wire/conversation.ts";

export interface InlineAnswer {
  /** Those that stand in the assistant message before. */
  readonly codes: readonly string[];
  readonly said: WrittenAnswer;
}

/** @param asked the text of the assistant message before. */
export function readInlineAnswer(asked: string | undefined, message: string | undefined): InlineAnswer | undefined {
  if (!asked || message === undefined || message.length > MAX_ANSWER) return undefined;
  const codes = readCodes(asked);
  if (codes.length === 0) return undefined;
  const said = readAnswer(message);
  return said && { codes, said };
}
