import { describe, expect, it } from "vitest";
import { brailleChart, niceTop } from "./chart.ts";
import { svgChart } from "./svg-chart.ts";

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
