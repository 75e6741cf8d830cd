/** Connects again and again for as long as the page wants to: how long it waits in between, and what it shows. Pure but for its ports. */
import { signal } from "@preact/signals";

/** How a connection ended. `polled`: the gateway has no stream, and the list was read instead. */
export type ConnectionEnd = "closed" | "silent" | "failed" | "polled";

const POLL_MS = 4_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 20_000;
/** A stream that ends sooner counts as a failure: at once is too soon to open it again. */
const STEADY_MS = 5_000;

export interface Pace {
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

export interface KeptConnection {
  readonly connect: () => Promise<ConnectionEnd>;
  readonly show: (link: ConnectionStatus) => void;
  readonly pace: Pace;
  readonly stop: AbortSignal;
}

export async function keepConnected({ connect, show, pace, stop }: KeptConnection): Promise<void> {
  show("connecting");
  let retry = FIRST_RETRY_MS;
  while (!stop.aborted) {
    const begun = pace.now();
    const end = await connect();
    if (stop.aborted) return;
    const steady = end !== "failed" && pace.now() - begun >= STEADY_MS;
    if (steady || end === "polled") retry = FIRST_RETRY_MS;
    if (end === "polled") {
      await pace.wait(POLL_MS);
      continue;
    }
    show(end === "closed" ? "connecting" : "offline");
    // Spread out, so that a gateway that comes back does not meet everybody at once.
    await pace.wait(retry * (0.5 + pace.random() / 2));
    retry = Math.min(LONGEST_RETRY_MS, retry * 2);
  }
}

export type ConnectionStatus = "connecting" | "live" | "polling" | "offline";

export const connectionStatus = signal<ConnectionStatus>("connecting");

/** Waits, but not past the moment at which the network or the person comes back. */
export function waitUntilAwake(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      document.removeEventListener("visibilitychange", done);
      stop.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener("online", done);
    document.addEventListener("visibilitychange", done);
    stop.addEventListener("abort", done);
  });
}
