/** The approvals that the page knows of, and which of them wait. */
import { batch, computed, signal } from "@preact/signals";
import type { ApprovalView } from "../api/approval.ts";
import { announce } from "../shell/announcer.tsx";
import { texts } from "../texts/texts.ts";
import { now } from "./clock.ts";
import { moveFocusFrom } from "./focus.ts";
import { tellInBackground } from "./notifications.ts";
import { inOrder, later } from "./order.ts";

const known = signal<ReadonlyMap<string, ApprovalView>>(new Map());
/** False until the gateway has told what waits. */
export const loaded = signal(false);

const isOpen = ({ status, expires_at }: ApprovalView): boolean =>
  status === "pending" && Date.parse(expires_at) > now.value;

const openIds = computed(() =>
  inOrder(known.value.values())
    .filter(isOpen)
    .map(({ id }) => id)
    .join(" "),
);

/** In the order of the page. Changes only when a call comes or goes, not with the clock. */
export const waiting = computed<readonly string[]>(() => openIds.value.split(" ").filter(Boolean));

export const approvalOf = (id: string): ApprovalView | undefined => known.value.get(id);

export function take(told: ApprovalView): void {
  const before = known.peek().get(told.id);
  const after = later(before, told);
  if (after === before) return;
  if (before?.status === "pending" && after.status !== "pending") moveFocusFrom(told.id, waiting.peek());
  known.value = new Map(known.peek()).set(told.id, after);
  if (before || after.status !== "pending" || !loaded.peek()) return;
  announce(texts.waiting.arrived(told.tool), false);
  tellInBackground(told);
}

/** The whole list of what waits: what is not in it waits no more. */
export function takeWaiting(list: readonly ApprovalView[]): void {
  const ids = new Set(list.map(({ id }) => id));
  const kept = [...known.peek()].filter(([id, one]) => one.status !== "pending" || ids.has(id));
  batch(() => {
    for (const [id, one] of known.peek()) {
      if (one.status === "pending" && !ids.has(id)) moveFocusFrom(id, waiting.peek());
    }
    known.value = new Map(kept);
    for (const one of list) take(one);
    loaded.value = true;
  });
}

/** For another person, or another scope. */
export function forgetAll(): void {
  batch(() => {
    known.value = new Map();
    loaded.value = false;
  });
}
