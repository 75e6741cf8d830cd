/** Reads the new message of a turn, and decides how it changes the intents of the task. Pure. */
import { refusalIn } from "../../approvals/answers/refusal.ts";
import type { Detection } from "../../intent/detection.ts";
import { extractedText } from "../../intent/user-message/user-text.ts";
import type { AnswerTarget } from "../../ports/turns/open-turn-request.ts";
import { type IntentChange, intentChangeOf } from "../../session/task.ts";
import type { TurnInput } from "../turn.ts";
import {
  correctsQuestion,
  type InlineAnswer,
  isStatusCommand,
  readAside,
  readCommand,
  readInlineAnswer,
} from "./user-message.ts";

export type NewMessage = ReturnType<typeof readNewMessage>;

export function readNewMessage({ policy, request, conversation, work }: TurnInput) {
  const { newMessage, previousReply } = conversation;
  const command = readCommand(newMessage);
  const words = extractedText(policy, newMessage ?? "", work);
  const answer = readInlineAnswer(previousReply, words);
  const aside = answer ? undefined : readAside(previousReply, words);
  const ids = request.answers?.map(({ id }) => id);
  const given = ids ? { kind: "native" as const, ids } : inlineAnswering(answer ?? aside);
  /** Which of the waiting calls the request may answer, with the message or with its body. */
  const answering: AnswerTarget | undefined = given ?? (command === "undo" ? { kind: "undo" } : undefined);
  const beginsTask = newMessage !== undefined && !isStatusCommand(newMessage);
  return { command, words, beginsTask, answer, aside, answering };
}

function inlineAnswering(answer: InlineAnswer | undefined): AnswerTarget | undefined {
  if (!answer) return undefined;
  const isAside = answer.parts.some(({ action }) => action === "aside");
  const wishes = isAside || answer.parts.some(({ wish }) => wish !== undefined);
  return { kind: "inline", codes: answer.codes, ...(wishes ? { wishes } : {}), ...(isAside ? { isAside } : {}) };
}

/**
 * Whether an answer holds more than yes or no. Then detection reads it too: otherwise a model could make up a question, and keep its user's
 * wishes from ever being detected.
 */
export const holdsWords = (answer: InlineAnswer | undefined): boolean =>
  answer?.parts.some(({ reason, edit }) => reason !== null || edit !== "") === true;

export function intentChangeFor(
  { policy, conversation: { previousReply } }: TurnInput,
  { words, beginsTask, command, answer, answering }: NewMessage,
  detection: Detection | undefined,
): IntentChange {
  // A bare yes or no, or an undo, keeps the task as it is.
  if (command === "undo") return { kind: "keep" };
  const { select } = policy.handshake;
  const knows = (name: string) => policy.intents.has(name);
  const change: IntentChange =
    answering && !detection ? { kind: "keep" } : intentChangeOf({ newMessage: beginsTask, detection, select, knows });
  const corrects = change.kind === "clear" && !answer && correctsQuestion(previousReply, words);
  if (change.kind !== "keep" && !corrects) return change;
  // A refusal clears the task. If a question is waiting for it, UserGuard keeps the task instead.
  if (beginsTask && !command && refusalIn(words, previousReply) === "all")
    return { kind: "clear", stillSelectable: detection?.afterQuestion === true };
  return corrects ? { kind: "keep" } : change;
}
