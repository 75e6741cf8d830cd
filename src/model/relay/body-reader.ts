/**
 * Reads an upstream's body piece by piece into one buffer. workerd would allocate a buffer for each piece, which is a fifth of the cost of
 * a read.
 */
import type { UpstreamDeadline } from "../upstream/time-limit.ts";

const BUFFER_BYTES = 4096;

export interface BodyReader {
  /** @param spent the previous piece, if it is no longer needed: its buffer is filled again. */
  read(spent?: Uint8Array): Promise<ReadableStreamReadResult<Uint8Array>>;
  cancel(reason?: unknown): Promise<void>;
}

export function bodyReader(body: ReadableStream<Uint8Array>): BodyReader {
  const reader = bytesReader(body);
  if (!reader) return body.getReader();
  return {
    read: (spent) => reader.read(new Uint8Array(spent ? spent.buffer : new ArrayBuffer(BUFFER_BYTES))),
    cancel: (reason) => reader.cancel(reason),
  };
}

/** A body from the network is a stream of bytes; one made by code need not be. */
function bytesReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}

/** The body's first `limit` units: an endless body is not read to its end. Throws when the watch ends. */
export async function readText(response: Response, limit: number, watch: UpstreamDeadline): Promise<string> {
  const body = response.body as ReadableStream<Uint8Array> | null;
  if (!body) return "";
  const reader = bodyReader(body);
  watch.onEnd((reason) => reader.cancel(reason).catch(() => {}));
  const decoder = new TextDecoder();
  let text = "";
  let spent: Uint8Array | undefined;
  while (text.length <= limit) {
    const { done, value } = await reader.read(spent);
    // A read that the watch cut off ends like the body.
    watch.signal.throwIfAborted();
    if (done) return text + decoder.decode();
    watch.received();
    text += decoder.decode(value, { stream: true });
    spent = value;
  }
  reader.cancel().catch(() => {});
  return text.slice(0, limit);
}
