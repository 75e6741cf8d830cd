/** Panels of series over time as one SVG picture. Pure. */
import { niceTop } from "./chart.ts";
import type { Point } from "./statistics.ts";

interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface Panel {
  readonly title: string;
  readonly series: readonly Series[];
}

const [WIDTH, HEIGHT, GAP, LEFT, RIGHT] = [900, 150, 48, 56, 12];
const COLOURS = ["#2563eb", "#dc2626", "#059669", "#9333ea"];

/** @param xLabel what stands under the time axis. */
export function svgChart(title: string, panels: readonly Panel[], xLabel: string): string {
  const height = GAP + panels.length * (HEIGHT + GAP);
  const body = panels.map((panel, i) => drawPanel(panel, GAP + i * (HEIGHT + GAP) + 16, xLabel)).join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height + 16}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
<text x="${LEFT}" y="20" font-size="14" font-weight="bold">${escaped(title)}</text>
${body}
</svg>
`;
}

function drawPanel({ title, series }: Panel, y0: number, xLabel: string): string {
  const all = series.flatMap(({ points }) => points);
  const top = niceTop(Math.max(0, ...all.map(({ y }) => y)));
  const end = Math.max(1, ...all.map(({ x }) => x));
  const [wide, below] = [WIDTH - LEFT - RIGHT, y0 + HEIGHT];
  const place = ({ x, y }: Point) =>
    `${(LEFT + (x / end) * wide).toFixed(1)},${(below - (y / top) * HEIGHT).toFixed(1)}`;
  const grid = [0, 0.5, 1].map((share) => {
    const y = below - share * HEIGHT;
    const line = `<line x1="${LEFT}" y1="${y}" x2="${WIDTH - RIGHT}" y2="${y}" stroke="#ddd"/>`;
    return `${line}<text x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${Number((top * share).toPrecision(3))}</text>`;
  });
  const lines = series.map(({ points }, i) => {
    const colour = COLOURS[i % COLOURS.length];
    return `<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${points.map(place).join(" ")}"/>`;
  });
  const keys = series.map(
    ({ name }, i) => `<tspan dx="12" fill="${COLOURS[i % COLOURS.length]}">${escaped(name)}</tspan>`,
  );
  return [
    `<text x="${LEFT}" y="${y0 - 8}">${escaped(title)}${keys.join("")}</text>`,
    ...grid,
    ...lines,
    `<text x="${WIDTH - RIGHT}" y="${below + 15}" text-anchor="end">${end.toFixed(0)} ${escaped(xLabel)}</text>`,
  ].join("\n");
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
