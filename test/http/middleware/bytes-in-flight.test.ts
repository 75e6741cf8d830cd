import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BytesLease } from "../../../src/http/app-env.ts";
import { bytesInFlight } from "../../../src/http/large-body.ts";

const statusOf = (taken: ReturnType<ReturnType<typeof bytesInFlight>["take"]>) => (taken.ok ? 200 : taken.error.status);
const leaseOf = (taken: ReturnType<ReturnType<typeof bytesInFlight>["take"]>): BytesLease => {
  if (!taken.ok) throw new Error(taken.error.message);
  return taken.value;
};

describe("bytes in flight", () => {
  it("holds no more than there is room for, and half of it for one", () => {
    const held = bytesInFlight(1000);
    const first = leaseOf(held.take("ada", 500, 0));
    expect(statusOf(held.take("ada", 1, 0))).toBe(429);
    leaseOf(held.take("bob", 400, 0));
    expect(statusOf(held.take("eve", 101, 0))).toBe(503);
    expect(statusOf(held.take("eve", 100, 0))).toBe(200);
    first.answered();
    expect(statusOf(held.take("ada", 500, 0))).toBe(200);
  });

  it("holds all while what began goes on, and nothing after it, however it ends", async () => {
    const held = bytesInFlight(1000);
    for (const end of ["resolve", "reject"] as const) {
      const work = Promise.withResolvers<void>();
      const lease = leaseOf(held.take("ada", 400, 0));
      lease.outlives(work.promise);
      lease.answered();
      expect(statusOf(held.take("ada", 101, 0))).toBe(429);
      work[end]();
      await lease.ended;
      leaseOf(held.take("ada", 500, 0)).answered();
    }
  });

  it("grows where there is room, and gives back all", () => {
    const held = bytesInFlight(1000);
    const first = leaseOf(held.take("ada", 100, 0));
    expect([first.grow(300, 0), first.grow(101, 0)?.status]).toEqual([undefined, 429]);
    leaseOf(held.take("bob", 500, 0));
    expect(statusOf(held.take("eve", 101, 0))).toBe(503);
    first.answered();
    expect(statusOf(held.take("eve", 500, 0))).toBe(200);
  });

  it("forgets what the runtime ended without a word", () => {
    const held = bytesInFlight(1000);
    leaseOf(held.take("ada", 500, 0));
    expect(statusOf(held.take("ada", 500, 899_999))).toBe(429);
    expect(statusOf(held.take("ada", 500, 900_000))).toBe(200);
  });

  it("what_is_given_back_can_be_taken_again: nothing is lost in any order", () => {
    const step = fc.record({
      owner: fc.constantFrom("a", "b", "c"),
      bytes: fc.integer({ min: 1, max: 500 }),
      end: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const held = bytesInFlight(1000);
        const open: BytesLease[] = [];
        for (const { owner, bytes, end } of steps) {
          const taken = held.take(owner, bytes, 0);
          if (taken.ok) open.push(taken.value);
          else open.splice(end % (open.length || 1), 1)[0]?.answered();
        }
        for (const lease of open) lease.answered();
        for (const owner of ["a", "b"]) expect(statusOf(held.take(owner, 500, 0))).toBe(200);
      }),
    );
  });
});
