/** The approvals that the page knows of, and which of them wait. */
import { batch, computed, signal } from "@preact/signals";
import type { ApprovalView } from "../api/approval.ts";
import { announce } from "../shell/announcer.tsx";
import { texts } from "../texts/texts.ts";
import { now } from "./card/clock.ts";
import { moveFocusFrom } from "./focus.ts";
import { tellInBackground } from "./notifications.ts";
import { inOrder, later } from "./order.ts";

const known = signal<ReadonlyMap<string, ApprovalView>>(new Map());
/** False until the gateway has listed what waits. */
export const loaded = signal(false);

const isOver = ({ expires_at }: ApprovalView): boolean => Date.parse(expires_at) <= now.value;

const openIds = computed(() =>
  inOrder(known.value.values())
    .filter((one) => one.status === "pending" && !isOver(one))
    .map(({ id }) => id)
    .join(" "),
);

/** In the order of the page. Changes only when a call comes or goes, not with the clock. */
export const waiting = computed<readonly string[]>(() => openIds.value.split(" ").filter(Boolean));

export const approvalOf = (id: string): ApprovalView | undefined => known.value.get(id);

/** Whether nobody answered in time: the gateway says so, or the clock does and the gateway has not spoken yet. */
export const hasExpired = (one: ApprovalView): boolean =>
  one.status === "expired" || (one.status === "pending" && isOver(one));

export function take(fresh: ApprovalView): void {
  const before = known.peek().get(fresh.id);
  const after = later(before, fresh);
  if (after === before) return;
  // A call that has expired stays in the list, and keeps the focus.
  if (before?.status === "pending" && after.status !== "pending" && after.status !== "expired")
    moveFocusFrom(fresh.id, waiting.peek());
  known.value = new Map(known.peek()).set(fresh.id, after);
  if (before || after.status !== "pending" || !loaded.peek()) return;
  announce(texts.waiting.arrived(fresh.tool), false);
  tellInBackground(fresh);
}

/**
 * Takes the whole list of what waits: what is not in it waits no more.
 * @returns the ids of calls whose time is up, of which the page does not know whether somebody answered before.
 */
export function takeWaiting(list: readonly ApprovalView[]): readonly string[] {
  const ids = new Set(list.map(({ id }) => id));
  const missing = [...known.peek().values()].filter(({ id, status }) => status === "pending" && !ids.has(id));
  const gone = missing.filter((one) => !isOver(one));
  batch(() => {
    for (const { id } of gone) moveFocusFrom(id, waiting.peek());
    known.value = new Map([...known.peek()].filter(([, one]) => !gone.includes(one)));
    for (const one of list) take(one);
    loaded.value = true;
  });
  return missing.filter(isOver).map(({ id }) => id);
}

/** For another person, or another scope. */
export function forgetAll(): void {
  batch(() => {
    known.value = new Map();
    loaded.value = false;
  });
}
