/** Server-sent events as a body. Each is pulled when the client has read the one before, so nothing heaps up. */
import { describeError, log } from "../lib/log.ts";
import { eventJson } from "../wire/read-chunk.ts";

/**
 * @param blocks whole events, as `serverEvent` and its like write them; it is returned from when the client goes away.
 * @param onEnd called when no more of them is pulled.
 */
export function eventStream(blocks: AsyncGenerator<string, void>, onEnd: () => void): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await blocks.next();
          if (!done) return controller.enqueue(encoder.encode(value));
          onEnd();
          controller.close();
        } catch (error) {
          // The client only sees that the body breaks off.
          log("error", "event_stream_failed", describeError(error));
          onEnd();
          controller.error(error);
        }
      },
      cancel() {
        onEnd();
        // Not awaited: it may be in a wait that ends by itself.
        blocks.return().catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
  // Proxies that gather a body before they pass it on would hold events back.
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" };
  return new Response(body, { headers });
}

/** @param id what a client that comes back names as the last that it got; absent: it asks for this one again. */
export function serverEvent(event: string, data: unknown, id?: number): string {
  return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${eventJson(data)}\n\n`;
}

/** Moves on the id that a client comes back with, without an event. */
export const eventId = (id: number): string => `id: ${id}\n\n`;

/** How long a client waits before it comes back. */
export const retryAfter = (ms: number): string => `retry: ${ms}\n\n`;

/** Proxies close a connection on which nothing comes for a minute or so. */
export const HEARTBEAT = ": keep-alive\n\n";
