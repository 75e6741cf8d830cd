/** What became of a call, and when. Pure. */
import type { ApprovalView } from "../api/approval.ts";
import type { Words } from "../texts/words.ts";

export function outcomeText({ status, answer }: Pick<ApprovalView, "status" | "answer">, { history }: Words): string {
  return status === "approved" && answer?.action === "edit" ? history.edited : history.status[status];
}

type Times = Pick<ApprovalView, "status" | "answered_at" | "expires_at" | "created_at">;

/** A cancelled call has no time of its own, and its expiry may lie ahead: the time at which it was asked tells it from others. */
export const outcomeTime = ({ status, answered_at, expires_at, created_at }: Times): string =>
  answered_at ?? (status === "expired" ? expires_at : created_at);
