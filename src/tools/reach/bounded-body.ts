/** A body that is read up to a limit, in its time. What the runtime decompressed is counted as it is then. */

import type { Deadline } from "../../lib/deadline.ts";
import type { RunFailure } from "../run.ts";

/** Why a body was not read to its end. */
export class BodyFault extends Error {
  readonly failure: RunFailure;

  constructor(failure: RunFailure, detail: string) {
    super(detail);
    this.failure = failure;
  }
}

/** The same bytes; errors with a `BodyFault`. The server's body is cancelled as soon as nothing more of it is wanted. */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  time: Deadline,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let read = 0;
  const leave = (reason: unknown): void => {
    time.stop();
    reader.cancel(reason).catch(() => {});
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await time.race(reader.read());
        if (done) {
          time.stop();
          controller.close();
          return;
        }
        read += value.byteLength;
        if (read > maxBytes) throw new BodyFault("too_large", `the answer is longer than ${maxBytes} bytes`);
        controller.enqueue(value);
      } catch (error) {
        const fault = faultOf(error, time);
        leave(fault);
        controller.error(fault);
      }
    },
    cancel: leave,
  });
}

function faultOf(error: unknown, { ended }: Deadline): BodyFault {
  if (error instanceof BodyFault) return error;
  if (ended === "timeout") return new BodyFault("timeout", "the answer did not end within the time limit");
  if (ended === "cancelled") return new BodyFault("cancelled", "who asked went away before the answer had ended");
  return new BodyFault("unavailable", "the answer broke off");
}
