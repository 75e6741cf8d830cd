/** The time, for what shows how long a question still stands: the gateway's, whatever the device takes it for. */
import { signal } from "@preact/signals";

const TICK_MS = 1000;
/** The gateway tells whole seconds, and what it tells has been on its way. */
const CLOSE_MS = 5000;

/** By how much the device's clock is ahead. */
let ahead = 0;

export const now = signal(Date.now());

/** @param date the header of an answer that has just come. A clock that is nearly right is left as it is. */
export function correctClock(date: string | null): void {
  const gatewayTime = Date.parse(date ?? "");
  if (Number.isNaN(gatewayTime)) return;
  const difference = Date.now() - gatewayTime;
  const corrected = Math.abs(difference) < CLOSE_MS ? 0 : difference;
  if (Math.abs(corrected - ahead) < CLOSE_MS) return;
  ahead = corrected;
  now.value = Date.now() - ahead;
}

/** Stands still while nobody looks. */
export function startClock(): void {
  const tick = () => {
    if (document.visibilityState === "visible") now.value = Date.now() - ahead;
  };
  setInterval(tick, TICK_MS);
  document.addEventListener("visibilitychange", tick);
}
