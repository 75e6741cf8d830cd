/** Server-sent events as a body. Each is pulled when the client has read the one before, so nothing accumulates. */
import { describeError, log } from "../lib/log.ts";

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
          // The client sees only that the body breaks off.
          log("error", "event_stream_failed", describeError(error));
          onEnd();
          controller.error(error);
        }
      },
      cancel() {
        onEnd();
        // Not awaited: it may be in a wait, which ends without help.
        blocks.return().catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
  // Proxies that buffer a body would hold events back.
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" };
  return new Response(body, { headers });
}
