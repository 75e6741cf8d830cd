/** Quantiles, fitted lines and slopes. Pure. */

/** The value below which the share `q` of the values lies, interpolated; NaN without values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = q * (sorted.length - 1);
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  return low + ((sorted[Math.ceil(at)] ?? low) - low) * (at - Math.floor(at));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Line {
  readonly slope: number;
  readonly intercept: number;
  /** The share of the values' variance that the line explains; 1 where they do not vary. */
  readonly r2: number;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Least squares; a slope of NaN where the points have not two places. */
export function fitLine(points: readonly Point[]): Line {
  const [mx, my] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const sum = (of: (point: Point) => number) => points.reduce((total, point) => total + of(point), 0);
  const slope = sum(({ x, y }) => (x - mx) * (y - my)) / sum(({ x }) => (x - mx) ** 2);
  const intercept = my - slope * mx;
  const spread = sum(({ y }) => (y - my) ** 2);
  const rest = sum(({ x, y }) => (y - intercept - slope * x) ** 2);
  return { slope, intercept, r2: spread === 0 ? 1 : 1 - rest / spread };
}

/** The median of the slopes between all pairs (Theil and Sen): a few odd samples do not turn it. */
export function steadySlope(points: readonly Point[]): number {
  const slopes = points.flatMap((a, i) =>
    points.slice(i + 1).flatMap((b) => (a.x === b.x ? [] : [(b.y - a.y) / (b.x - a.x)])),
  );
  return median(slopes);
}

export interface BoundedSlope {
  readonly slope: number;
  /** How far the true slope may lie on either side, with 95 % confidence; infinite where the points do not tell. */
  readonly margin: number;
}

/**
 * Least squares, with a bound. Neighbours in time are alike (a cache fills, a collection leaves a little more), so that they
 * tell less than as many independent points: by the autocorrelation of what the line leaves over (Santer et al. 2000,
 * "Statistical significance of trends", J. Geophys. Res. 105).
 */
export function boundedSlope(points: readonly Point[]): BoundedSlope {
  const { slope, intercept } = fitLine(points);
  const rest = points.map(({ x, y }) => y - intercept - slope * x);
  const squares = rest.reduce((sum, r) => sum + r * r, 0);
  const products = rest.slice(1).reduce((sum, r, i) => sum + r * (rest[i] ?? 0), 0);
  const alike = squares === 0 ? 0 : Math.max(0, products / squares);
  const freedom = (points.length * (1 - alike)) / (1 + alike) - 2;
  // With fewer the quantile below is no approximation any more.
  if (!(freedom >= 3)) return { slope, margin: Number.POSITIVE_INFINITY };
  const mx = mean(points.map(({ x }) => x));
  const spread = points.reduce((sum, { x }) => sum + (x - mx) ** 2, 0);
  return { slope, margin: studentQuantile(freedom) * Math.sqrt(squares / freedom / spread) };
}

/** Of Student's distribution, for 95 % on both sides; Abramowitz and Stegun 26.7.5. */
function studentQuantile(freedom: number): number {
  const z = 1.959964;
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
  ];
  return terms.reduce((sum, term, i) => sum + term / freedom ** (i + 1), z);
}

/** How many times as much a unit costs in the last doubling of x as in all that came before it; about 1 for a line. */
export function lastDoubling(points: readonly Point[]): number {
  const sorted = [...points].sort((a, b) => a.x - b.x);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last) return Number.NaN;
  const middle = sorted.reduce((best, one) => (distance(one, last) < distance(best, last) ? one : best), first);
  return (last.y - middle.y) / (last.x - middle.x) / ((middle.y - first.y) / (middle.x - first.x));
}

const distance = ({ x }: Point, last: Point) => Math.abs(x - last.x / 2);
