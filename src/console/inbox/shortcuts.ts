/** Shortcuts of single keys. Ignored while the user writes, with a modifier, and while a key is held down. */
import { signal } from "@preact/signals";
import { chooseByKey, shown, splits, stepShown } from "./list/selection.ts";

/** Whether the list of keys is shown. */
export const helpOpen = signal(false);

export function listenToKeys(): () => void {
  const listen = (event: KeyboardEvent) => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isWriting(event.target) || helpOpen.value) return;
    if (pressed(event.key)) event.preventDefault();
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}

function pressed(key: string): boolean {
  if (key === "?") {
    helpOpen.value = true;
    return true;
  }
  if (key === "j" || key === "k") return step(key === "j" ? 1 : -1);
  if (key === "x") return choose();
  if (!["a", "d", "e"].includes(key)) return false;
  const card = focusedCard();
  const button = card?.querySelector<HTMLElement>(`[data-key="${key}"]`);
  if (key === "a" && button && !isOnScreen(button)) button.scrollIntoView({ block: "center" });
  else button?.click();
  return button !== null && button !== undefined;
}

/** The card with the focus: a key must not answer a call that the user does not look at. If nothing has the focus: the only card, if there is just one. */
function focusedCard(): Element | null | undefined {
  const { activeElement } = document;
  const card = activeElement?.closest("[data-approval]");
  if (card || activeElement?.matches("main :not(#heading), .toasts *")) return card;
  const cards = [...document.querySelectorAll("[data-approval]")].filter((card) => card.checkVisibility());
  return cards.length === 1 ? cards[0] : undefined;
}

/** The button is below the values. If it is off the screen, the first press scrolls to it and answers nothing. */
function isOnScreen(button: HTMLElement): boolean {
  const { top, bottom } = button.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
}

/** Chooses the row with the focus, else the call beside the list. */
function choose(): boolean {
  const id = document.activeElement?.closest("li")?.querySelector("button")?.id.replace(/^row-/, "") ?? shown.peek();
  if (!splits.peek() || id === undefined) return false;
  chooseByKey(id);
  return true;
}

function step(by: number): boolean {
  if (splits.peek()) return stepShown(by);
  const cards = [...document.querySelectorAll<HTMLElement>("[data-approval]")];
  const current = cards.findIndex((card) => card.contains(document.activeElement));
  const next = current < 0 ? cards[0] : cards[Math.min(cards.length - 1, Math.max(0, current + by))];
  next?.focus();
  next?.scrollIntoView({ block: "start" });
  return next !== undefined;
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
}
