/** The approvals that the page knows of, and which of them wait. */
import { batch, computed, signal } from "@preact/signals";
import type { ApprovalView } from "../../api-views/approval-views.ts";
import { announce } from "../shell/announcer.tsx";
import { texts } from "../texts/texts.ts";
import { now } from "./clock.ts";
import { notifyInBackground } from "./notifications.ts";
import { settledText } from "./settled-text.ts";

const approvals = signal<ReadonlyMap<string, ApprovalView>>(new Map());
/** False until the gateway has listed what waits. */
export const loaded = signal(false);

/** Those whose answer is about to be sent: they are out of the list, and come back where it is taken back or not accepted. */
const aside = signal<ReadonlySet<string>>(new Set());

export function setAside(ids: readonly string[], away: boolean): void {
  const next = new Set(aside.peek());
  for (const id of ids)
    if (away) next.add(id);
    else next.delete(id);
  aside.value = next;
}

/**
 * Calls that were answered elsewhere, or fell away, while somebody was at them. They stay until that person moves on: in their place
 * another call would take the next press.
 */
export const kept = signal<ReadonlySet<string>>(new Set());

/** @param which those that go on staying. */
export function keepOnly(which: (id: string) => boolean): void {
  const next = [...kept.peek()].filter(which);
  if (next.length < kept.peek().size) kept.value = new Set(next);
}

/** Calls that this page's own answer is on its way to. */
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

/** In the order of the page. Changes only when a call comes or goes, not with the clock. */
export const waiting = computed<readonly string[]>(() => openIds.value.split(" ").filter(Boolean));

export const approvalOf = (id: string): ApprovalView | undefined => approvals.value.get(id);

/** Whether nobody answered in time: the gateway says so, or the clock does and the gateway has not spoken yet. */
export const hasExpired = (one: ApprovalView): boolean =>
  one.status === "expired" || (one.status === "pending" && isOver(one));

export function applyApproval(received: ApprovalView): void {
  const before = approvals.peek().get(received.id);
  const after = latest(before, received);
  if (after === before) return;
  // A call that has expired stays in the list, and keeps the focus.
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
  // The buttons go; the focus stays with the call.
  if (card?.contains(document.activeElement)) card.focus();
}

/** Somebody has the focus in its card, has opened a panel there, or looks at it beside the list. */
function isAttended(id: string): boolean {
  const card = document.getElementById(cardId(id));
  if (!card?.checkVisibility()) return false;
  return (
    card.closest(".beside") !== null || card.contains(document.activeElement) || card.querySelector(".panel") !== null
  );
}

/**
 * Takes the whole list of what waits: what is not in it waits no more.
 * @returns the ids of calls of which the page does not know yet what became of them: somebody is at them, or their time is up.
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

/** For another person, or another scope. */
export function clearApprovals(): void {
  batch(() => {
    approvals.value = new Map();
    aside.value = new Set();
    kept.value = new Set();
    loaded.value = false;
  });
}

/** A question that stands for less than this is urgent as long as it stands: the order does not jump while one reads. */
const URGENT_MS = 10 * 60_000;

/** Urgent ones by their end, then the others, newest first. */
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

/** What takes the focus when a call goes: the next one, else the one before. */
export function neighbourOf(ids: readonly string[], id: string): string | undefined {
  const at = ids.indexOf(id);
  return at < 0 ? undefined : (ids[at + 1] ?? ids[at - 1]);
}

/** Events and lists may overtake each other: what is answered never waits again. */
export function latest(known: ApprovalView | undefined, received: ApprovalView): ApprovalView {
  if (known && known.status !== "pending" && received.status === "pending") return known;
  if (known?.settled_by && !received.settled_by) return known;
  return received;
}

const firstCard = (): HTMLElement | null => document.querySelector("[data-approval]");

export const cardId = (id: string): string => `call-${id}`;

/** To be called before the page is drawn anew. Does nothing where the focus is elsewhere. */
export function moveFocusFrom(id: string, waiting: readonly string[]): void {
  const card = document.getElementById(cardId(id));
  if (!card?.contains(document.activeElement)) return;
  const next = neighbourOf(waiting, id);
  requestAnimationFrame(() => {
    // Beside a list only one card is drawn.
    const target = next === undefined ? null : (document.getElementById(cardId(next)) ?? firstCard());
    (target ?? document.getElementById("heading"))?.focus();
  });
}
