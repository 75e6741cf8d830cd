/** The chart of calls over time: allowed, refused, or never answered. Each bar leads to its calls; a table has the same figures. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { EffectName, SummaryView } from "../../api-views/trail-views.ts";
import { number, when } from "../texts/texts.ts";
import { trailTexts } from "../trail/trail-texts.ts";
import { type CallPoint, drawCalls, EFFECTS } from "./draw-calls.ts";
import { texts } from "./texts.ts";

export function CallChart({ summary }: { readonly summary: SummaryView }) {
  const { route } = useLocation();
  const points = useMemo(() => pointsOf(summary), [summary]);
  const figure = useRef<HTMLElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const pointed = useSignal<number | undefined>(undefined);
  const step = summary.step_ms;
  useEffect(() => {
    if (!box.current) return;
    return drawCalls(box.current, {
      points,
      stepMs: step,
      colourOf: (effect) => {
        const sample = figure.current?.querySelector(`.legend-${effect}`);
        return sample ? getComputedStyle(sample, "::before").backgroundColor : "";
      },
      onPoint: (index) => {
        pointed.value = index;
      },
      onPress: (index) => {
        const point = points[index];
        if (point) route(callsIn(point, step));
      },
    });
  }, [points, step]);
  const one = pointed.value === undefined ? undefined : points[pointed.value];
  const { allow, confirm, deny } = one?.effects ?? summary.effects;
  const counts = { allow, confirm, deny };
  return (
    <figure class="chart" ref={figure}>
      <div ref={box} class="chart-box" role="img" aria-label={texts.chartOf(allow, confirm, deny)} />
      <figcaption>
        <span class="legend">
          {EFFECTS.map((effect) => (
            <span key={effect} class={`legend-${effect}`}>
              {outcomeWords(effect)} <strong>{number(counts[effect])}</strong>
            </span>
          ))}
        </span>
        <span>{one ? texts.span(when(isoOf(one.at)), when(isoOf(one.at + step))) : texts.wholeTime}</span>
      </figcaption>
      <ChartTable points={points} step={step} />
    </figure>
  );
}

/** The same figures as a table, for users without a pointer. */
function ChartTable({ points, step }: { readonly points: readonly CallPoint[]; readonly step: number }) {
  const isOpen = useSignal(false);
  const filled = points.filter(({ effects }) => EFFECTS.some((effect) => effects[effect] > 0)).toReversed();
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{texts.asTable}</summary>
      {isOpen.value && (
        <div class="scrolls">
          <table class="table">
            <thead>
              <tr>
                <th>{texts.when}</th>
                {EFFECTS.map((effect) => (
                  <th key={effect} class="number">
                    {outcomeWords(effect)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {filled.map((point) => (
                <tr key={point.at}>
                  <td>
                    <a class="row-link" href={callsIn(point, step)}>
                      {when(isoOf(point.at))}
                    </a>
                  </td>
                  {EFFECTS.map((effect) => (
                    <td key={effect} class="number">
                      {point.effects[effect]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

/** An answered question is counted as its outcome, so `confirm` means unanswered. */
const outcomeWords = (effect: EffectName): string =>
  effect === "confirm" ? texts.unanswered : trailTexts.effect[effect];

const isoOf = (at: number): string => new Date(at).toISOString();

const callsIn = ({ at }: CallPoint, step: number): string =>
  `/console/audit?${new URLSearchParams({ kind: "decisions", from: isoOf(at), to: isoOf(at + step) })}`;

/** Includes the steps without calls. */
function pointsOf({ from, to, step_ms: step, series }: SummaryView): readonly CallPoint[] {
  const known = new Map(series.map((point) => [Date.parse(point.at), point.effects]));
  const points: CallPoint[] = [];
  const none = { allow: 0, confirm: 0, deny: 0 };
  for (let at = Math.floor(Date.parse(from) / step) * step; at < Date.parse(to); at += step)
    points.push({ at, effects: known.get(at) ?? none });
  return points;
}
