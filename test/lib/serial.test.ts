import { afterEach, describe, expect, it, vi } from "vitest";
import { serial } from "../../src/lib/concurrency.ts";
import { withTimeout } from "../../src/lib/deadline.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("serial", () => {
  it("begins a piece of work when the one before has ended, well or not, and answers each its own", async () => {
    const oneByOne = serial();
    const log: string[] = [];
    const first = Promise.withResolvers<string>();
    const work = [
      oneByOne(async () => {
        log.push("first");
        return first.promise;
      }),
      oneByOne(async () => {
        log.push("second");
        throw new Error("no");
      }),
      oneByOne(async () => log.push("third")),
    ];
    const settled = Promise.allSettled(work);
    await Promise.resolve();
    expect(log).toEqual(["first"]);
    first.resolve("done");
    expect(await settled).toMatchObject([{ value: "done" }, { reason: { message: "no" } }, { value: 3 }]);
    expect(log).toEqual(["first", "second", "third"]);
  });
});

describe("within", () => {
  it("throws once the time is over, and leaves no timer where the work is done before", async () => {
    vi.useFakeTimers();
    const late = withTimeout(10_000, new Promise(() => {}));
    const caught = expect(late).rejects.toThrow("no answer within 10000 ms");
    await vi.advanceTimersByTimeAsync(9_999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await caught;
    expect(await withTimeout(10_000, Promise.resolve(1))).toBe(1);
    await expect(withTimeout(10_000, Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(vi.getTimerCount()).toBe(0);
  });
});
