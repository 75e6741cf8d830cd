/**
 * Follows what waits, from sign-in to sign-out: a stream of events, with the list read again at each connection, since
 * events may have been missed. Where there is no stream the list alone is read, every few seconds.
 */
import { effect } from "@preact/signals";
import type { ApprovalTold, ListOf } from "../api/approval.ts";
import { call, send } from "../api/call.ts";
import { readEvents } from "../api/read-events.ts";
import { me } from "../sign-in/who.ts";
import { forgetAll, takeWaiting } from "./approvals.ts";
import { link } from "./link.ts";
import { scopeQuery, wholeTenant } from "./scope.ts";
import { takeTold, wholeOf } from "./take-told.ts";
import { woken } from "./woken.ts";

/** The gateway sends a heartbeat every ten seconds or so. */
const SILENCE_MS = 40_000;
const POLL_MS = 4_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 20_000;
const PAGE = 100;

export function followApprovals(): void {
  effect(() => {
    const who = me.value;
    const whole = wholeTenant.value;
    forgetAll();
    if (!who) return;
    const stop = new AbortController();
    void follow(scopeQuery(whole), stop.signal);
    return () => stop.abort();
  });
}

async function follow(scope: string, stop: AbortSignal): Promise<void> {
  link.value = "connecting";
  for (let retry = FIRST_RETRY_MS; !stop.aborted; ) {
    const held = await connect(scope, stop);
    if (stop.aborted) return;
    retry = held === "held" ? FIRST_RETRY_MS : Math.min(LONGEST_RETRY_MS, retry * 2);
    if (held !== "polled") link.value = held === "held" ? "connecting" : "offline";
    // Spread out, so that a gateway that comes back is not met by everybody at once.
    await woken(held === "polled" ? POLL_MS : retry * (0.5 + Math.random() / 2), stop);
  }
}

/** `held`: there was a connection, and it ended. */
async function connect(scope: string, stop: AbortSignal): Promise<"held" | "polled" | "failed"> {
  const response = await send(`/v1/approvals/events?${scope.slice(1)}`, { signal: stop });
  const listed = response && response.status < 500 ? await readWaiting(scope, stop) : false;
  if (stop.aborted || !response || !listed) return "failed";
  if (!response.ok || !response.body) {
    link.value = "polling";
    return "polled";
  }
  link.value = "live";
  for await (const { data } of readEvents(response.body, SILENCE_MS)) {
    if (stop.aborted) return "held";
    const told = approvalIn(data);
    if (told) await takeTold(told, stop);
  }
  return "held";
}

async function readWaiting(scope: string, stop: AbortSignal): Promise<boolean> {
  const all: ApprovalTold[] = [];
  for (let after = ""; ; ) {
    const path = `/v1/approvals?status=pending&limit=${PAGE}${scope}${after}`;
    const page = await call<ListOf<ApprovalTold>>(path, { signal: stop });
    if (!page.ok || stop.aborted) return false;
    all.push(...page.value.data);
    const last = page.value.data.at(-1);
    if (!page.value.has_more || !last) break;
    after = `&after=${encodeURIComponent(last.id)}`;
  }
  const whole = await wholeOf(all, stop);
  if (stop.aborted || !whole) return false;
  takeWaiting(whole);
  return true;
}

function approvalIn(data: string): ApprovalTold | undefined {
  try {
    const told = JSON.parse(data) as Partial<ApprovalTold>;
    return told.object === "approval" ? (told as ApprovalTold) : undefined;
  } catch {
    return undefined;
  }
}
