/**
 * The events of a plan, as a stream of server-sent events or as one JSON body. Each event has its name, and in its data `type`,
 * `sequence_number`, the plan's id and the turn's. A stream with an orderly end closes with `data: [DONE]`, as a chat's does.
 */

import type { JsonObject } from "../../lib/json/json-value.ts";
import { type ReplyTimeouts, replyStream } from "../../wire/reply-sink.ts";
import { DONE, serverEvent } from "../../wire/write-event.ts";

export interface PlanEventData extends JsonObject {
  readonly type: string;
}

export interface EventReply {
  /** Resolves as soon as there is something to answer with. */
  readonly response: Promise<Response>;
  send(event: PlanEventData): void;
  /** @param failed the problem, if the end is not orderly. */
  end(failed?: EventFailure): Promise<void>;
}

export interface EventFailure {
  readonly status: number;
  /** OpenAI's error object. */
  readonly error: unknown;
}

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** @param common members of every event. */
export function streamedEvents(
  common: JsonObject,
  headers: Headers,
  onGone: () => void,
  timeouts: ReplyTimeouts,
): EventReply {
  const stream = replyStream(onGone, timeouts);
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  let sequence = 0;
  const write = ({ type, ...data }: PlanEventData): void => {
    stream.write(serverEvent(type, { type, sequence_number: sequence++, ...common, ...data }));
  };
  // A planner may think for a long time, and a tool work.
  stream.keepAlive();
  return {
    response: Promise.resolve(new Response(stream.readable, { headers })),
    send: write,
    async end(failed) {
      if (failed) write({ type: "error", error: failed.error });
      else stream.write(DONE);
      await stream.end();
    },
  };
}

/** @param whole the body, of all events. */
export function gatheredEvents(
  common: JsonObject,
  headers: Headers,
  whole: (events: readonly JsonObject[]) => { readonly body: unknown; readonly status?: number },
): EventReply {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const events: JsonObject[] = [];
  return {
    response: promise,
    send({ type, ...data }) {
      events.push({ type, sequence_number: events.length, ...common, ...data });
    },
    async end(failed) {
      if (failed) return resolve(Response.json({ error: failed.error }, { status: failed.status, headers }));
      const { body, status = 200 } = whole(events);
      resolve(Response.json(body, { status, headers }));
    },
  };
}
