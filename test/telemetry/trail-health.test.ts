import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { reportFailedDelivery, type TrailStatus, trailHealth } from "../../src/telemetry/trail-health.ts";

let logged: string[];
beforeEach(() => {
  logged = [];
  vi.spyOn(console, "warn").mockImplementation((line) => void logged.push(String(line)));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const SECOND = 1_000;

describe("what an isolate reports of failed deliveries", () => {
  /** Reports at these times; tells what reached the hub. The isolate remembers: each test has a day of its own. */
  const reports = async (failures: readonly (readonly [at: number, full: boolean])[], fails = false) => {
    const told: boolean[] = [];
    const deliveryFailed = async (full: boolean) => {
      told.push(full);
      if (fails) throw new Error("the object is overloaded");
    };
    const work: Promise<unknown>[] = [];
    for (const [now, full] of failures)
      reportFailedDelivery(
        () => ({ deliveryFailed }),
        { full, now },
        (one) => work.push(one),
      );
    await Promise.all(work);
    return told;
  };
  const day = (n: number, seconds: number) => n * 86_400_000 + seconds * SECOND;

  it("is one report a minute, however many objects fail", async () => {
    const failures = [0, 1, 30, 59, 60, 61].map((seconds) => [day(1, seconds), false] as const);
    expect(await reports(failures)).toEqual([false, false]);
  });

  it("is told at once where the database turns out to be full", async () => {
    const failures = [
      [day(2, 0), false],
      [day(2, 1), true],
      [day(2, 2), true],
      [day(2, 3), false],
      [day(2, 62), false],
    ] as const;
    expect(await reports(failures)).toEqual([false, true, false]);
  });

  it("goes on after a clock was set back", async () => {
    expect(
      await reports([
        [day(9, 0), false],
        [day(3, 0), false],
      ]),
    ).toEqual([false, false]);
  });

  it("fails nothing where the hub cannot be reached", async () => {
    expect(await reports([[day(4, 0), false]], true)).toEqual([false]);
    expect(logged.join()).toContain("trail_health_not_reported");
  });
});

describe("what /health knows of the trail", () => {
  const asking = (answer: () => Promise<TrailStatus>) => {
    const clock = { now: 0, asked: 0 };
    const trailStatus = () => {
      clock.asked += 1;
      return answer();
    };
    const health = trailHealth(
      () => ({ trailStatus }),
      () => clock.now,
    );
    return { clock, health };
  };

  it("is asked for four times a minute at the most, however often the gateway is probed", async () => {
    let status: TrailStatus = "ok";
    const { clock, health } = asking(async () => status);
    expect(await health()).toBe("ok");
    status = "full";
    for (clock.now = 0; clock.now < 15 * SECOND; clock.now += 100) expect(await health()).toBe("ok");
    expect(clock.asked).toBe(1);
    clock.now = 15 * SECOND;
    expect([await health(), clock.asked]).toEqual(["full", 2]);
  });

  it("is asked once at a time: who asks meanwhile is told what was known", async () => {
    const answer = Promise.withResolvers<TrailStatus>();
    const { clock, health } = asking(() => answer.promise);
    const first = health();
    expect([await health(), clock.asked]).toEqual(["unknown", 1]);
    answer.resolve("full");
    expect([await first, await health(), clock.asked]).toEqual(["full", "full", 1]);
  });

  it("is unknown where the hub fails", async () => {
    const { health } = asking(async () => Promise.reject(new Error("the object is overloaded")));
    expect(await health()).toBe("unknown");
    expect(logged.join()).toMatch(/trail_health_unknown.*overloaded/);
  });

  it("is unknown where the hub does not answer in time", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { health } = asking(() => new Promise(() => {}));
    const told = health();
    await vi.advanceTimersByTimeAsync(2 * SECOND);
    expect(await told).toBe("unknown");
  });
});
