/** Outcome of the questions that a turn ended with. */

import type { ListOf } from "../../api-views/approval-views.ts";
import type { ApprovalRow } from "../../api-views/trail-views.ts";
import { useApi } from "../parts/use-api.ts";
import { eventWords, stopWords, trailTexts } from "./trail-texts.ts";

export const AWAITING = "awaiting_approval";

/**
 * @param events of the turn's questions, in any order.
 * @param goneOn whether a later request has acted on the answer. Undefined: not known.
 * @returns undefined if there is no event of a question.
 */
export function questionOutcome(
  events: readonly ApprovalRow[],
  goneOn?: (approval: string) => boolean,
): string | undefined {
  const last = new Map<string, string>();
  for (const { approval, event } of [...events].sort((one, other) => one.seq - other.seq)) last.set(approval, event);
  const words = [...last].map(([approval, event]) => {
    if (event === "asked") return stopWords(AWAITING);
    const isOpen = (event === "approved" || event === "edited") && goneOn?.(approval) === false;
    return isOpen ? trailTexts.waitsForContinue(eventWords(event)) : eventWords(event);
  });
  return words.length === 0 ? undefined : [...new Set(words)].join(", ");
}

const MOST = 100;

/** Reads the latest events of the tenant's questions. @param user only this user's; "": all. */
export function useQuestionEvents(user: string, isNeeded: boolean): readonly ApprovalRow[] {
  const of = user === "" ? "" : `&user=${encodeURIComponent(user)}`;
  const path = isNeeded ? `/v1/audit/approvals?limit=${MOST}${of}` : undefined;
  return useApi<ListOf<ApprovalRow>>(path).value.value?.data ?? [];
}
