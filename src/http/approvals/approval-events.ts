/**
 * `GET /v1/approvals/events`: questions and their answers, as server-sent events, as it happens.
 *
 * A new stream sends the pending approvals, then every change. A client that comes back names the last event it has (`Last-Event-ID`,
 * which browsers send automatically, or `after`), and gets every change since. A stream ends after some minutes and the client comes
 * back; nothing is lost between the two.
 */

import type { Context } from "hono";
import type { Language } from "../../approvals/disclosure/disclosed.ts";
import type { Deps } from "../../deps.ts";
import { ok, type Result } from "../../lib/result.ts";
import type { ApprovalsPort } from "../../ports/approvals-port.ts";
import { eventId, KEEP_ALIVE, retryAfter } from "../../wire/write-event.ts";
import type { AppEnv } from "../app-env.ts";
import { eventStream } from "../event-stream.ts";
import type { HandlerResult } from "../handler.ts";
import { type OpenStreams, type StreamLease, streamLease } from "../middleware/stream-lease.ts";
import type { Problem } from "../problem.ts";
import { orUnavailable } from "../reach.ts";
import { acceptedLanguage } from "../user/reader-language.ts";
import { readEventsQuery } from "./approval-params.ts";
import { approvalEvent, inboxView } from "./inbox-view.ts";
import { tenantEvents } from "./tenant-events.ts";

/** Milliseconds of one wait at the user's object. A heartbeat is sent between two waits. */
const WAIT_MS = 10_000;
const RETRY_MS = 2_000;
const PAGE = 100;

export async function getApprovalEvents(c: Context<AppEnv>, deps: Deps, open: OpenStreams): Promise<HandlerResult> {
  const { raw } = c.req;
  const read = readEventsQuery(raw, raw.headers.get("last-event-id"), c.var.principal);
  if (!read.ok) return read;
  const { tenant, after } = read.value;
  const lease = streamLease(raw, c.var.principal, tenant, deps, open);
  if (!lease.ok) return lease;
  const stream: Stream = { lease: lease.value, language: acceptedLanguage(raw.headers) };
  const begun = tenant === undefined ? ownEvents(c, deps, after, stream) : tenantEvents(tenant, deps, after, stream);
  const blocks = await begun;
  if (blocks.ok) return ok(eventStream(blocks.value, lease.value.end));
  lease.value.end();
  return blocks;
}

interface Stream {
  readonly lease: StreamLease;
  readonly language: Language | undefined;
}

type EventBlocks = Promise<Result<AsyncGenerator<string, void>, Problem>>;

/** The first read is made before the answer: if it fails, the client gets a 503 and not a stream that ends. */
async function ownEvents(c: Context<AppEnv>, deps: Deps, after: number | undefined, stream: Stream): EventBlocks {
  const approvals = deps.guardOf(c.var.principal).approvals;
  const now = await orUnavailable(approvals.changes(-1, 0));
  if (!now.ok) return now;
  const { version } = now.value;
  // A version that does not exist yet is from an object that lost its storage: nothing would come until it is reached again.
  const resumes = after !== undefined && after <= version;
  return { ok: true, value: blocksFrom(approvals, resumes ? after : undefined, version, stream) };
}

async function* blocksFrom(
  approvals: ApprovalsPort,
  after: number | undefined,
  now: number,
  { lease, language }: Stream,
): AsyncGenerator<string, void> {
  yield retryAfter(RETRY_MS);
  let version = after ?? now;
  if (after === undefined) {
    // A change meanwhile is sent once more, as a change. With an id, the client would come back after approvals that it never got.
    if (!(yield* pendingNow(approvals, language))) return;
    yield eventId(now);
  }
  while (await lease.holds()) {
    const changes = await orUnavailable(approvals.changes(version, WAIT_MS));
    // The client comes back with the last id that it has.
    if (!changes.ok) return;
    const { data } = changes.value;
    version = changes.value.version;
    if (data.length === 0) yield KEEP_ALIVE;
    // A client that has not got all of them must not come back with the last one's id.
    for (const [index, one] of data.entries())
      yield approvalEvent(inboxView(one, "whole", language), index === data.length - 1 ? version : undefined);
  }
}

/** @returns whether all of it was sent. */
async function* pendingNow(approvals: ApprovalsPort, language: Language | undefined): AsyncGenerator<string, boolean> {
  for (let after: string | undefined; ; ) {
    const page = await orUnavailable(approvals.list({ status: "pending", limit: PAGE, after, order: "asc" }));
    if (!page.ok) return false;
    for (const one of page.value.data) yield approvalEvent(inboxView(one, "whole", language));
    after = page.value.data.at(-1)?.id;
    if (!page.value.hasMore || after === undefined) return true;
  }
}
