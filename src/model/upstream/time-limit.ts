/**
 * Time limits for an upstream's answer. One watch per attempt, one timer per watch: what comes from the upstream is only noted, and a timer
 * that rings too early is set again. (A timer set and cleared for each chunk is measurable.)
 */
import type { TimeLimits } from "../../settings/upstream-target.ts";

type LimitKind = "connect" | "first_byte" | "idle";

const TIMEOUT_TEXTS: Record<LimitKind, readonly [what: string, setting: string]> = {
  connect: ["did not begin to answer", "UPSTREAM_CONNECT_TIMEOUT"],
  first_byte: ["sent nothing of its answer", "UPSTREAM_FIRST_BYTE_TIMEOUT"],
  idle: ["stopped in the middle of its answer", "UPSTREAM_IDLE_TIMEOUT"],
};

export class UpstreamTimeout extends Error {
  /** OpenAI's error object. */
  readonly error: { readonly message: string; readonly type: string; readonly code: string; readonly param: null };

  constructor(kind: LimitKind, ms: number) {
    const [what, setting] = TIMEOUT_TEXTS[kind];
    super(`the upstream ${what} within ${ms < 1000 ? `${ms}ms` : `${ms / 1000}s`} (${setting})`);
    this.error = { message: this.message, type: "upstream_error", code: "upstream_timeout", param: null };
  }
}

export interface UpstreamDeadline {
  /** For the upstream's request: fires when the time is up, or when the client has gone. */
  readonly signal: AbortSignal;
  /** Set if the time was up. */
  readonly expired: UpstreamTimeout | undefined;
  /** The work's result, or a rejection as soon as the signal fires: not every upstream's body obeys it. */
  race<T>(work: Promise<T>): Promise<T>;
  /** @param cancel called when the signal fires, so that a pending read ends. */
  onEnd(cancel: (reason: unknown) => void): void;
  /** The headers have come; `next` is the limit that applies now. */
  answered(next: "first_byte" | "idle"): void;
  /** A piece of the answer has come. */
  received(): void;
  /** Calls `report` if five seconds from now the answer has neither begun nor failed. */
  ifSlow(report: () => void): void;
  /** The first event has come: from here on only silence counts. */
  begun(): void;
  /** The client is slow, or the body is not being read: the upstream's time does not count. */
  pause(): void;
  resume(): void;
  /** Must be called in the end: a watch holds a timer and listens to the client's signal. */
  stop(): void;
}

/** The longest time between two looks of a watch: so a new limit, however short, needs no timer of its own. */
const LOOK_MS = 5_000;

/** @param client fires when the client goes away. */
export function startUpstreamDeadline(limits: TimeLimits, client: AbortSignal, streams: boolean): UpstreamDeadline {
  const controller = new AbortController();
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  const cancels: ((reason: unknown) => void)[] = [];
  const startedAt = Date.now();
  let lastByteAt = startedAt;
  let kind: LimitKind = streams && limits.connectMs < limits.firstByteMs ? "connect" : "first_byte";
  let paused = false;
  let expired: UpstreamTimeout | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ringsAt = 0;
  let slow: { readonly at: number; readonly report: () => void } | undefined;

  const limit = (): number =>
    kind === "idle" ? limits.idleMs : kind === "connect" ? limits.connectMs : limits.firstByteMs;
  const deadline = (): number => (kind === "idle" ? lastByteAt : startedAt) + limit();
  const arm = (now: number): void => {
    ringsAt = Math.min(paused ? Infinity : deadline(), slow?.at ?? Infinity, now + LOOK_MS);
    timer = setTimeout(ring, Math.max(ringsAt - now, 0));
  };
  const end = (reason: unknown): void => {
    stop();
    controller.abort(reason);
    ended.reject(reason);
    for (const cancel of cancels) cancel(reason);
  };
  const ring = (): void => {
    const now = Date.now();
    if (paused || now < deadline()) {
      const due = slow && now >= slow.at ? slow : undefined;
      if (due) slow = undefined;
      arm(now);
      due?.report();
      return;
    }
    expired = new UpstreamTimeout(kind, limit());
    end(expired);
  };
  const leave = (): void => end(client.reason);
  const stop = (): void => {
    if (timer !== undefined) clearTimeout(timer);
    timer = undefined;
    client.removeEventListener("abort", leave);
  };
  const moveTo = (next: LimitKind): void => {
    kind = next;
    lastByteAt = Date.now();
    if (timer === undefined || deadline() >= ringsAt) return;
    clearTimeout(timer);
    arm(lastByteAt);
  };

  if (client.aborted) end(client.reason);
  else {
    client.addEventListener("abort", leave);
    arm(startedAt);
  }
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    race: (work) => Promise.race([work, ended.promise]),
    onEnd(cancel) {
      if (controller.signal.aborted) cancel(controller.signal.reason);
      else cancels.push(cancel);
    },
    answered: moveTo,
    received() {
      lastByteAt = Date.now();
    },
    ifSlow(report) {
      slow = { at: Date.now() + LOOK_MS, report };
    },
    begun() {
      slow = undefined;
      moveTo("idle");
    },
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      moveTo(kind);
    },
    stop,
  };
}
