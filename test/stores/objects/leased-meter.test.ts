/** Isolates that lease requests of one limit, over the book that the key's object keeps. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { leasedMeter, type Meter } from "../../../src/stores/objects/leased-meter.ts";
import { type LeaseBook, leaseUses } from "../../../src/stores/objects/leases.ts";
import { takeUse } from "../../../src/stores/objects/meter-window.ts";

/** One key's object, and isolates that ask it, at one clock. */
function world(isolates: number) {
  const book: LeaseBook = { uses: [], unheard: new Map() };
  const self = { now: 1_900_000_000_000, asked: 0, down: false, book };
  const asked = async <T>(answer: () => T): Promise<T> => {
    self.asked += 1;
    if (self.down) throw new Error("the object is away");
    return answer();
  };
  const meter: Meter = {
    take: (limit) => asked(() => takeUse(book.uses, limit, self.now)),
    lease: (limit, wanted, ended) => asked(() => leaseUses(book, limit, { wanted, ended }, self.now).lease),
  };
  const isolate = () =>
    leasedMeter(
      () => meter,
      () => self.now,
    );
  return { self, takes: Array.from({ length: isolates }, isolate) };
}

const many = { max: 2_000, windowMs: 60_000 };
const ask = { meter: "key", limit: many };
const allowed = (results: readonly { readonly allowed: boolean }[]) => results.filter((one) => one.allowed).length;

test("no_window_holds_more_than_the_limit_over_all_isolates", async () => {
  const step = fc.record({
    isolate: fc.integer({ min: 0, max: 2 }),
    pause: fc.integer({ min: 0, max: 4_000 }),
    requests: fc.integer({ min: 1, max: 400 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const limit = { max: 1_000, windowMs: 20_000 };
      const { self, takes } = world(3);
      const made: number[] = [];
      for (const { isolate, pause, requests } of steps) {
        self.now += pause;
        const take = takes[isolate];
        for (let n = 0; n < requests; n++) if ((await take?.({ meter: "key", limit }))?.allowed) made.push(self.now);
      }
      for (const [index, at] of made.entries())
        expect((made[index + limit.max] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThanOrEqual(limit.windowMs);
    }),
    { numRuns: 40 },
  );
});

test("many requests at once, of several isolates, never pass the limit, and get nearly all of it", async () => {
  const { takes } = world(8);
  const results = await Promise.all(Array.from({ length: 4_000 }, (_, n) => takes[n % 8]?.(ask)));
  const admitted = allowed(results.filter((one) => one !== undefined));
  expect(admitted).toBeLessThanOrEqual(many.max);
  expect(admitted).toBeGreaterThanOrEqual(many.max * 0.9);
});

test("a busy isolate asks seldom, and a key that is used alone has its whole limit", async () => {
  const { self, takes } = world(1);
  let admitted = 0;
  for (let n = 0; n < 2_500; n++) admitted += (await takes[0]?.(ask))?.allowed ? 1 : 0;
  expect(admitted).toBe(many.max);
  // Of 20 at a time, and once more where it is refused.
  expect(self.asked).toBeLessThan(many.max / 15);
});

test("isolates that are never heard of again cost the key a tenth of its limit at the most", async () => {
  const { self, takes } = world(300);
  let made = 0;
  // Each leases more and more, and is gone.
  for (const take of takes.slice(1)) for (let n = 0; n < 8; n++) made += (await take(ask)).allowed ? 1 : 0;
  for (let n = 0; n < many.max; n++) made += (await takes[0]?.(ask))?.allowed ? 1 : 0;
  expect(made).toBeLessThanOrEqual(many.max);
  expect(made).toBeGreaterThanOrEqual(many.max * 0.9);
  expect(self.book.unheard.size).toBeGreaterThan(10);
});

test("what a lease leaves over comes back with the next one", async () => {
  const { self, takes } = world(1);
  for (let n = 0; n < 40; n++) await takes[0]?.(ask);
  const counted = () => self.book.uses.reduce((sum, { n }) => sum + n, 0);
  expect(counted()).toBeGreaterThan(40);
  self.now += 10_000;
  await takes[0]?.(ask);
  self.now += 10_000;
  await takes[0]?.(ask);
  expect(counted()).toBeLessThanOrEqual(43);
});

describe("a window's edge", () => {
  test("frees what was made when its leases leave it", async () => {
    const { self, takes } = world(2);
    for (let n = 0; n < 3_000; n++) await takes[n % 2]?.(ask);
    const refused = await takes[0]?.(ask);
    expect(refused).toMatchObject({ allowed: false, remaining: 0 });
    self.now += refused?.retryMs ?? 0;
    expect((await takes[0]?.(ask))?.allowed).toBe(true);
    // Ten seconds longer than they must count, of a window of a minute three.
    expect(refused?.retryMs).toBeLessThanOrEqual(63_000);
  });

  test("a lease is not spent beyond its time", async () => {
    const { self, takes } = world(1);
    for (let n = 0; n < 40; n++) await takes[0]?.(ask);
    const before = self.asked;
    await takes[0]?.(ask);
    expect(self.asked).toBe(before);
    self.now += 3_000;
    await takes[0]?.(ask);
    expect(self.asked).toBe(before + 1);
  });
});

test("where the object is away, what was leased is admitted, and nothing more", async () => {
  const { self, takes } = world(1);
  for (let n = 0; n < 40; n++) await takes[0]?.(ask);
  self.down = true;
  const left = [...self.book.unheard.values()].reduce((sum, { n }) => sum + n, 0);
  let admitted = 0;
  for (let n = 0; n < left + 5; n++)
    admitted += await (takes[0]?.(ask).then(
      () => 1,
      () => 0,
    ) ?? 0);
  expect(admitted).toBeGreaterThan(0);
  expect(admitted).toBeLessThanOrEqual(left);
  await expect(takes[0]?.(ask)).rejects.toThrow("the object is away");
});

test.each([
  ["is exact", { max: 5_000, windowMs: 60_000, exact: true }],
  ["is small", { max: 999, windowMs: 60_000 }],
])("a limit that %s is asked about with each request", async (_, limit) => {
  const { self, takes } = world(1);
  for (let n = 0; n < 20; n++) await takes[0]?.({ meter: "key", limit });
  expect(self.asked).toBe(20);
});
