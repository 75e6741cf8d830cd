/** A body that is handed through under its upstream's time limits. */
import type { UpstreamDeadline } from "../../model/upstream/time-limit.ts";

/** Only the upstream is waited for: while the client does not read, nothing is asked of it. */
export function watchedBody(body: ReadableStream<Uint8Array>, watch: UpstreamDeadline): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  watch.onEnd((reason) => reader.cancel(reason).catch(() => {}));
  watch.pause();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        watch.resume();
        try {
          const { done, value } = await reader.read();
          watch.signal.throwIfAborted();
          if (!done) controller.enqueue(value);
          else {
            watch.stop();
            controller.close();
          }
        } catch (error) {
          watch.stop();
          controller.error(error);
        }
        watch.pause();
      },
      cancel(reason) {
        watch.stop();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
