import { afterEach, expect, test, vi } from "vitest";
import { WriteBehind } from "../../src/stores/guard/object-context.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("what was answered is written within 20 ms, in order and together", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const written: string[] = [];
  const behind = new WriteBehind((_, write) => write());
  behind.queue("s", () => written.push("open"));
  behind.queue("t", () => written.push("close"));
  expect([written, behind.hasPending()]).toEqual([[], true]);
  vi.advanceTimersByTime(20);
  expect([written, behind.hasPending()]).toEqual([["open", "close"], false]);
});

test("what must be there first is written at once, and only once", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const written: string[] = [];
  const behind = new WriteBehind((_, write) => write());
  behind.queue("s", () => written.push("open"));
  behind.flush();
  vi.advanceTimersByTime(100);
  expect(written).toEqual(["open"]);
});
