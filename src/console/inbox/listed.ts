/**
 * The list of the inbox, with calls that expire while the page shows them: they stay for a while, so that the user sees what happened to
 * a call that they were about to answer.
 */
import { computed, effect, signal } from "@preact/signals";
import type { ApprovalView } from "../../api-views/approval-views.ts";
import { announce } from "../shell/announcer.tsx";
import { texts } from "../texts/texts.ts";
import { approvalOf, cardId, hasExpired, inboxOrder, keepOnly, kept, moveFocusFrom, waiting } from "./approvals.ts";
import { now } from "./clock.ts";

/** By the page's clock, which does not advance while the page is hidden. */
const STAYS_MS = 5 * 60_000;

/** Calls that the page has shown as waiting. */
const shown = new Set<string>();
/** When the page noticed that they expired, by id. */
const expiredAt = signal<ReadonlyMap<string, number>>(new Map());

/** Whether a listed call no longer waits. */
export const isOver = (id: string): boolean => expiredAt.value.has(id) || kept.value.has(id);

const listedIds = computed(() => {
  const all = [...waiting.value, ...expiredAt.value.keys(), ...kept.value].flatMap((id) => approvalOf(id) ?? []);
  return inboxOrder(new Set(all))
    .map(({ id }) => id)
    .join(" ");
});

/** All calls of the list, in order: waiting ones, ones that have just expired, and ones that were answered elsewhere while shown. */
export const listed = computed<readonly string[]>(() => listedIds.value.split(" ").filter(Boolean));

export function watchExpiry(): void {
  effect(() => {
    const open = new Set(waiting.value);
    for (const id of open) shown.add(id);
    const before = expiredAt.peek();
    const after = new Map<string, number>();
    for (const id of shown) {
      if (open.has(id)) continue;
      const approval = approvalOf(id);
      const since = before.get(id) ?? now.value;
      if (!approval || !hasExpired(approval) || now.value - since >= STAYS_MS) {
        shown.delete(id);
        continue;
      }
      after.set(id, since);
      if (!before.has(id)) announceExpiry(approval);
    }
    if (after.size !== before.size || [...after.keys()].some((id) => !before.has(id))) expiredAt.value = after;
  });
}

export function dismiss(id: string): void {
  moveFocusFrom(id, listed.peek());
  shown.delete(id);
  keepOnly((one) => one !== id);
  expiredAt.value = new Map([...expiredAt.peek()].filter(([one]) => one !== id));
}

function announceExpiry({ id, tool }: ApprovalView): void {
  announce(texts.expired.announced(tool), false);
  const card = document.getElementById(cardId(id));
  // The buttons disappear; the focus stays with the call.
  if (card?.contains(document.activeElement)) card.focus();
}

const PAUSE_MS = 400;

export const answersPaused = signal(false);

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Ignores answers for a moment after the list has moved, because a new call may push another away under the finger, and after a button
 * has become another one, because the second press of two is not meant for the new button.
 */
export function pauseAnswers(): void {
  answersPaused.value = true;
  clearTimeout(timer);
  timer = setTimeout(() => {
    answersPaused.value = false;
  }, PAUSE_MS);
}

export function pauseAnswersWhenListMoves(): void {
  effect(() => {
    if (listed.value.length > 0) pauseAnswers();
  });
}
