import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Batch, MetricsHubPort } from "../../src/ports/telemetry-port.ts";
import { createMeter } from "../../src/telemetry/metrics/meter.ts";

type Fate = "arrives" | "lost on the way" | "answer lost";

/** The hub's twin in memory; each batch meets the next fate. */
function hubOf(fates: readonly Fate[] = []) {
  const sums = new Map<string, number>();
  const last = new Map<string, number>();
  const batches: Batch[] = [];
  let at = 0;
  const hub: MetricsHubPort = {
    async add(batch) {
      const fate = fates[at++] ?? "arrives";
      batches.push(batch);
      if (fate === "lost on the way") throw new Error("unreachable");
      if (batch.seq > (last.get(batch.isolate) ?? 0)) {
        last.set(batch.isolate, batch.seq);
        for (const [series, by] of Object.entries(batch.increments)) sums.set(series, (sums.get(series) ?? 0) + by);
      }
      if (fate === "answer lost") throw new Error("no answer");
    },
    render: async () => "",
  };
  return { hub, sums, batches };
}

describe("an isolate's meter", () => {
  it("sends what was counted since, summed by series", async () => {
    const { hub, batches } = hubOf();
    const meter = createMeter("a");
    meter.count("toolgate_turns", { stop_reason: "completed" });
    meter.count("toolgate_turns", { stop_reason: "completed" }, 2);
    meter.observe("toolgate_turn_steps", 2);
    meter.observe("toolgate_turn_steps", 99);
    await meter.flush(hub);
    await meter.flush(hub);
    meter.count("toolgate_policy_stale");
    await meter.flush(hub);
    expect(batches).toEqual([
      {
        isolate: "a",
        seq: 1,
        increments: {
          'toolgate_turns{stop_reason="completed"}': 3,
          'toolgate_turn_steps_bucket{le="2.0"}': 1,
          'toolgate_turn_steps_bucket{le="+Inf"}': 1,
          toolgate_turn_steps_sum: 101,
        },
      },
      { isolate: "a", seq: 2, increments: { toolgate_policy_stale: 1 } },
    ]);
  });

  it("counts nothing downwards, and escapes what labels cannot hold", async () => {
    const { hub, sums } = hubOf();
    const meter = createMeter("a");
    meter.count("toolgate_tokens_saved", {}, -5);
    meter.count("toolgate_tokens_saved", {}, 0);
    meter.count("toolgate_requests", { route: 'a"b\\c\nd', status: "200" });
    await meter.flush(hub);
    expect([...sums]).toEqual([['toolgate_requests{route="a\\"b\\\\c\\nd",status="200"}', 1]]);
  });

  it("asks for one sending an interval, and for none where nothing was counted", () => {
    const meter = createMeter("a");
    expect(meter.due(0, 10)).toBe(false);
    meter.count("toolgate_policy_stale");
    expect([0, 1, 9, 10, 11].map((now) => meter.due(now, 10))).toEqual([true, false, false, true, false]);
  });

  it("asks for one again after a clock was set back", () => {
    const meter = createMeter("a");
    meter.count("toolgate_policy_stale");
    expect([1_000, 5, 6].map((now) => meter.due(now, 10))).toEqual([true, true, false]);
  });

  it("asks for one whose interval is over, however long the interval of the one before was", () => {
    const meter = createMeter("a");
    meter.count("toolgate_policy_stale");
    expect([meter.due(0, 10_000), meter.due(5, 0)]).toEqual([true, true]);
  });

  const fate = fc.constantFrom<Fate>("arrives", "lost on the way", "answer lost");
  it("whatever_fails_and_is_sent_again_counts_once", async () => {
    const isolates = fc.array(fc.record({ isolate: fc.constantFrom("a", "b"), by: fc.nat(9), flush: fc.boolean() }));
    await fc.assert(
      fc.asyncProperty(isolates, fc.array(fate), async (events, fates) => {
        const { hub, sums } = hubOf(fates);
        const meters = { a: createMeter("a"), b: createMeter("b") };
        for (const { isolate, by, flush } of events) {
          meters[isolate as "a" | "b"].count("toolgate_tools_offered", {}, by);
          if (flush) await meters[isolate as "a" | "b"].flush(hub).catch(() => {});
        }
        for (const meter of Object.values(meters)) {
          for (let sent = false; !sent; ) {
            sent = await meter.flush(hub).then(
              () => true,
              () => false,
            );
          }
        }
        const counted = events.reduce((sum, { by }) => sum + by, 0);
        expect(sums.get("toolgate_tools_offered") ?? 0).toBe(counted);
      }),
    );
  });

  it("two requests that send at once count once", async () => {
    const { hub, sums } = hubOf();
    const meter = createMeter("a");
    meter.count("toolgate_policy_stale");
    await Promise.all([meter.flush(hub), meter.flush(hub)]);
    meter.count("toolgate_policy_stale");
    await Promise.all([meter.flush(hub), meter.flush(hub)]);
    expect(sums.get("toolgate_policy_stale")).toBe(2);
  });
});
