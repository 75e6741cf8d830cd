/**
 * The calls that run in this isolate, so that a client of 2025, whose cancellation is a message of its own, can end them. A
 * cancellation that reaches another isolate ends nothing, as the protocol allows; closing the call's stream ends it everywhere.
 */
import { lengthPrefixed } from "../../lib/digest.ts";
import type { Owner } from "../../session/principal.ts";

const running = new Map<string, Set<AbortController>>();

const keyOf = ({ tenant, user }: Owner, session: string, request: string | number): string =>
  `${lengthPrefixed(tenant, user, session)} ${typeof request} ${request}`;

interface RunningCall {
  /** Fires when the client cancels it, or goes away. */
  readonly signal: AbortSignal;
  ended(): void;
}

export function noteRunning(owner: Owner, session: string, request: string | number, gone: AbortSignal): RunningCall {
  const key = keyOf(owner, session, request);
  const controller = new AbortController();
  const same = running.get(key) ?? new Set();
  running.set(key, same.add(controller));
  return {
    signal: AbortSignal.any([gone, controller.signal]),
    ended() {
      same.delete(controller);
      if (same.size === 0) running.delete(key);
    },
  };
}

export function cancelRunning(owner: Owner, session: string, request: unknown): void {
  if (typeof request !== "string" && typeof request !== "number") return;
  for (const controller of running.get(keyOf(owner, session, request)) ?? []) controller.abort();
}
