/** State of the inbox: the approvals that the page knows, and which of them wait. */
import { batch, computed, signal } from "@preact/signals";
import type { ApprovalView } from "../../api-views/approval-views.ts";
import { announce } from "../shell/announcer.tsx";
import { texts } from "../texts/texts.ts";
import { now } from "./clock.ts";
import { notifyInBackground } from "./notifications.ts";
import { settledText } from "./settled-text.ts";

const approvals = signal<ReadonlyMap<string, ApprovalView>>(new Map());
/** False until the gateway has listed the waiting calls. */
export const loaded = signal(false);

/** Calls whose answer is about to be sent. The list hides them; they return if the answer is taken back or not accepted. */
const aside = signal<ReadonlySet<string>>(new Set());

export function setAside(ids: readonly string[], away: boolean): void {
  const next = new Set(aside.peek());
  for (const id of ids)
    if (away) next.add(id);
    else next.delete(id);
  aside.value = next;
}

/**
 * Calls that were answered elsewhere, or cancelled, while the user was working on them. They stay until the user moves on: otherwise
 * another call would move into their place and take the next press.
 */
export const kept = signal<ReadonlySet<string>>(new Set());

/** @param which calls that stay on. */
export function keepOnly(which: (id: string) => boolean): void {
  const next = [...kept.peek()].filter(which);
  if (next.length < kept.peek().size) kept.value = new Set(next);
}

/** Calls that this page is sending an answer to. */
const answering = new Set<string>();

export function markAnswering(id: string, isAnswering: boolean): void {
  if (isAnswering) answering.add(id);
  else answering.delete(id);
}

const isOver = ({ expires_at }: ApprovalView): boolean => Date.parse(expires_at) <= now.value;

const openIds = computed(() =>
  inboxOrder(approvals.value.values())
    .filter((one) => one.status === "pending" && !isOver(one) && !aside.value.has(one.id))
    .map(({ id }) => id)
    .join(" "),
);

/** The waiting calls, in the order of the page. Changes only when a call comes or goes, not with the clock. */
export const waiting = computed<readonly string[]>(() => openIds.value.split(" ").filter(Boolean));

export const approvalOf = (id: string): ApprovalView | undefined => approvals.value.get(id);

/** Whether the call expired: by the gateway's status, or by the clock if the gateway has not reported it yet. */
export const hasExpired = (one: ApprovalView): boolean =>
  one.status === "expired" || (one.status === "pending" && isOver(one));

export function applyApproval(received: ApprovalView): void {
  const before = approvals.peek().get(received.id);
  const after = latest(before, received);
  if (after === before) return;
  // An expired call stays in the list and keeps the focus.
  if (before?.status === "pending" && after.status !== "pending" && after.status !== "expired") keepOrLeave(after);
  approvals.value = new Map(approvals.peek()).set(received.id, after);
  if (before || after.status !== "pending" || !loaded.peek()) return;
  announce(texts.waiting.arrived(received.tool), false);
  notifyInBackground(received);
}

function keepOrLeave(after: ApprovalView): void {
  const { id } = after;
  if (answering.has(id) || !isAttended(id)) {
    moveFocusFrom(id, waiting.peek());
    return;
  }
  kept.value = new Set(kept.peek()).add(id);
  announce(settledText(after), false);
  const card = document.getElementById(cardId(id));
  // The buttons disappear; the focus stays with the call.
  if (card?.contains(document.activeElement)) card.focus();
}

/** Whether the focus is in its card, a panel is open there, or it is shown beside the list. */
function isAttended(id: string): boolean {
  const card = document.getElementById(cardId(id));
  if (!card?.checkVisibility()) return false;
  return (
    card.closest(".beside") !== null || card.contains(document.activeElement) || card.querySelector(".panel") !== null
  );
}

/**
 * Takes over the whole list of waiting calls: a call that is not in it no longer waits.
 * @returns the ids of calls whose outcome the page must still ask for: the user is working on them, or they have expired.
 */
export function replaceWaiting(list: readonly ApprovalView[]): readonly string[] {
  const ids = new Set(list.map(({ id }) => id));
  const missing = [...approvals.peek().values()].filter(({ id, status }) => status === "pending" && !ids.has(id));
  const gone = missing.filter((one) => !isOver(one) && !isAttended(one.id));
  batch(() => {
    for (const { id } of gone) moveFocusFrom(id, waiting.peek());
    approvals.value = new Map([...approvals.peek()].filter(([, one]) => !gone.includes(one)));
    for (const one of list) applyApproval(one);
    loaded.value = true;
  });
  return missing.filter((one) => !gone.includes(one)).map(({ id }) => id);
}

/** Empties the inbox, for another user or another scope. */
export function clearApprovals(): void {
  batch(() => {
    approvals.value = new Map();
    aside.value = new Set();
    kept.value = new Set();
    loaded.value = false;
  });
}

/** A question whose whole time to answer is shorter is always urgent: the order does not jump while the user reads. */
const URGENT_MS = 10 * 60_000;

/** Urgent calls by their expiry, then the others, newest first. */
export function inboxOrder(approvals: Iterable<ApprovalView>): readonly ApprovalView[] {
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

/** The call that takes the focus when another goes: the next one, else the previous one. */
export function neighbourOf(ids: readonly string[], id: string): string | undefined {
  const at = ids.indexOf(id);
  return at < 0 ? undefined : (ids[at + 1] ?? ids[at - 1]);
}

/** Events and lists may arrive out of order: an answered call never waits again. */
export function latest(known: ApprovalView | undefined, received: ApprovalView): ApprovalView {
  if (known && known.status !== "pending" && received.status === "pending") return known;
  if (known?.settled_by && !received.settled_by) return known;
  return received;
}

const firstCard = (): HTMLElement | null => document.querySelector("[data-approval]");

export const cardId = (id: string): string => `call-${id}`;

/** Call it before the page is drawn again. Does nothing if the focus is elsewhere. */
export function moveFocusFrom(id: string, waiting: readonly string[]): void {
  const card = document.getElementById(cardId(id));
  if (!card?.contains(document.activeElement)) return;
  const next = neighbourOf(waiting, id);
  requestAnimationFrame(() => {
    // Beside the list only one card is drawn.
    const target = next === undefined ? null : (document.getElementById(cardId(next)) ?? firstCard());
    (target ?? document.getElementById("heading"))?.focus();
  });
}
