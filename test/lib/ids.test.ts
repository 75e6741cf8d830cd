import fc from "fast-check";
import { expect, test } from "vitest";
import { newId, timeOfId } from "../../src/lib/ids.ts";

const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });

test("has its prefix and 26 characters", () => {
  expect(newId("turn", 1_790_000_000_000)).toMatch(/^turn_[0-9a-hjkmnp-tv-z]{26}$/);
});

test("ids_sort_by_their_time", () => {
  fc.assert(
    fc.property(time, time, (a, b) => {
      const order = newId("dec", a) < newId("dec", b);
      expect(a === b || order === a < b).toBe(true);
    }),
  );
});

test("the_time_of_an_id_is_that_it_was_made_at", () => {
  fc.assert(fc.property(time, (now) => timeOfId(newId("dec", now)) === now));
  for (const other of ["", "dec_1", "dec_iiiiiiiiiiaaaaaaaaaaaaaaaa", "DEC_0123456789"])
    expect(timeOfId(other)).toBeUndefined();
});

test("ids of one millisecond differ", () => {
  expect(new Set(Array.from({ length: 1000 }, () => newId("key", 5))).size).toBe(1000);
});

test.each([-1, 1.5, Number.NaN, 2 ** 48])("refuses %s as a time", (now) => {
  expect(() => newId("turn", now)).toThrow(RangeError);
});
