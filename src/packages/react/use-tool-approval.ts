/** The questions that wait in a chat, and the answers to them. */
import { useEffect, useRef } from "react";
import { type ApprovalAnswer, type ApprovalRequest, approvalOf } from "./approval-request.ts";

type Part = object;
interface Message {
  readonly parts: readonly Part[];
}

/** The members of `useChat` that the hook uses. */
export interface ApprovalChat<MESSAGE extends Message = Message> {
  readonly messages: readonly MESSAGE[];
  readonly status?: string;
  addToolApprovalResponse(answer: {
    id: string;
    approved: boolean;
    reason?: string;
    options?: { body?: object };
  }): void | PromiseLike<void>;
  /** If it is given, a question whose answer did not arrive is asked again. */
  setMessages?(messages: (messages: MESSAGE[]) => MESSAGE[]): void;
}

export interface ToolApprovals {
  /** The pending questions of the last message, in its order. */
  readonly waiting: readonly ApprovalRequest[];
  /** @returns once the answer is noted, and sent if the chat's `sendAutomaticallyWhen` says so. */
  answer(id: string, answer: ApprovalAnswer): Promise<void>;
}

/**
 * For a chat whose transport sends `x-toolgate-approvals: native`, and whose `sendAutomaticallyWhen` holds
 * `lastAssistantMessageIsCompleteWithApprovalResponses`. Call it once a chat: answers are sent together.
 */
export function useToolApproval<MESSAGE extends Message>(chat: ApprovalChat<MESSAGE>): ToolApprovals {
  const { messages, status, setMessages } = chat;
  /** Answers that say more than yes or no. The SDK has no place for them: they go beside the messages. */
  const more = useRef(new Map<string, ApprovalAnswer>());

  useEffect(() => {
    if (status !== "error") return;
    more.current.clear();
    setMessages?.((all) => all.map((message, at) => (at === all.length - 1 ? askedAgain(message) : message)));
  }, [status, setMessages]);

  const requests = (messages.at(-1)?.parts ?? []).flatMap((part) => approvalOf(part) ?? []);
  return {
    waiting: requests.filter(({ answer }) => answer === undefined),
    async answer(id, answer) {
      if (saysMore(answer)) more.current.set(id, answer);
      else more.current.delete(id);
      // Only questions of this message: the gateway refuses answers to questions that it does not know.
      const approvals = requests.flatMap((one) => {
        const given = more.current.get(one.id);
        return given ? [{ id: one.id, ...given }] : [];
      });
      await chat.addToolApprovalResponse({
        id,
        approved: answer.action !== "deny",
        ...(answer.action === "deny" && answer.reason ? { reason: answer.reason } : {}),
        ...(approvals.length > 0 ? { options: { body: { toolgate: { approvals } } } } : {}),
      });
    },
  };
}

const saysMore = (answer: ApprovalAnswer): boolean =>
  answer.action === "edit" || (answer.action === "approve" && Boolean(answer.enable || answer.endorse || answer.grant));

/** The request with the answers has failed, so its questions are asked again. If the gateway has taken the answers nevertheless, it says so. */
function askedAgain<MESSAGE extends Message>(message: MESSAGE): MESSAGE {
  const parts = message.parts.map((part) => {
    const { approval, state } = part as { approval?: { approved?: boolean; reason?: string }; state?: string };
    if (state !== "approval-responded" || !approval) return part;
    const { approved: _approved, reason: _reason, ...question } = approval;
    return { ...part, state: "approval-requested", approval: question };
  });
  return { ...message, parts };
}
