import { describe, expect, it } from "vitest";
import { brailleChart, niceTop } from "../bench/chart.ts";
import { type SoakSample, trends } from "../bench/soak-verdict.ts";
import { svgChart } from "../bench/svg-chart.ts";

describe("charts", () => {
  it("rounds the scale's top up to a round number", () => {
    expect([0, 0.7, 1, 1.1, 3, 99, 260].map(niceTop)).toEqual([1, 1, 1, 2, 5, 100, 500]);
  });

  it("draws the highest point in the first line and zero in the last", () => {
    const lines = brailleChart(
      [
        { x: 0, y: 0 },
        { x: 1, y: 10 },
      ],
      { width: 2, height: 2 },
    ).split("\n");
    expect(lines).toEqual(["  10 ┤⠀⠈", "   0 ┤⡀⠀"]);
  });

  it("draws every series as a line of its own, its text escaped", () => {
    const series = [
      {
        name: "p50 <b>",
        points: [
          { x: 0, y: 1 },
          { x: 10, y: 2 },
        ],
      },
    ];
    const svg = svgChart("a & b", [{ title: "ms", series }], "s");
    expect(svg).toContain("p50 &lt;b&gt;");
    expect(svg).toContain("a &amp; b");
    expect(svg.match(/<polyline/g)).toHaveLength(1);
  });
});

describe("trends", () => {
  const run = (
    rss: (at: number) => number,
    token: (at: number) => number,
    bare: (at: number) => number = () => 50,
  ): readonly boolean[] =>
    trends(
      Array.from({ length: 60 }, (_, i): SoakSample => {
        const at = (i + 1) * 5;
        const [tokenP50, totalP50] = [token(at), 250];
        const rest = { answers: 100, failures: 0, cpuShare: 0.1, tokenP99: 20, totalP99: 300 };
        return { at, rssMiB: rss(at), bareMiB: bare(at), tokenP50, totalP50, ...rest };
      }),
    ).map(({ flat }) => flat);

  it("calls a run flat that fills its caches first, and has odd samples", () =>
    expect(
      run(
        (at) => (at < 50 ? at * 4 : 200),
        (at) => (at === 150 ? 90 : 4),
      ),
    ).toEqual([true, true, true, true, true]));

  it("sees a leak, and a latency that creeps up", () => {
    expect(
      run(
        (at) => 200 + at / 4,
        () => 4,
      )[0],
    ).toBe(false);
    expect(
      run(
        () => 200,
        (at) => 4 + at / 100,
      )[1],
    ).toBe(false);
  });

  it("takes what the bare Worker grows by for the runtime's, and no more, nor what it gives back", () => {
    const grows = (perSecond: number) => (at: number) => 200 + at * perSecond;
    const memoryIsFlat = (own: number, bare: number) => run(grows(own), () => 4, grows(bare))[0];
    expect([memoryIsFlat(0.25, 0.2), memoryIsFlat(0.45, 0.2), memoryIsFlat(0.25, 0), memoryIsFlat(0, -0.2)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});
