import { describe, expect, it } from "vitest";
import { catalogue, renderMetrics } from "../../src/telemetry/metrics/catalogue.ts";
import { parseMetrics, samplesOf } from "../support/metrics-text.ts";

const sums = new Map([
  ['toolgate_requests{route="/v1/x",status="200"}', 3],
  ['toolgate_requests{route="a\\"b",status="404"}', 1],
  ['toolgate_turn_steps_bucket{le="1.0"}', 2],
  ['toolgate_turn_steps_bucket{le="3.0"}', 1],
  ['toolgate_turn_steps_bucket{le="+Inf"}', 1],
  ["toolgate_turn_steps_sum", 42],
  ["toolgate_policy_stale", 7],
  ["toolgate_of_an_older_version", 1],
]);

describe("the text of the metrics", () => {
  it.each([false, true])("parses, with every family of the catalogue (OpenMetrics: %s)", (openMetrics) => {
    const families = parseMetrics(renderMetrics(sums, openMetrics), { openMetrics });
    const total = openMetrics ? "" : "_total";
    const names = Object.entries(catalogue).map(([name, { type }]) => (type === "counter" ? `${name}${total}` : name));
    expect([...families.keys()]).toEqual(names);
    for (const [name, { help, type }] of families) {
      const info = catalogue[name.replace(/_total$/, "") as keyof typeof catalogue];
      expect([name, help, type]).toEqual([name, info.help, info.type]);
    }
  });

  it("tells the sums; buckets add up from below", () => {
    const samples = samplesOf(renderMetrics(sums, false));
    expect(samples.get('toolgate_requests_total{route="/v1/x",status="200"}')).toBe(3);
    expect(samples.get('toolgate_requests_total{route="a\\"b",status="404"}')).toBe(1);
    expect(samples.get("toolgate_policy_stale_total")).toBe(7);
    const steps = ["0.0", "1.0", "2.0", "3.0", "16.0", "+Inf"];
    expect(steps.map((le) => samples.get(`toolgate_turn_steps_bucket{le="${le}"}`))).toEqual([0, 2, 2, 3, 3, 4]);
    expect(samples.get("toolgate_turn_steps_sum")).toBe(42);
  });

  it("starts at nothing: zeros where there are no labels, no series where there are", () => {
    const samples = samplesOf(renderMetrics(new Map(), false));
    expect(new Set(samples.values())).toEqual(new Set([0]));
    expect(samples.has("toolgate_tokens_saved_total")).toBe(true);
    expect([...samples.keys()].filter((name) => name.startsWith("toolgate_requests"))).toEqual([
      "toolgate_requests_rate_limited_total",
    ]);
  });
});
