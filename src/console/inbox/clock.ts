/** The time, for what shows how long a question still stands. */
import { signal } from "@preact/signals";

const TICK_MS = 1000;

export const now = signal(Date.now());

/** Stands still while nobody looks. */
export function startClock(): void {
  const tick = () => {
    if (document.visibilityState === "visible") now.value = Date.now();
  };
  setInterval(tick, TICK_MS);
  document.addEventListener("visibilitychange", tick);
}
