/** Bounds a provider's answer for the AI SDK, which does not limit the length of an event. */

import type { ReplySink } from "../../wire/reply-sink.ts";
import { bodyReader } from "../relay/body-reader.ts";
import { MAX_EVENT_UNITS } from "../relay/relay-stream.ts";
import type { UpstreamDeadline } from "../upstream/time-limit.ts";

const NEW_LINE = 10;

/**
 * Reports each piece as received, ends with the deadline, and breaks off if a line is longer than any event may be.
 * @param onPiece gets each piece before the SDK does, and may replace it.
 */
export function boundedBody(
  response: Response,
  watch: UpstreamDeadline,
  onPiece?: (bytes: Uint8Array) => Uint8Array,
  words?: Pick<ReplySink, "full" | "ready">,
): Response {
  const reader = bodyReader(response.body as ReadableStream<Uint8Array>);
  watch.onEnd((reason) => reader.cancel(reason).catch(() => {}));
  let line = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // A pull that brings nothing is not repeated by the stream.
        for (;;) {
          const { done, value } = await reader.read();
          // A read that the deadline cut off ends like the body.
          watch.signal.throwIfAborted();
          if (done) return controller.close();
          watch.received();
          const last = value.lastIndexOf(NEW_LINE);
          line = last < 0 ? line + value.length : value.length - last - 1;
          if (line > MAX_EVENT_UNITS) throw new Error("an event of the stream is too large");
          const passed = onPiece?.(value) ?? value;
          if (words?.full) {
            // The upstream is not at fault if a client reads slowly.
            watch.pause();
            await words.ready();
            watch.resume();
          }
          if (passed.length > 0) return controller.enqueue(passed);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}
