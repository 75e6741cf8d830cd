/** How many calls wait, and for whom: in the list that is shown, and beyond it for operators. */
import { computed, effect, signal } from "@preact/signals";
import type { ApprovalView, ListOf } from "../api/approval.ts";
import { call } from "../api/call.ts";
import { me } from "../sign-in/who.ts";
import { approvalOf, waiting } from "./approvals.ts";
import { countWaiting } from "./count-waiting.ts";
import { wholeTenant } from "./scope.ts";
import { woken } from "./woken.ts";

const EVERY_MS = 30_000;
const MOST = 100;

/** Of what the page shows. */
export const waitingCounts = computed(() =>
  countWaiting(
    waiting.value.flatMap((id) => approvalOf(id) ?? []),
    me.value?.user,
  ),
);

export interface OthersWaiting {
  readonly count: number;
  /** There are more than the page counted. */
  readonly more: boolean;
}

const counted = signal<OthersWaiting | undefined>(undefined);

/** Undefined until it is known, and for everybody but operators. */
export const othersWaiting = computed<OthersWaiting | undefined>(() =>
  wholeTenant.value ? { count: waitingCounts.value.others, more: false } : counted.value,
);

/** An operator who sees only their own calls learns that others wait; a stream for that number would cost too much. */
export function followOthers(): void {
  effect(() => {
    const who = me.value;
    counted.value = undefined;
    if (!who?.sees_tenant || wholeTenant.value) return;
    const stop = new AbortController();
    void count(who.user, stop.signal);
    return () => stop.abort();
  });
}

async function count(self: string, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    if (document.visibilityState === "visible") {
      const path = `/v1/approvals?status=pending&scope=tenant&limit=${MOST}`;
      const page = await call<ListOf<ApprovalView>>(path, { signal: stop });
      if (stop.aborted) return;
      if (page.ok) counted.value = { count: countWaiting(page.value.data, self).others, more: page.value.has_more };
    }
    await woken(EVERY_MS, stop);
  }
}
