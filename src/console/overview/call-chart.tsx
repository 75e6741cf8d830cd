/** Calls over time: a bar for each step of time, of what was allowed, asked about and refused. */
import type { EffectName, SummaryView } from "../api/trail-views.ts";
import { language, when } from "../texts/texts.ts";
import { trailTexts } from "../trail/trail-texts.ts";
import { texts } from "./texts.ts";
import { roundUp, ticksOf } from "./ticks.ts";

const [WIDTH, HEIGHT, GAP] = [1000, 180, 2];
/** From the bottom up. */
const EFFECTS: readonly EffectName[] = ["allow", "confirm", "deny"];

export function CallChart({ summary }: { readonly summary: SummaryView }) {
  const points = pointsOf(summary);
  const highest = roundUp(Math.max(1, ...points.map(({ effects }) => sum(effects))));
  const width = WIDTH / points.length;
  const { allow, confirm, deny } = summary.effects;
  return (
    <figure class="chart">
      <p class="chart-most" aria-hidden="true">
        {texts.callCount(highest)}
      </p>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.chartOf(allow, confirm, deny)}
      >
        <line class="chart-line" x2={WIDTH} y1={0} y2={0} />
        <line class="chart-line" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        {points.map(({ at, effects }, index) => {
          let below = 0;
          return (
            <g key={at}>
              <title>{`${when(at)}: ${texts.chartOf(effects.allow, effects.confirm, effects.deny)}`}</title>
              <rect class="chart-ground" x={index * width} y={0} width={width} height={HEIGHT} />
              {EFFECTS.map((effect) => {
                const height = (effects[effect] / highest) * HEIGHT;
                below += height;
                return (
                  <rect
                    key={effect}
                    class={`chart-${effect}`}
                    x={index * width + GAP / 2}
                    y={HEIGHT - below}
                    width={Math.max(1, width - GAP)}
                    height={height}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
      <Ticks points={points} step={summary.step_ms} />
      <figcaption>
        <span class="legend">
          {EFFECTS.map((effect) => (
            <span key={effect} class={`legend-${effect}`}>
              {trailTexts.effect[effect]}
            </span>
          ))}
        </span>
      </figcaption>
    </figure>
  );
}

interface TicksProps {
  readonly points: readonly { readonly at: string }[];
  readonly step: number;
}

/** Days or hours, below the bars. Each bar says its own time. */
function Ticks({ points, step }: TicksProps) {
  const from = Date.parse(points[0]?.at ?? "");
  const { everyMs, ticks } = ticksOf(from, from + points.length * step);
  const shape: Intl.DateTimeFormatOptions =
    everyMs < 86_400_000 ? { hour: "2-digit", minute: "2-digit" } : { weekday: "short", day: "numeric" };
  const format = new Intl.DateTimeFormat(language, shape);
  return (
    <p class="chart-ticks" aria-hidden="true">
      {ticks.map((at) => (
        <span key={at} style={{ insetInlineStart: `${((at - from) / (points.length * step)) * 100}%` }}>
          {format.format(at)}
        </span>
      ))}
    </p>
  );
}

const sum = (counts: Readonly<Record<EffectName, number>>): number => counts.allow + counts.confirm + counts.deny;

/** With those in which nothing happened. */
function pointsOf({ from, to, step_ms: step, series }: SummaryView) {
  const known = new Map(series.map((point) => [Date.parse(point.at), point.effects]));
  const points = [];
  const none = { allow: 0, confirm: 0, deny: 0 };
  for (let at = Math.floor(Date.parse(from) / step) * step; at < Date.parse(to); at += step)
    points.push({ at: new Date(at).toISOString(), effects: known.get(at) ?? none });
  return points;
}
