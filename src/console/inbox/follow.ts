/**
 * Keeps the inbox current from sign-in to sign-out: a stream of events, with the list read again at each connection, since events may
 * have been missed. If there is no stream, the page reads the list every few seconds.
 */
import { effect } from "@preact/signals";
import type { ApprovalView, ListOf } from "../../api-views/approval-views.ts";
import { call, send } from "../api/call.ts";
import { me } from "../sign-in/me.ts";
import { applyApproval, approvalOf, clearApprovals, replaceWaiting } from "./approvals.ts";
import { type ConnectionEnd, connectionStatus, keepConnected, readEvents, waitUntilAwake } from "./connection.ts";
import { scopeQuery, wholeTenant } from "./scope.tsx";

/** The gateway sends a heartbeat every 10 s, and every 15 to 18 s for a whole tenant. */
const SILENCE_MS = 25_000;
const PAGE = 100;

export function followApprovals(): void {
  effect(() => {
    const who = me.value;
    const scope = scopeQuery(wholeTenant.value);
    clearApprovals();
    if (!who) return;
    const leaving = new AbortController();
    const stop = leaving.signal;
    void keepConnected({
      connect: () => connect(scope, stop),
      show: (next) => {
        connectionStatus.value = next;
      },
      pace: { now: Date.now, random: Math.random, wait: (ms) => waitUntilAwake(ms, stop) },
      stop,
    });
    return () => leaving.abort();
  });
}

async function connect(scope: string, stop: AbortSignal): Promise<ConnectionEnd> {
  const dropped = new AbortController();
  const abort = () => dropped.abort();
  const signal = AbortSignal.any([stop, dropped.signal]);
  // A dead stream can stay open long after the device has lost its network. The next try finds out.
  window.addEventListener("offline", abort, { signal });
  try {
    const end = await readStream(scope, signal);
    return signal.aborted ? "failed" : end;
  } finally {
    // The stream is open before the list is read: if the list fails, the stream must be closed.
    abort();
  }
}

async function readStream(scope: string, signal: AbortSignal): Promise<ConnectionEnd> {
  const response = await send(`/v1/approvals/events?${scope.slice(1)}`, { signal });
  if (!response || response.status >= 500 || !(await readWaiting(scope, signal))) return "failed";
  if (!response.ok || !response.body) {
    connectionStatus.value = "polling";
    return "polled";
  }
  connectionStatus.value = "live";
  const events = readEvents(response.body, SILENCE_MS);
  for (;;) {
    const next = await events.next();
    if (next.done) return next.value;
    const approval = approvalIn(next.value);
    if (approval && !signal.aborted) applyApproval(approval);
  }
}

async function readWaiting(scope: string, signal: AbortSignal): Promise<boolean> {
  const all: ApprovalView[] = [];
  for (let after = ""; ; ) {
    const path = `/v1/approvals?status=pending&limit=${PAGE}${scope}${after}`;
    const page = await call<ListOf<ApprovalView>>(path, { signal });
    if (!page.ok || signal.aborted) return false;
    all.push(...page.value.data);
    const last = page.value.data.at(-1);
    if (!page.value.has_more || !last) break;
    after = `&after=${encodeURIComponent(last.id)}`;
  }
  const unknown = replaceWaiting(all);
  await Promise.all(unknown.map((id) => readApproval(id, signal)));
  return true;
}

/** The calls may have been answered while the page had no connection. */
async function readApproval(id: string, signal: AbortSignal): Promise<void> {
  const found = await call<ApprovalView>(`/v1/approvals/${encodeURIComponent(id)}`, { signal });
  if (signal.aborted) return;
  const known = approvalOf(id);
  if (found.ok) applyApproval(found.value);
  else if (known && found.error.kind === "refused" && found.error.status === 404)
    applyApproval({ ...known, status: "cancelled" });
}

function approvalIn(data: string): ApprovalView | undefined {
  try {
    const event = JSON.parse(data) as Partial<ApprovalView>;
    return event.object === "approval" ? (event as ApprovalView) : undefined;
  } catch {
    return undefined;
  }
}
