/**
 * An approval for the person who answers it outside the chat: with the words that the task began with, for whoever may see all of the
 * call. No record of it holds them. Pure.
 */
import type { Approval } from "../../approvals/approval.ts";
import { approvalView } from "../../approvals/approval-view.ts";
import type { Language } from "../../approvals/disclosure/disclosed.ts";
import { type Audience, isWritten } from "../../approvals/disclosure/disclosure.ts";
import { serverEvent } from "../../wire/write-event.ts";

export function inboxView(
  approval: Approval,
  audience: Audience,
  language?: Language,
): Readonly<Record<string, unknown>> {
  const { words, disclosure } = approval;
  // They may hold what the policy hides from approvers.
  const hides = isWritten(disclosure) || disclosure.hides.length > 0;
  return {
    ...approvalView(approval, audience, language),
    user_words: audience === "whole" && !hides ? (words ?? null) : null,
  };
}

/** An approval as an event of a stream. */
export const approvalEvent = (view: Readonly<Record<string, unknown>>, id?: number): string =>
  serverEvent(view.status === "pending" ? "approval.asked" : "approval.answered", view, id);
