/** Where the focus goes when the call that held it goes away. */
import { neighbourOf } from "./order.ts";

export const cardId = (id: string): string => `call-${id}`;

/** To be called before the page is drawn anew. Does nothing where the focus is elsewhere. */
export function moveFocusFrom(id: string, waiting: readonly string[]): void {
  const card = document.getElementById(cardId(id));
  if (!card?.contains(document.activeElement)) return;
  const next = neighbourOf(waiting, id);
  requestAnimationFrame(() => {
    const target = next === undefined ? null : document.getElementById(cardId(next));
    (target ?? document.getElementById("heading"))?.focus();
  });
}
