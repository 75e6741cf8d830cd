/** A series over time as a picture of text. Pure. */
import type { Point } from "./statistics.ts";

const DOTS = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;

/** Braille: two columns and four rows of dots a character; the scale begins at zero. */
export function brailleChart(points: readonly Point[], { width = 72, height = 6 } = {}): string {
  const top = niceTop(Math.max(0, ...points.map(({ y }) => y)));
  const last = Math.max(...points.map(({ x }) => x));
  const first = Math.min(...points.map(({ x }) => x));
  const cells = Array.from({ length: height }, () => new Array<number>(width).fill(0));
  for (const { x, y } of points) {
    const column = Math.round(((x - first) / (last - first || 1)) * (width * 2 - 1));
    const row = Math.round((1 - Math.max(0, y) / top) * (height * 4 - 1));
    const line = cells[Math.floor(row / 4)];
    const dot = DOTS[column % 2 === 0 ? 0 : 1][row % 4] ?? 0;
    const at = Math.floor(column / 2);
    if (line) line[at] = (line[at] ?? 0) | dot;
  }
  const labels = cells.map((_, row) => (row === 0 ? String(top) : row === height - 1 ? "0" : ""));
  const margin = Math.max(...labels.map(({ length }) => length));
  return cells
    .map((line, row) => {
      const drawn = String.fromCodePoint(...line.map((dots) => 0x2800 + dots));
      return `  ${labels[row]?.padStart(margin)} ┤${drawn}`;
    })
    .join("\n");
}

/** The next of 1, 2, 5, 10, 20, … */
export function niceTop(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= value * (1 - 1e-9)) ?? 10;
  return Number((step * power).toPrecision(1));
}
