/** Reads Prometheus' text format and OpenMetrics, strictly: what a scraper would refuse is refused here. */

export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  /** By the sample's name with its labels, sorted by the label's name. */
  readonly samples: Map<string, number>;
}

const sampleLine = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/;
const label = /([a-z_][a-z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;

export function parseMetrics(text: string, { openMetrics = false } = {}): Map<string, Family> {
  const lines = text.split("\n");
  if (lines.pop() !== "") throw new Error("the text does not end with a line break");
  if (openMetrics && lines.pop() !== "# EOF") throw new Error("no `# EOF` at the end");
  const families = new Map<string, Family>();
  let help: readonly [string, string] | undefined;
  let current: Family | undefined;
  for (const line of lines) {
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === "HELP") help = [name, rest];
    else if (kind === "TYPE") {
      if (help?.[0] !== name || families.has(name)) throw new Error(`misplaced: ${line}`);
      current = { name, type: rest, help: help[1], samples: new Map() };
      families.set(name, current);
    } else readSample(line, current, openMetrics);
  }
  for (const family of families.values()) if (family.type === "histogram") checkHistogram(family);
  return families;
}

function readSample(line: string, family: Family | undefined, openMetrics: boolean): void {
  const [, name, labels = "", number = ""] = sampleLine.exec(line) ?? [];
  if (!family || name === undefined || Number.isNaN(Number(number))) throw new Error(`not a sample: ${line}`);
  const total = openMetrics ? `${family.name}_total` : family.name;
  const names = family.type === "counter" ? [total] : ["_bucket", "_sum", "_count"].map((end) => family.name + end);
  if (!names.includes(name) || (family.type === "counter" && !name.endsWith("_total")))
    throw new Error(`alien: ${line}`);
  const key = labels === "" ? name : `${name}{${readLabels(labels).join(",")}}`;
  if (family.samples.has(key)) throw new Error(`twice: ${line}`);
  family.samples.set(key, Number(number));
}

function readLabels(text: string): string[] {
  const pairs: string[] = [];
  label.lastIndex = 0;
  for (let match = label.exec(text); match; match = label.exec(text)) {
    pairs.push(`${match[1]}="${match[2]}"`);
    if (match[3] === "") return pairs.sort();
  }
  throw new Error(`not labels: ${text}`);
}

/** Buckets rise, end with `+Inf`, and the last is the count. */
function checkHistogram({ name, samples }: Family): void {
  const buckets = [...samples].filter(([key]) => key.startsWith(`${name}_bucket`));
  const bounds = buckets.map(([key]) => /le="([^"]+)"/.exec(key)?.[1] ?? "");
  const numbers = bounds.map((bound) => (bound === "+Inf" ? Number.POSITIVE_INFINITY : Number(bound)));
  const rises = (values: readonly number[]) => values.every((value, at) => at === 0 || value >= (values[at - 1] ?? 0));
  const counts = buckets.map(([, count]) => count);
  if (bounds.at(-1) !== "+Inf" || !rises(numbers) || !rises(counts)) throw new Error(`not a histogram: ${name}`);
  if (counts.at(-1) !== samples.get(`${name}_count`) || !samples.has(`${name}_sum`)) throw new Error(`uneven: ${name}`);
}

/** Of all families. */
export function samplesOf(text: string): Map<string, number> {
  return new Map([...parseMetrics(text).values()].flatMap(({ samples }) => [...samples]));
}
