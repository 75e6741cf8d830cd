/** The text of a question in the reply, and whether its answer needs a typed code. */
import type { Approval, CodeDemand } from "../../approvals/approval.ts";
import { readCodes } from "../../approvals/codes.ts";
import { type FrameSettings, frameText } from "../../approvals/disclosure/frame.ts";
import { mayHide } from "../../approvals/disclosure/raw-html.ts";
import { staysDone } from "../../approvals/stays-done.ts";
import { textOf } from "../../wire/conversation.ts";
import { holdsUntrusted } from "../open/untrusted.ts";
import type { Turn } from "../turn.ts";
import { linkTo } from "./question-links.ts";

/** How to answer is explained once per conversation, as far as the request shows it, and never if `explained` is false. */
export const frameOf = (
  turn: Turn,
  approvals: readonly Approval[],
  now: number,
  more: Pick<FrameSettings, "brief" | "explained"> = {},
): string =>
  frameText(approvals, {
    ...typedCodeOf(turn, approvals, wordsBefore(turn)),
    explained: wasAsked(turn),
    linkTo: linkTo(turn),
    now,
    ...more,
  });

const wasAsked = ({ input }: Turn): boolean =>
  input.request.messages.some(({ role, content }) => role === "assistant" && readCodes(textOf(content)).length > 0);

/** The codes in the reply, and the text before the question. */
export const wordsBefore = ({ log }: Turn) => ({ codes: readCodes(log.text) as readonly string[], before: log.text });

/**
 * Whether a mere "yes" is not enough. The reason for a code is stored when the question is asked: a client may send back text that differs
 * from what it showed.
 */
export function typedCodeOf(
  turn: Turn,
  approvals: readonly Approval[],
  shown: ReturnType<typeof wordsBefore>,
): Pick<FrameSettings, "typedCode" | "whyTyped"> {
  const demand =
    approvals.find(({ typedFor }) => typedFor !== undefined)?.typedFor ?? codeDemand(turn, approvals, shown);
  return { typedCode: demand !== undefined, whyTyped: demand };
}

/** A call that is asked about; it has a code once its approval is stored. */
type AskedCall = Pick<Approval, "arguments" | "asks" | "disclosure"> & Partial<Pick<Approval, "code">>;

/**
 * Untrusted text in the conversation may have led the user to a hasty "yes", which matters if the call cannot be undone, or if a value of
 * it may come from that text. Or the model has put a frame of its own beside the question, or HTML or markup before it that may hide it:
 * then the "yes" may be to that.
 */
export function codeDemand(
  { input, log }: Turn,
  calls: readonly AskedCall[],
  { codes, before }: ReturnType<typeof wordsBefore>,
): CodeDemand | undefined {
  const { typedCode } = input.policy.confirmation;
  if (codes.some((code) => !calls.some((call) => call.code === code))) return "otherCode";
  if (typedCode === "always") return "policy";
  const isRisky = calls.some((call) => staysDone(call) || call.asks.includes("argument_untrusted"));
  const isAfter = typedCode === "afterUntrusted" && isRisky;
  if (isAfter && (log.untrusted || holdsUntrusted(input.policy, input.request.messages))) return "untrusted";
  return mayHide(before) ? "markup" : undefined;
}
