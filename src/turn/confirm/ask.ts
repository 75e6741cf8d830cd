/** Asking a person: the turn ends, and its calls wait. */

import type { Approval } from "../../approvals/approval.ts";
import { readCodes } from "../../approvals/codes.ts";
import { closeMarkup } from "../../approvals/disclosure/close-markup.ts";
import { type FrameSettings, frameText } from "../../approvals/disclosure/frame.ts";
import { shownTool } from "../../approvals/disclosure/title.ts";
import { codeSpan } from "../../lib/text/prose.ts";
import { textOf } from "../../wire/conversation.ts";
import type { Ending } from "../ending.ts";
import { storeExchanges } from "../history/hidden-history.ts";
import { holdsUntrusted } from "../open/untrusted.ts";
import type { Turn } from "../turn.ts";
import { recordWaiting } from "../turn-log.ts";
import { asksAsDataOnly } from "./question.ts";
import { linkTo } from "./question-links.ts";

interface AskOptions {
  /** The model's own, which stand before the question in a reply that is not streamed. */
  readonly words?: string;
  /** Ours, about an answer that could not be taken. */
  readonly said?: string;
  /** The question stands whole above. */
  readonly brief?: boolean;
}

export function askPeople(
  turn: Turn,
  asked: readonly Approval[],
  now: number,
  { words = "", said = "", brief = false }: AskOptions = {},
): Ending {
  recordWaiting(turn.log, asked);
  storeExchanges(turn, [], asked);
  return awaiting(frameOfChannel(turn, asked, now, { said, brief }), words);
}

/** A reply of the gateway's own while calls wait: nothing has changed. */
export const awaiting = (text: string, words = ""): Ending => ({
  kind: "stop",
  stopReason: "awaiting_approval",
  finishReason: "stop",
  text,
  words,
});

/** A client that knows approvals gets them as data; it is told in words only what data does not tell. */
function frameOfChannel(
  turn: Turn,
  asked: readonly Approval[],
  now: number,
  { said, brief }: { readonly said: string; readonly brief: boolean },
): string {
  if (turn.input.channel === "native") return said;
  if (asksAsDataOnly(turn)) return [said, stillWaiting(asked)].filter((part) => part !== "").join("\n\n");
  // What the model's words leave open would hide what the yes is to.
  const closing = closeMarkup(turn.log.text).trimStart();
  return [closing, said, frameOf(turn, asked, now, { brief })].filter((part) => part !== "").join("\n\n");
}

const stillWaiting = (asked: readonly Approval[]): string => {
  const tools = [...new Set(asked.map(({ tool }) => codeSpan(shownTool(tool))))].join(", ");
  return `Toolgate: ${tools} waits for a person. Have the approvals in \`toolgate.approvals\` answered, then send this request again.`;
};

/** How to answer is explained once in a conversation, as far as the request shows it, and where `explained` says no. */
export const frameOf = (
  turn: Turn,
  asked: readonly Approval[],
  now: number,
  more: Pick<FrameSettings, "brief" | "explained"> = {},
): string =>
  frameText(asked, {
    ...typedCodeOf(turn, asked, readCodes(turn.log.text)),
    explained: wasAsked(turn),
    linkTo: linkTo(turn),
    now,
    ...more,
  });

const wasAsked = ({ input }: Turn): boolean =>
  input.request.messages.some(({ role, content }) => role === "assistant" && readCodes(textOf(content)).length > 0);

/**
 * Whether a mere "yes" is not enough: somebody else's text in the conversation may have led the user to it, or the model has put a
 * frame of its own beside the question, so that nobody can tell what the "yes" is to.
 * @param shown the codes that stand in the reply.
 */
export function typedCodeOf(
  { input, log }: Turn,
  asked: readonly Approval[],
  shown: readonly string[],
): Pick<FrameSettings, "typedCode" | "untrusted"> {
  const { typedCode } = input.policy.confirmation;
  if (shown.some((code) => !asked.some((approval) => approval.code === code))) return { typedCode: true };
  if (typedCode !== "afterUntrusted") return { typedCode: typedCode === "always" };
  const untrusted = log.untrusted || holdsUntrusted(input.policy, input.request.messages);
  return { typedCode: untrusted, untrusted };
}
