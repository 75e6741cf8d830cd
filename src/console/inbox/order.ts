/** Which of the calls that wait is shown first. Pure. */
import type { ApprovalView } from "../api/approval.ts";

/** A question that stands for less than this is urgent as long as it stands: the order does not jump while one reads. */
const URGENT_MS = 10 * 60_000;

/** Urgent ones by their end, then the others, newest first. */
export function inOrder(approvals: Iterable<ApprovalView>): readonly ApprovalView[] {
  return [...approvals].sort((a, b) => {
    const [urgentA, urgentB] = [isUrgent(a), isUrgent(b)];
    if (urgentA !== urgentB) return urgentA ? -1 : 1;
    return urgentA
      ? compare(a.expires_at, b.expires_at) || compare(a.id, b.id)
      : compare(b.created_at, a.created_at) || compare(b.id, a.id);
  });
}

export const isUrgent = ({ created_at, expires_at }: ApprovalView): boolean =>
  Date.parse(expires_at) - Date.parse(created_at) <= URGENT_MS;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What takes the focus when a call goes: the next one, else the one before. */
export function neighbourOf(ids: readonly string[], id: string): string | undefined {
  const at = ids.indexOf(id);
  return at < 0 ? undefined : (ids[at + 1] ?? ids[at - 1]);
}

/** Events and lists may overtake each other: what is answered never waits again. */
export function later(known: ApprovalView | undefined, told: ApprovalView): ApprovalView {
  if (known && known.status !== "pending" && told.status === "pending") return known;
  if (known?.settled_by && !told.settled_by) return known;
  return told;
}
