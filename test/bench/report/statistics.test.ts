import { describe, expect, it } from "vitest";
import { cpuMsOf } from "../run/process-usage.ts";
import { growthOf } from "./growth-report.ts";
import { boundedSlope, fitLine, lastDoubling, median, quantile, steadySlope } from "./statistics.ts";

const points = (y: (x: number) => number, xs: readonly number[]) => xs.map((x) => ({ x, y: y(x) }));

describe("quantile", () => {
  it("interpolates between the two values that it lies between", () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([10, 20], 0.99)).toBeCloseTo(19.9);
    expect(median([3])).toBe(3);
  });

  it("is no number without values", () => expect(quantile([], 0.5)).toBeNaN());
});

describe("fitLine", () => {
  it("finds the line that the points lie on", () => {
    const line = fitLine(points((x) => 3 + 0.5 * x, [10, 100, 500]));
    expect(line.slope).toBeCloseTo(0.5);
    expect(line.intercept).toBeCloseTo(3);
    expect(line.r2).toBeCloseTo(1);
  });

  it("tells how much of the spread it leaves unexplained", () => {
    const around = [
      { x: 0, y: 0 },
      { x: 1, y: 2 },
      { x: 2, y: 0 },
      { x: 3, y: 2 },
    ];
    expect(fitLine(around).r2).toBeCloseTo(0.2);
  });

  it("explains all of what does not vary", () => expect(fitLine(points(() => 7, [1, 2, 3])).r2).toBe(1));
});

describe("steadySlope", () => {
  it("is not turned by one sample that is far off", () => {
    const samples = points((x) => 2 * x, [0, 1, 2, 3, 4, 5, 6]).map((point) =>
      point.x === 6 ? { ...point, y: 900 } : point,
    );
    expect(steadySlope(samples)).toBe(2);
  });
});

describe("boundedSlope", () => {
  const xs = Array.from({ length: 40 }, (_, i) => i);

  it("bounds by Student's quantile what independent points leave open", () => {
    // y alternates by ±1 around a line: its neighbours are unlike, so all 40 points count.
    const { slope, margin } = boundedSlope(points((x) => 2 * x + (x % 2 === 0 ? 1 : -1), xs));
    // 2.024 (38 degrees of freedom) times the slope's standard error, sqrt(40 / 38 / 5330).
    expect(margin).toBeCloseTo(2.024 * Math.sqrt(40 / 38 / 5330), 3);
    expect(Math.abs(slope - 2)).toBeLessThan(margin);
  });

  it("bounds less where neighbours are alike, and nothing where there are too few points", () => {
    const margin = (period: number) => boundedSlope(points((x) => Math.sin((x * 2 * Math.PI) / period), xs)).margin;
    expect(margin(20)).toBeGreaterThan(2 * margin(2.5));
    expect(boundedSlope(points((x) => x ** 2, [0, 1, 2, 3])).margin).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("lastDoubling", () => {
  it("is 1 for a line, whatever it begins with", () =>
    expect(lastDoubling(points((x) => 40 + 3 * x, [10, 125, 250, 500]))).toBeCloseTo(1));

  it("is about 3 for a square", () =>
    expect(lastDoubling(points((x) => 40 + x * x, [0, 125, 250, 500]))).toBeCloseTo(3));
});

describe("growthOf", () => {
  const words = { name: "tools", unit: "tools", slopeUnit: "µs a tool", scale: 1000 };
  const growth = (ms: (size: number) => number) =>
    growthOf(
      words,
      [10, 60, 125, 250, 500].map((size) => ({ size, ms: ms(size), cpuMs: Number.NaN })),
    ).time.verdict;

  it("tells a line from what is steeper, and either from nothing", () => {
    expect(growth((size) => 2 + size / 100)).toBe("linear");
    expect(growth((size) => 2 + size ** 2 / 10_000)).toBe("more than linear");
    expect(growth((size) => 2 + size / 100_000)).toBe("flat");
  });
});

describe("cpuMsOf", () => {
  it("finds user and system time behind a name with spaces and brackets", () => {
    const stat = "4711 (a) b (c)) S 1 4711 4711 0 -1 4194560 5000 0 10 0 123 45 0 0 20 0 7 0 100 1 2";
    expect(cpuMsOf(stat)).toBe(1680);
  });
});
