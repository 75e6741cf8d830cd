import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startUpstreamDeadline, type UpstreamDeadline } from "../../../src/model/upstream/time-limit.ts";

const limits = { connectMs: 100, firstByteMs: 300, idleMs: 50 };
const client = () => new AbortController();

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** After how many milliseconds from now a watch expires, and what it says. */
function expiry(watch: UpstreamDeadline): readonly [number, string] | undefined {
  const from = Date.now();
  for (let step = 0; step < 1000; step++) {
    if (watch.expired) return [Date.now() - from, /\((\w+)\)/.exec(watch.expired.message)?.[1] ?? ""];
    vi.advanceTimersByTime(1);
  }
  return undefined;
}

describe("a watch", () => {
  it("waits for a stream's headers", () => {
    expect(expiry(startUpstreamDeadline(limits, client().signal, true))).toEqual([100, "UPSTREAM_CONNECT_TIMEOUT"]);
  });

  it("waits for a stream's first event from the request on, whatever else comes", () => {
    const watch = startUpstreamDeadline(limits, client().signal, true);
    vi.advanceTimersByTime(99);
    watch.answered("first_byte");
    vi.advanceTimersByTime(100);
    watch.received();
    expect(expiry(watch)).toEqual([101, "UPSTREAM_FIRST_BYTE_TIMEOUT"]);
  });

  it("waits for a JSON answer's headers as long as for a first event", () => {
    expect(expiry(startUpstreamDeadline(limits, client().signal, false))).toEqual([300, "UPSTREAM_FIRST_BYTE_TIMEOUT"]);
  });

  it("waits for a first event no longer than for headers where that is the shorter time", () => {
    const short = { ...limits, firstByteMs: 20 };
    expect(expiry(startUpstreamDeadline(short, client().signal, true))).toEqual([20, "UPSTREAM_FIRST_BYTE_TIMEOUT"]);
  });

  it("waits for what comes after the first event from the last piece on", () => {
    const watch = startUpstreamDeadline(limits, client().signal, true);
    watch.answered("first_byte");
    watch.begun();
    for (let piece = 0; piece < 20; piece++) {
      vi.advanceTimersByTime(49);
      watch.received();
    }
    expect(expiry(watch)).toEqual([50, "UPSTREAM_IDLE_TIMEOUT"]);
  });

  it("does not count the time in which the client is waited for", () => {
    const watch = startUpstreamDeadline(limits, client().signal, true);
    watch.begun();
    watch.pause();
    // Its timer rings now and then meanwhile: not at this moment.
    vi.advanceTimersByTime(9_020);
    expect(watch.expired).toBeUndefined();
    watch.resume();
    expect(expiry(watch)).toEqual([50, "UPSTREAM_IDLE_TIMEOUT"]);
  });

  it("sets no timer for a piece that comes", () => {
    const watch = startUpstreamDeadline(limits, client().signal, true);
    watch.answered("first_byte");
    watch.begun();
    // No spy: restored among others' it would bring the fake back, for whatever file comes next.
    const set = vi.fn(globalThis.setTimeout);
    vi.stubGlobal("setTimeout", set);
    for (let piece = 0; piece < 1000; piece++) watch.received();
    expect(set).not.toHaveBeenCalled();
  });

  it("ends what waits when the time is up: the request, a race, a pending read", async () => {
    const watch = startUpstreamDeadline(limits, client().signal, true);
    const cancel = vi.fn();
    watch.onEnd(cancel);
    const race = expect(watch.race(new Promise(() => {}))).rejects.toThrow("did not begin to answer within 100ms");
    vi.advanceTimersByTime(100);
    await race;
    expect([watch.signal.aborted, cancel.mock.calls]).toEqual([true, [[watch.expired]]]);
    expect(watch.expired?.error).toMatchObject({ type: "upstream_error", code: "upstream_timeout" });
    const late = vi.fn();
    watch.onEnd(late);
    expect(late).toHaveBeenCalledOnce();
  });

  it("ends likewise when the client goes, without being a time-out", async () => {
    for (const when of ["before", "after"]) {
      const leaving = client();
      if (when === "before") leaving.abort(new Error("gone"));
      const watch = startUpstreamDeadline(limits, leaving.signal, true);
      if (when === "after") leaving.abort(new Error("gone"));
      await expect(watch.race(new Promise(() => {}))).rejects.toThrow("gone");
      expect([watch.signal.aborted, watch.expired, vi.getTimerCount()]).toEqual([true, undefined, 0]);
    }
  });

  it("leaves nothing behind when it is stopped", () => {
    const { signal } = client();
    const removed = vi.spyOn(signal, "removeEventListener");
    const watch = startUpstreamDeadline(limits, signal, true);
    watch.stop();
    watch.begun();
    expect([vi.getTimerCount(), removed.mock.calls.length, expiry(watch)]).toEqual([0, 1, undefined]);
  });
});
