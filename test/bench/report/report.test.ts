import { describe, expect, it } from "vitest";
import type { BenchCase } from "../run/cases.ts";
import { type Figures, summarise } from "./figures.ts";
import { judge } from "./goals.ts";
import { markdownReport } from "./report.ts";
import { markdownTable, plainTable } from "./table.ts";

const bench: BenchCase = {
  id: "stream-200/1",
  workload: { name: "stream 200", kind: "stream", surface: "chat", model: "text-200", words: 200 },
  arrival: { concurrency: 1 },
};

const figures = (contender: Figures["contender"], token: number, total: number, cpuMs: number): Figures => ({
  contender,
  requests: 300,
  failures: [],
  firstByte: { p10: token, p50: token, p99: token },
  firstToken: { p10: token / 2, p50: token, p99: token * 2 },
  total: { p10: total, p50: total, p99: total * 2 },
  perSecond: 1000 / total,
  cpuMs,
  rssMiB: 90,
  peakMiB: 91,
});

const met = (own: Figures) => {
  const others = [figures("bare", 1, 4, 1), figures("streamText", 5, 80, 60), figures("portkey", 30, 31, 6)];
  return judge([{ bench, figures: [...others, own] }]).map((goal) => goal.met);
};

describe("judge", () => {
  it("meets every goal with figures that do", () =>
    expect(met(figures("toolgate", 3, 8, 5))).toEqual([true, true, true, true]));

  it("sees each goal that is missed", () => {
    expect(met(figures("toolgate", 3.6, 8, 5))).toEqual([false, true, true, true]);
    expect(met(figures("toolgate", 3, 10.1, 5))).toEqual([true, false, false, true]);
    expect(met(figures("toolgate", 3, 8, 6.1))).toEqual([true, true, true, false]);
  });

  it("does not judge a gateway that gave no right answer", () =>
    expect(met({ ...figures("toolgate", 0, 0, 0), requests: 0 })).toEqual([]));
});

describe("summarise", () => {
  it("shares the CPU among all requests, wrong ones too, and the time among the right ones", () => {
    const sample = { headers: 1, firstByte: 1, firstToken: 2, total: 10, bytes: 5 };
    const block = { samples: [sample, { ...sample, total: 20 }], elapsedMs: 100, failures: ["status 500"] };
    const result = summarise("bare", [block], { cpuMs: 30, rssMiB: 1, peakMiB: 2 });
    expect(result).toMatchObject({ requests: 2, perSecond: 20, cpuMs: 10, total: { p50: 15 } });
  });
});

describe("tables", () => {
  it("aligns columns, and escapes what would split a cell", () => {
    expect(
      plainTable([
        ["", "ms"],
        ["bare", "1.25"],
      ]),
    ).toBe("          ms\n  bare  1.25");
    expect(
      markdownTable([
        ["", "a|b"],
        ["x", "1"],
      ]),
    ).toBe("|  | a\\|b |\n|---|---:|\n| x | 1 |");
  });

  it("gives no 99th percentile of too few samples", () => {
    const few = { ...figures("toolgate", 3, 8, 5), requests: 99 };
    expect(markdownReport([{ bench, figures: [few] }])).toContain("| stream 200, one at a time | 3.0 / - |");
  });
});
