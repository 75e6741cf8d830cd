/** Calls over time: a bar for each step of time, of what was allowed, asked about and refused. */
import type { EffectName, SummaryView } from "../api/trail-views.ts";
import { when } from "../texts/texts.ts";
import { trailTexts } from "../trail/trail-texts.ts";
import { texts } from "./texts.ts";

const [WIDTH, HEIGHT, GAP] = [1000, 180, 2];
/** From the bottom up. */
const EFFECTS: readonly EffectName[] = ["allow", "confirm", "deny"];

export function CallChart({ summary }: { readonly summary: SummaryView }) {
  const points = pointsOf(summary);
  const highest = Math.max(1, ...points.map(({ effects }) => sum(effects)));
  const width = WIDTH / points.length;
  const { allow, confirm, deny } = summary.effects;
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.chartOf(allow, confirm, deny)}
      >
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
      <figcaption>
        <time>{when(summary.from)}</time>
        <span class="legend">
          {EFFECTS.map((effect) => (
            <span key={effect} class={`legend-${effect}`}>
              {trailTexts.effect[effect]}
            </span>
          ))}
        </span>
        <time>{when(summary.to)}</time>
      </figcaption>
    </figure>
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
