import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { REPLY_TIMEOUTS, type ReplyStream, replyStream } from "../../../src/wire/reply-sink.ts";

const KEEP_ALIVE = ": keep-alive\n\n";
/** A time that nobody else waits: what files before left to be done sets timers in the same isolate. */
const pace = { ...REPLY_TIMEOUTS, keepAliveMs: REPLY_TIMEOUTS.keepAliveMs + 1 };
const { keepAliveMs, unreadMs } = pace;
const gatherMs = 16;

/** What streams have waited for, and what of it is neither over nor given up. */
let waits: number[];
let held: Set<unknown>;

beforeEach(() => {
  vi.useFakeTimers();
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  waits = [];
  held = new Set();
  // No spies: restored among others' they would bring the fakes back, for whatever file comes next.
  vi.stubGlobal("setTimeout", (run: () => void, ms: number) => {
    const timer = set(() => {
      held.delete(timer);
      run();
    }, ms);
    if (ms > gatherMs && ms !== keepAliveMs) return timer;
    waits.push(ms);
    held.add(timer);
    return timer;
  });
  vi.stubGlobal("clearTimeout", (timer: ReturnType<typeof setTimeout>) => {
    held.delete(timer);
    clear(timer);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function open() {
  const onGone = vi.fn();
  const stream = replyStream(onGone, pace);
  const reader = (stream.readable as ReadableStream<Uint8Array>).getReader();
  const read = async () => new TextDecoder().decode((await reader.read()).value);
  return { stream, onGone, reader, read };
}

/** Lets what was written or read take effect: `advance` of nothing runs no timer, but waits for promises. */
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Writes more than one gathered write holds, so that it goes out at once. */
const bulk = (stream: ReplyStream): void => stream.write(`data: ${"x".repeat(20_000)}\n\n`);

describe("a reply that is silent", () => {
  it("sends a comment each quarter of a minute, once it has begun", async () => {
    const { stream, read } = open();
    await advance(10 * keepAliveMs);
    stream.write("data: 1\n\n");
    expect(await read()).toBe("data: 1\n\n");
    stream.keepAlive();
    for (let beat = 0; beat < 3; beat++) {
      const next = read();
      await advance(keepAliveMs);
      expect(await next).toBe(KEEP_ALIVE);
    }
  });

  it("sends none within that time after anything else", async () => {
    const { stream, read } = open();
    stream.keepAlive();
    for (let piece = 0; piece < 5; piece++) {
      await advance(keepAliveMs - 1);
      stream.write(`data: ${piece}\n\n`);
      expect(await read()).toBe(`data: ${piece}\n\n`);
    }
    const next = read();
    // The timer rang early, and is set for a whole silence.
    await advance(2 * keepAliveMs);
    expect(await next).toBe(KEEP_ALIVE);
  });

  it("does not pile them up before a client that does not read", async () => {
    const { stream, read } = open();
    stream.keepAlive();
    await advance(10 * keepAliveMs);
    expect(await read()).toBe(KEEP_ALIVE);
    stream.write("data: 1\n\n");
    expect(await read()).toBe("data: 1\n\n");
  });

  it("counts as not begun: a comment is no word", async () => {
    const { stream, read } = open();
    stream.keepAlive();
    const next = read();
    await advance(keepAliveMs);
    await next;
    expect(stream.started).toBe(false);
  });

  it("sets no timer for a write that goes out at once, and leaves none behind", async () => {
    const { stream, reader } = open();
    stream.keepAlive();
    expect(waits.splice(0)).toEqual([keepAliveMs]);
    for (let piece = 0; piece < 10; piece++) {
      bulk(stream);
      await reader.read();
    }
    expect(waits).toEqual([]);
    const ended = stream.end();
    while (!(await reader.read()).done);
    expect([await ended, held.size]).toEqual([true, 0]);
  });
});

describe("a client", () => {
  it("that reads nothing of what waits for it is gone after a long time", async () => {
    for (const ending of [false, true]) {
      const { stream, onGone } = open();
      stream.keepAlive();
      bulk(stream);
      const ended = ending ? stream.end() : undefined;
      await advance(unreadMs - keepAliveMs);
      expect(onGone).not.toHaveBeenCalled();
      await advance(2 * keepAliveMs);
      expect([onGone.mock.calls.length, stream.gone, held.size]).toEqual([1, true, 0]);
      expect(await (ended ?? stream.end())).toBe(false);
    }
  });

  it("that reads slowly is not", async () => {
    const { stream, onGone, reader } = open();
    stream.keepAlive();
    for (let piece = 0; piece < 10; piece++) bulk(stream);
    for (let piece = 0; piece < 5; piece++) {
      await advance(unreadMs - keepAliveMs);
      // The runtime hands a write out in parts; it counts once all of it was taken.
      for (let left = 20_000; left > 0; ) left -= (await reader.read()).value?.length ?? 0;
    }
    expect(onGone).not.toHaveBeenCalled();
  });

  it("that has nothing to read is not", async () => {
    const { stream, onGone, read } = open();
    stream.keepAlive();
    for (let beat = 0; beat < 100; beat++) {
      const next = read();
      await advance(keepAliveMs);
      await next;
    }
    expect(onGone).not.toHaveBeenCalled();
  });

  it("has been reached if it took all, whatever it does then", async () => {
    const { stream, read, reader } = open();
    stream.write("data: 1\n\n");
    const ended = stream.end();
    expect(await read()).toBe("data: 1\n\n");
    await reader.cancel();
    expect(await ended).toBe(true);
  });

  it("has not been reached if something was left", async () => {
    const { stream, read, reader } = open();
    stream.write("data: 1\n\n");
    stream.write("data: 2\n\n");
    const ended = stream.end();
    expect(await read()).toBe("data: 1\n\n");
    await reader.cancel();
    expect(await ended).toBe(false);
  });
});

describe("replies that come fast", () => {
  it("wait a millisecond for each that waits, but no longer than a picture stands", async () => {
    const readers: { cancel(): Promise<void> }[] = [];
    /** The first two events of a reply go out at once, the third waits: how long. */
    const fast = (count: number) => {
      waits = [];
      for (let each = 0; each < count; each++) {
        const { stream, reader } = open();
        readers.push(reader);
        for (const word of ["a", "b", "c"]) stream.write(`data: ${word}\n\n`);
      }
      return waits;
    };
    // All of it at one go, so that nobody else's replies come between; what they have left waiting is forgotten.
    const start = Date.UTC(2100, 0, 1);
    vi.setSystemTime(start);
    expect(fast(20)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16, 16, 16, 16]);
    vi.advanceTimersByTime(gatherMs);
    expect(fast(2)).toEqual([1, 2]);
    // Nor do those count whose timers will never ring: the runtime has ended their requests.
    vi.clearAllTimers();
    vi.setSystemTime(start + 2_000);
    expect(fast(2)).toEqual([1, 2]);
    vi.advanceTimersByTime(gatherMs);
    // The count is the isolate's, and whatever file comes next has the time as it is.
    vi.setSystemTime(vi.getRealSystemTime());
    expect(fast(1)).toEqual([1]);
    vi.advanceTimersByTime(gatherMs);
    await Promise.all(readers.map((reader) => reader.cancel()));
  });
});
