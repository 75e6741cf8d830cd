/** Whether a cost grows in a line, and how steeply. Pure. */
import { fitLine, type Line, lastDoubling, type Point } from "./statistics.ts";
import { plainTable, show } from "./table.ts";

export interface SizePoint {
  readonly size: number;
  /** What it takes, in milliseconds. */
  readonly ms: number;
  /** CPU of the serving process for a request; NaN where it was not measured. */
  readonly cpuMs: number;
}

export interface AxisWords {
  readonly name: string;
  readonly unit: string;
  readonly slopeUnit: string;
  /** From milliseconds for one of `unit` to `slopeUnit`. */
  readonly scale: number;
}

export interface Growth {
  readonly axis: AxisWords;
  readonly points: readonly SizePoint[];
  readonly time: Fit;
  /** Absent where CPU was not measured. */
  readonly cpu?: Fit;
}

interface Fit extends Line {
  readonly lastDoubling: number;
  readonly verdict: "flat" | "linear" | "more than linear";
}

/** Growth of less than this from the smallest to the largest is noise. */
const FLAT_MS = 0.3;
/** 1 for a line, 3 for a square; what lies between is noise, or a logarithm. */
const SUPERLINEAR = 1.5;

export function growthOf({ name, unit, slopeUnit, scale }: AxisWords, points: readonly SizePoint[]): Growth {
  const cpu = points.every(({ cpuMs }) => Number.isFinite(cpuMs));
  return {
    axis: { name, unit, slopeUnit, scale },
    points,
    time: fitOf(points.map(({ size, ms }) => ({ x: size, y: ms }))),
    ...(cpu && { cpu: fitOf(points.map(({ size, cpuMs }) => ({ x: size, y: cpuMs }))) }),
  };
}

function fitOf(points: readonly Point[]): Fit {
  const doubling = lastDoubling(points);
  const grown = (points.at(-1)?.y ?? Number.NaN) - (points[0]?.y ?? Number.NaN);
  const steep = doubling > SUPERLINEAR ? "more than linear" : "linear";
  return { ...fitLine(points), lastDoubling: doubling, verdict: grown < FLAT_MS ? "flat" : steep };
}

export function describeGrowth(growth: readonly Growth[]): string {
  return ["how cost grows (first token beyond bare fetch's)", ...growth.map(describeOne)].join("\n\n");
}

function describeOne({ axis, points, time, cpu }: Growth): string {
  const describeFit = (name: string, { slope, r2, lastDoubling: doubling, verdict }: Fit) => {
    const line = `${show(slope * axis.scale, 3)} ${axis.slopeUnit}, R² ${show(r2, 3)}`;
    return `  ${name}: ${verdict}; ${line}; a unit of the last doubling costs ${show(doubling)} times an earlier one`;
  };
  const rows = [
    [axis.unit, ...points.map(({ size }) => String(size))],
    ["time, ms", ...points.map(({ ms }) => show(ms))],
    ...(cpu ? [["CPU, ms", ...points.map(({ cpuMs }) => show(cpuMs))]] : []),
  ];
  const fits = [describeFit("time", time), ...(cpu ? [describeFit("CPU", cpu)] : [])];
  return [axis.name, ...fits, plainTable(rows)].join("\n");
}
