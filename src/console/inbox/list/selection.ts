/** The call that is shown beside the list, and the calls that are chosen to be answered together. */
import { batch, computed, effect, signal } from "@preact/signals";
import { approvalOf, keepOnly, neighbourOf } from "../approvals.ts";
import { listed } from "../listed.ts";

/** From this number of calls on, the inbox is a list with one call beside it. It stays a list until it is empty, so that the page does not jump. */
const LIST_FROM = 3;

export const splits = signal(false);
/** The call beside the list; undefined if there is none. */
export const shown = signal<string | undefined>(undefined);
/** On a phone: whether the user has opened the call, which then covers the list. */
export const opened = signal(false);
const chosen = signal<ReadonlySet<string>>(new Set());

/** The chosen calls that still wait, in the order of the list. */
export const chosenCalls = computed(() => listed.value.filter((id) => chosen.value.has(id)));
export const isChosen = (id: string): boolean => chosen.value.has(id);

export function watchList(): () => void {
  let before: readonly string[] = [];
  return effect(() => {
    const ids = listed.value;
    const current = shown.peek();
    batch(() => {
      if (ids.length === 0) opened.value = false;
      if (ids.length === 0 || ids.length >= LIST_FROM) splits.value = ids.length > 0;
      const isGone = current !== undefined && !ids.includes(current);
      // A new call does not take the place of the one that the user reads.
      if (current === undefined || isGone) shown.value = nextShown(before, ids, current);
      if (isGone && opened.value) requestAnimationFrame(showFromTop);
    });
    before = ids;
  });
}

/** On a phone the user may have scrolled to the end of the previous call. */
export function showFromTop(): void {
  if (window.matchMedia("(max-width: 59.99rem)").matches) window.scrollTo({ top: 0 });
}

/** The neighbour of a call that is gone, else the first call. Pure. */
function nextShown(before: readonly string[], ids: readonly string[], gone: string | undefined): string | undefined {
  const next = gone === undefined ? undefined : neighbourOf(before, gone);
  return next !== undefined && ids.includes(next) ? next : ids[0];
}

export function show(id: string): void {
  batch(() => {
    shown.value = id;
    opened.value = true;
    chosen.value = new Set();
    keepOnly((one) => one === id);
  });
}

/** Focuses the call beside the list, once it is drawn. */
export function focusShown(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>("[data-approval]")?.focus());
}

/** Focuses the line of a call in the list, once it is drawn. */
export function focusRow(id: string | undefined): void {
  requestAnimationFrame(() => document.getElementById(rowId(id ?? ""))?.focus());
}

export function backToList(): void {
  const id = shown.peek();
  opened.value = false;
  focusRow(id);
}

export const rowId = (id: string): string => `row-${id}`;

/** The line that a press with the shift key extends the choice from. */
let anchor: string | undefined;

/** @param range also chooses all calls between the last one and this one. */
export function toggleChosen(id: string, range: boolean): void {
  const ids = listed.peek();
  const [from, to] = [ids.indexOf(anchor ?? id), ids.indexOf(id)].sort((a, b) => a - b) as [number, number];
  const next = new Set(chosen.peek());
  if (range && from >= 0) for (const one of ids.slice(from, to + 1)) next.add(one);
  else if (!next.delete(id)) next.add(id);
  anchor = id;
  chosen.value = next;
}

/** Chooses all waiting calls of the same tools. */
export function chooseAlike(): void {
  const tools = new Set(chosenCalls.peek().map((id) => approvalOf(id)?.tool));
  chosen.value = new Set(listed.peek().filter((id) => tools.has(approvalOf(id)?.tool)));
}

export function chooseNone(): void {
  chosen.value = new Set();
}

/**
 * Goes to the next or previous call. While calls are chosen, they stay chosen, and the focus moves from line to line.
 * @returns whether there is a list.
 */
export function stepShown(by: number): boolean {
  const ids = listed.peek();
  const at = ids.indexOf(shown.peek() ?? "");
  const next = ids[Math.min(ids.length - 1, Math.max(0, at + by))];
  if (!splits.peek() || next === undefined) return false;
  if (chosenCalls.peek().length > 0) {
    shown.value = next;
    focusRow(next);
    return true;
  }
  show(next);
  requestAnimationFrame(() => document.getElementById(rowId(next))?.scrollIntoView({ block: "nearest" }));
  focusShown();
  return true;
}

/** Chooses by a key. The line takes the focus, because the chosen calls replace the call beside the list. */
export function chooseByKey(id: string): void {
  shown.value = id;
  toggleChosen(id, false);
  focusRow(id);
}
