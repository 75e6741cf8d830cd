/** `/api/chat/:id/stream`: a page that was opened again continues the reply that is being written, or stops it. */

import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { ok } from "../../lib/result.ts";
import { type FollowedReply, MAX_REPLY_UNITS, type RepliesApi } from "../../stores/guard/replies.ts";
import { KEEP_ALIVE } from "../../wire/write-event.ts";
import type { AppEnv } from "../app-env.ts";
import { eventStream } from "../event-stream.ts";
import type { HandlerResult } from "../handler.ts";
import { type OpenStreams, type StreamLease, streamLease } from "../middleware/stream-lease.ts";
import { orUnavailable } from "../reach.ts";
import { UI_HEADERS } from "./ui-format.ts";

/** Milliseconds of one wait at the user's object. */
const WAIT_MS = 10_000;

/** 204 tells the SDK that no reply is being written. */
const nothing = (): HandlerResult => ok(new Response(null, { status: 204 }));

export const resumeReply =
  (open: OpenStreams) =>
  async (c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> => {
    const session = c.req.param("id") ?? "";
    const { replies } = deps.guardOf(c.var.principal);
    const first = await orUnavailable(replies.follow(session, undefined, 0, 0));
    if (!first.ok) return first;
    if (!first.value) return nothing();
    const lease = streamLease(c.req.raw, c.var.principal, undefined, deps, open);
    if (!lease.ok) return lease;
    const response = eventStream(eventsFrom(replies, session, first.value, lease.value), lease.value.end);
    for (const [name, value] of Object.entries(UI_HEADERS)) response.headers.set(name, value);
    return ok(response);
  };

/** From the first event on: the page has nothing of it. A page does not take a stream without `finish` for whole. */
async function* eventsFrom(
  replies: RepliesApi,
  session: string,
  first: FollowedReply,
  lease: StreamLease,
): AsyncGenerator<string, void> {
  let piece = first;
  for (let from = 0; from <= MAX_REPLY_UNITS; ) {
    from += piece.text.length;
    yield piece.text === "" ? KEEP_ALIVE : piece.text;
    if (piece.ended || !(await lease.holds())) return;
    const next = await orUnavailable(replies.follow(session, first.reply, from, WAIT_MS));
    if (!next.ok || !next.value) return;
    piece = next.value;
  }
}

/** A page's *Stop*: leaving the page does not end a reply that can be resumed. */
export async function stopReply(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const stopped = await orUnavailable(deps.guardOf(c.var.principal).replies.stop(c.req.param("id") ?? ""));
  return stopped.ok ? nothing() : stopped;
}
