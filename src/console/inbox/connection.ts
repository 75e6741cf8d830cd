/** The page's connection to the gateway: its state for the page, reconnection, and the stream of events. */
import { signal } from "@preact/signals";
import { createParser } from "eventsource-parser";
import { type Deadline, startDeadline } from "../../lib/deadline.ts";

type ConnectionStatus = "connecting" | "live" | "polling" | "offline";

export const connectionStatus = signal<ConnectionStatus>("connecting");

/** How a connection ended. `polled`: the gateway has no stream, and the list was read instead. */
export type ConnectionEnd = "closed" | "silent" | "failed" | "polled";

const POLL_MS = 4_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 20_000;
/** A stream that ends sooner counts as a failure, so that it is not reopened at once. */
const STEADY_MS = 5_000;

interface Pace {
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

interface ConnectionOptions {
  readonly connect: () => Promise<ConnectionEnd>;
  readonly show: (status: ConnectionStatus) => void;
  readonly pace: Pace;
  readonly stop: AbortSignal;
}

/** Connects again and again until `stop` fires. */
export async function keepConnected({ connect, show, pace, stop }: ConnectionOptions): Promise<void> {
  show("connecting");
  let retry = FIRST_RETRY_MS;
  while (!stop.aborted) {
    const startedAt = pace.now();
    const end = await connect();
    if (stop.aborted) return;
    const steady = end !== "failed" && pace.now() - startedAt >= STEADY_MS;
    if (steady || end === "polled") retry = FIRST_RETRY_MS;
    if (end === "polled") {
      await pace.wait(POLL_MS);
      continue;
    }
    show(end === "closed" ? "connecting" : "offline");
    // Jitter, so that a gateway that comes back does not get all reconnections at once.
    await pace.wait(retry * (0.5 + pace.random() / 2));
    retry = Math.min(LONGEST_RETRY_MS, retry * 2);
  }
}

/**
 * Yields the data of each event. It never throws.
 * @param silenceMs silence after which the connection counts as dead: phones do not always notice.
 * @returns how the body ended.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<string, "closed" | "silent"> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void events.push(data) });
  let silence: Deadline | undefined;
  try {
    for (;;) {
      silence = startDeadline(silenceMs);
      const chunk = await silence.race(reader.read()).finally(silence.stop);
      if (chunk.done) return "closed";
      parser.feed(decoder.decode(chunk.value, { stream: true }));
      yield* events.splice(0);
    }
  } catch {
    return silence?.ended === undefined ? "closed" : "silent";
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Waits until the time is over, or the network or the user comes back. */
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
