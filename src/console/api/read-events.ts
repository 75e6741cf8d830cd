/** Server-sent events out of a body, and the end of a body that has gone silent. */

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * @param silenceMs after which the connection counts as dead: phones do not always tell.
 * @returns how the body ended; it never throws.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<ServerEvent, "closed" | "silent"> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const chunk = await within(silenceMs, reader.read());
      if (!chunk) return "silent";
      if (chunk.done) return "closed";
      const blocks = (rest + decoder.decode(chunk.value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = readBlock(block);
        if (event) yield event;
      }
    }
  } catch {
    return "closed";
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Undefined for a block without data: a heartbeat, an id, a time to wait. Pure. */
export function readBlock(block: string): ServerEvent | undefined {
  const data: string[] = [];
  let event = "message";
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ""] = /^([^:]+):? ?(.*)$/.exec(line) ?? [];
    if (name === "event") event = value;
    if (name === "data") data.push(value);
  }
  return data.length === 0 ? undefined : { event, data: data.join("\n") };
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
