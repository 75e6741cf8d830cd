/** Takes in what lists and events tell. What a whole tenant's tell in part is asked for, before a person is shown it. */
import type { ApprovalTold, ApprovalView } from "../api/approval.ts";
import { call } from "../api/call.ts";
import { approvalOf, take } from "./approvals.ts";

const AT_ONCE = 6;

export async function takeTold(told: ApprovalTold, stop: AbortSignal): Promise<void> {
  const known = approvalOf(told.id);
  if (told.details) take(told);
  else if (known && told.status !== "pending") take(answered(known, told));
  else if (!known && told.status === "pending") {
    const [whole] = (await wholeOf([told], stop)) ?? [];
    if (whole && !stop.aborted) take(whole);
  }
}

/** Undefined where they cannot be had just now. One that went meanwhile is left out. */
export async function wholeOf(
  all: readonly ApprovalTold[],
  stop: AbortSignal,
): Promise<readonly ApprovalView[] | undefined> {
  const whole: ApprovalView[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const asked = all.slice(from, from + AT_ONCE).map((told) => wholeOne(told, stop));
    for (const one of await Promise.all(asked)) {
      if (one === "unreachable") return undefined;
      if (one) whole.push(one);
    }
  }
  return whole;
}

async function wholeOne(told: ApprovalTold, stop: AbortSignal): Promise<ApprovalView | "unreachable" | undefined> {
  if (told.details) return told;
  const known = approvalOf(told.id);
  if (known) return known;
  const found = await call<ApprovalView>(`/v1/approvals/${encodeURIComponent(told.id)}`, { signal: stop });
  if (found.ok) return found.value;
  return found.error.kind === "refused" && found.error.status === 404 ? undefined : "unreachable";
}

const answered = (known: ApprovalView, { status, answered_at, answer, settled_by }: ApprovalTold): ApprovalView => ({
  ...known,
  status,
  answered_at,
  answer,
  settled_by,
});
