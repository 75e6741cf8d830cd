/** What must be there when calls that are released, or asked about, come back. Changes the turn. */
import type { Approval } from "../../approvals/approval.ts";
import type { Turn } from "../turn.ts";
import { recordToStore } from "../turn-log.ts";
import { beforeFrame, placeInTask } from "./history.ts";

/**
 * Streamed words are not kept with it: the client has them, and sends them back with its own message.
 * @param released ids of calls.
 */
export function keepExchanges(turn: Turn, released: readonly string[], asked: readonly Approval[]): void {
  if (turn.log.hiddenExchanges.length === 0) return;
  const { stream, jsonMode, messages: before } = turn.input.request;
  const seen = stream && !jsonMode;
  const messages = turn.log.hiddenExchanges.flat().flatMap((message) => {
    if (!seen || message.role !== "assistant") return [message];
    // Of an answer that was no end nothing is left.
    return message.tool_calls ? [{ ...message, content: null }] : [];
  });
  const anchors = [...released, ...asked.map(({ callId }) => callId), ...asked.map(({ code }) => beforeFrame(code))];
  recordToStore(turn.log, { anchors, place: placeInTask(turn.input.policy, before), messages });
}
