/** Sums as text, in Prometheus' format (0.0.4) or OpenMetrics (1.0.0). Pure. */
import { bound, bucketSeries, type CounterInfo, catalogue, type HistogramInfo } from "./catalogue.ts";

/** @param sums by series; those of no metric in the catalogue (an older version's) are left out. */
export function renderMetrics(sums: ReadonlyMap<string, number>, openMetrics: boolean): string {
  const series = new Map<string, string[]>();
  for (const name of sums.keys()) {
    const family = name.split("{", 1)[0] ?? name;
    const known = series.get(family);
    if (known) known.push(name);
    else series.set(family, [name]);
  }
  const blocks = Object.entries(catalogue).flatMap(([family, info]: [string, CounterInfo | HistogramInfo]) =>
    info.type === "counter"
      ? counterLines(family, info, series.get(family) ?? (info.labelled ? [] : [family]), sums, openMetrics)
      : histogramLines(family, info, sums),
  );
  return `${blocks.join("\n")}\n${openMetrics ? "# EOF\n" : ""}`;
}

/** OpenMetrics names the family without `_total`; Prometheus' own format knows only the samples' name. */
function counterLines(
  family: string,
  { help }: CounterInfo,
  series: readonly string[],
  sums: ReadonlyMap<string, number>,
  openMetrics: boolean,
): string[] {
  const name = openMetrics ? family : `${family}_total`;
  const samples = [...series].sort().map((key) => `${family}_total${key.slice(family.length)} ${sums.get(key) ?? 0}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`, ...samples];
}

function histogramLines(family: string, { help, buckets }: HistogramInfo, sums: ReadonlyMap<string, number>): string[] {
  let below = 0;
  const samples = [...buckets.map(bound), "+Inf"].map((le) => {
    const key = bucketSeries(family, le);
    below += sums.get(key) ?? 0;
    return `${key} ${below}`;
  });
  const sum = sums.get(`${family}_sum`) ?? 0;
  return [
    `# HELP ${family} ${help}`,
    `# TYPE ${family} histogram`,
    ...samples,
    `${family}_sum ${sum}`,
    `${family}_count ${below}`,
  ];
}
