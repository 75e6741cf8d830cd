/** The gateway's time, for the display of how long a question still waits; the device's clock may be wrong. */
import { signal } from "@preact/signals";

const TICK_MS = 1000;
/** Smaller differences are ignored: the gateway sends whole seconds, and the response took some time. */
const CLOSE_MS = 5000;

/** Milliseconds by which the device's clock is ahead. */
let ahead = 0;

export const now = signal(Date.now());

/** @param date the `Date` header of a fresh response. A clock that is nearly right is not corrected. */
export function correctClock(date: string | null): void {
  const gatewayTime = Date.parse(date ?? "");
  if (Number.isNaN(gatewayTime)) return;
  const difference = Date.now() - gatewayTime;
  const corrected = Math.abs(difference) < CLOSE_MS ? 0 : difference;
  if (Math.abs(corrected - ahead) < CLOSE_MS) return;
  ahead = corrected;
  now.value = Date.now() - ahead;
}

/** Does not advance while the page is hidden. */
export function startClock(): void {
  const tick = () => {
    if (document.visibilityState === "visible") now.value = Date.now() - ahead;
  };
  setInterval(tick, TICK_MS);
  document.addEventListener("visibilitychange", tick);
}
