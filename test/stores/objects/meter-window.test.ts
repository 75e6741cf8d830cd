import fc from "fast-check";
import { expect, test } from "vitest";
import { takeUse, type Uses } from "../../../src/stores/objects/meter-window.ts";

const steps = fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 300 });
const limits = fc.record({ max: fc.integer({ min: 1, max: 12 }), windowMs: fc.integer({ min: 1, max: 20_000 }) });

/** The times at which uses were allowed, of uses asked for after these pauses. */
function allowedTimes(limit: { max: number; windowMs: number }, pauses: readonly number[]): number[] {
  const uses: Uses = [];
  let now = 1_000_000;
  return pauses.flatMap((pause) => {
    now += pause;
    return takeUse(uses, limit, now).allowed ? [now] : [];
  });
}

test("no_window_holds_more_than_max", () => {
  fc.assert(
    fc.property(limits, steps, (limit, pauses) => {
      const times = allowedTimes(limit, pauses);
      for (const [index, time] of times.entries()) {
        const within = times.slice(index).filter((later) => later < time + limit.windowMs);
        expect(within.length).toBeLessThanOrEqual(limit.max);
      }
    }),
  );
});

test("what_the_window_has_room_for_is_allowed_within_a_thousandth", () => {
  fc.assert(
    fc.property(limits, steps, (limit, pauses) => {
      const uses: Uses = [];
      const times: number[] = [];
      let now = 1_000_000;
      for (const pause of pauses) {
        now += pause;
        const longest = limit.windowMs + limit.windowMs / 1000;
        const room = times.filter((time) => time + longest > now).length < limit.max;
        const { allowed } = takeUse(uses, limit, now);
        if (room) expect(allowed).toBe(true);
        if (allowed) times.push(now);
      }
    }),
  );
});

test("a_retry_after_the_told_time_is_allowed_and_not_before", () => {
  fc.assert(
    fc.property(limits, steps, (limit, pauses) => {
      const uses: Uses = [];
      let now = 1_000_000;
      for (const pause of pauses) {
        now += pause;
        const taken = takeUse(uses, limit, now);
        if (taken.allowed) continue;
        expect(taken.retryMs).toBeGreaterThan(0);
        expect(takeUse([...uses], limit, now + taken.retryMs - 1).allowed).toBe(false);
        expect(takeUse([...uses], limit, now + taken.retryMs).allowed).toBe(true);
      }
    }),
  );
});

test("uses that are no crowd count to the millisecond", () => {
  const uses: Uses = [];
  const limit = { max: 2, windowMs: 60_000 };
  expect(takeUse(uses, limit, 7)).toMatchObject({ allowed: true, remaining: 1, resetMs: 60_000 });
  expect(takeUse(uses, limit, 1_007)).toMatchObject({ allowed: true, remaining: 0, resetMs: 60_000 });
  expect(takeUse(uses, limit, 60_006)).toMatchObject({ allowed: false, retryMs: 1, resetMs: 1_001 });
  expect(takeUse(uses, limit, 60_007).allowed).toBe(true);
});

test("a clock that goes back lets nothing more in", () => {
  const uses: Uses = [];
  const limit = { max: 1, windowMs: 1_000 };
  takeUse(uses, limit, 10_000);
  for (const now of [9_500, 8_000, 0]) expect(takeUse(uses, limit, now).allowed).toBe(false);
  expect(takeUse(uses, limit, 11_000).allowed).toBe(true);
});

test("memory is bounded whatever the limit is", () => {
  const uses: Uses = [];
  for (let now = 0; now < 300_000; now += 7) takeUse(uses, { max: 1_000_000, windowMs: 60_000 }, now);
  expect(uses.length).toBeLessThanOrEqual(1_001);
});

test("a limit that was lowered holds at once", () => {
  const uses: Uses = [];
  for (let n = 0; n < 10; n++) takeUse(uses, { max: 10, windowMs: 1_000 }, 5_000 + n * 10);
  const lowered = { max: 2, windowMs: 1_000 };
  const taken = takeUse(uses, lowered, 5_100);
  expect(taken).toMatchObject({ allowed: false, remaining: 0, retryMs: 5_080 + 1_000 - 5_100 });
  expect(takeUse(uses, lowered, 5_100 + taken.retryMs).allowed).toBe(true);
});
