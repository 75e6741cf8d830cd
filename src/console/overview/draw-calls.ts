/** Draws calls over time with uPlot as stacked bars, in the page's colours and fonts. */
import uPlot from "uplot";
import type { EffectCounts, EffectName } from "../../api-views/trail-views.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/time.ts";
import { language } from "../texts/texts.ts";

/** From the bottom up. */
export const EFFECTS: readonly EffectName[] = ["allow", "confirm", "deny"];

const HEIGHT = 200;

export interface CallPoint {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly effects: EffectCounts;
}

interface CallDrawing {
  readonly points: readonly CallPoint[];
  readonly stepMs: number;
  /** The colour of an effect's bars. */
  readonly colourOf: (effect: EffectName) => string;
  /** @param index of the point under the pointer; undefined: none. */
  readonly onPoint: (index: number | undefined) => void;
  readonly onPress: (index: number) => void;
}

/** @param box its text colour and border colour are those of the chart's text and lines. @returns a function that removes the drawing. */
export function drawCalls(box: HTMLElement, { points, stepMs, colourOf, onPoint, onPress }: CallDrawing): () => void {
  const from = points[0]?.at ?? 0;
  const to = from + points.length * stepMs;
  const { everyMs, ticks } = ticksOf(from, to);
  const shape: Intl.DateTimeFormatOptions =
    everyMs < DAY_MS ? { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } : { weekday: "short", day: "numeric" };
  const format = new Intl.DateTimeFormat(language, shape);
  const { fontFamily } = getComputedStyle(box);
  const lines = { stroke: () => getComputedStyle(box).borderTopColor, width: 1 };
  const axis: uPlot.Axis = {
    stroke: () => getComputedStyle(box).color,
    font: `12px ${fontFamily}`,
    grid: { show: false },
    ticks: { ...lines, size: 6 },
    size: 32,
  };
  const chart = new uPlot(
    {
      width: box.clientWidth,
      height: HEIGHT,
      padding: [12, 20, 0, 0],
      legend: { show: false },
      scales: {
        x: { range: () => [from / 1000, to / 1000] },
        y: { range: (_, __, most) => [0, roundUp(Math.max(1, most))] },
      },
      axes: [
        {
          ...axis,
          splits: () => ticks.map((at) => at / 1000),
          values: (_, at) => at.map((one) => format.format(one * 1000)),
        },
        {
          ...axis,
          size: 44,
          grid: lines,
          ticks: { show: false },
          incrs: [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 5000],
        },
      ],
      // The highest bars first: the lower ones are drawn over them.
      series: [
        {},
        ...EFFECTS.toReversed().map(
          (effect): uPlot.Series => ({
            stroke: () => colourOf(effect),
            fill: () => colourOf(effect),
            width: 0,
            points: { show: false },
            ...bars,
          }),
        ),
      ],
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: false, y: false },
        // A bar represents the time from its position on.
        dataIdx: (_, __, ___, x) => Math.min(points.length - 1, Math.max(0, Math.floor((x * 1000 - from) / stepMs))),
      },
      hooks: { setCursor: [({ cursor: { idx, left = -1 } }) => onPoint(left < 0 ? undefined : (idx ?? undefined))] },
    },
    dataOf(points),
    box,
  );
  chart.over.addEventListener("click", () => {
    const { idx } = chart.cursor;
    if (idx !== null && idx !== undefined) onPress(idx);
  });
  const sizes = new ResizeObserver(() => chart.setSize({ width: box.clientWidth, height: HEIGHT }));
  sizes.observe(box);
  const scheme = window.matchMedia("(prefers-color-scheme: dark)");
  const redraw = () => chart.redraw(true);
  scheme.addEventListener("change", redraw);
  return () => {
    sizes.disconnect();
    scheme.removeEventListener("change", redraw);
    chart.destroy();
  };
}

const paths = uPlot.paths.bars?.({ size: [0.84, 56], align: 1 });
const bars: Pick<uPlot.Series, "paths"> = paths ? { paths } : {};

/** The series of the stack: the sum of all three, the sum of the lower two, and the lowest. */
function dataOf(points: readonly CallPoint[]): uPlot.AlignedData {
  const heights = EFFECTS.map((_, index) =>
    points.map(({ effects }) => EFFECTS.slice(0, index + 1).reduce((sum, effect) => sum + effects[effect], 0)),
  );
  return [points.map(({ at }) => at / 1000), ...heights.toReversed()];
}

const STEPS_MS = [10 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, DAY_MS, 5 * DAY_MS] as const;
/** The most labels that fit below a chart on a phone. */
const MOST = 8;

/** Rounds up to the next of 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, … */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  const factor = [1, 2, 3, 4, 5, 6, 8, 10].find((one) => one * power >= value) ?? 10;
  return factor * power;
}

interface Ticks {
  readonly everyMs: number;
  /** Milliseconds since the epoch. */
  readonly ticks: readonly number[];
}

/** Ticks at full hours or midnights of the device's time zone. */
function ticksOf(from: number, to: number): Ticks {
  const everyMs = STEPS_MS.find((step) => (to - from) / step <= MOST) ?? 5 * DAY_MS;
  const ticks: number[] = [];
  const at = new Date(from);
  at.setHours(0, 0, 0, 0);
  while (at.getTime() < to) {
    if (at.getTime() >= from) ticks.push(at.getTime());
    // By the calendar: a day on which the clocks change has another length.
    if (everyMs >= DAY_MS) at.setDate(at.getDate() + everyMs / DAY_MS);
    else at.setTime(at.getTime() + everyMs);
  }
  return { everyMs, ticks };
}
