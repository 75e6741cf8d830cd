/** Fits a linear model with softmax by AdaGrad. Deterministic: the order of the examples is a fixed shuffle. Pure. */
import type { Features } from "../../intent/wish/features.ts";
import { toProbabilities } from "../../intent/wish/linear-model.ts";

export interface Example {
  readonly features: Features;
  readonly label: number;
  readonly weight: number;
}

export interface Fitted {
  /** By key: one weight for each label. */
  readonly weights: ReadonlyMap<number, Float64Array>;
  readonly bias: Float64Array;
}

interface FitOptions {
  readonly labels: number;
  readonly epochs: number;
  readonly rate: number;
  /** Strength of the pull to zero. */
  readonly decay: number;
  /** Features in fewer examples are left out. */
  readonly least: number;
  /** Other features are left out. */
  readonly only?: ReadonlySet<number>;
}

/** A number with the sum of its squared gradients, by which AdaGrad makes smaller steps. */
interface Parameter {
  readonly value: Float64Array;
  readonly squares: Float64Array;
  /** The sum of the values at the end of each epoch: their mean generalises better than the last. */
  readonly mean: Float64Array;
}

const parameters = (count: number): Parameter => ({
  value: new Float64Array(count),
  squares: new Float64Array(count).fill(1e-8),
  mean: new Float64Array(count),
});

interface Row {
  readonly columns: readonly Parameter[];
  readonly values: readonly number[];
  readonly label: number;
  readonly weight: number;
}

/** @param seed of the order of the examples; not zero. */
export function fitLinear(examples: readonly Example[], options: FitOptions, seed = 1): Fitted {
  const { labels, epochs } = options;
  const columns = new Map(featuresOf(examples, options).map((key) => [key, parameters(labels)]));
  const rows = examples.map((example) => rowOf(example, columns));
  const bias = parameters(labels);
  for (let epoch = 0, random = seed; epoch < epochs; epoch += 1) {
    random = shuffle(rows, random);
    for (const row of rows) learn(row, bias, options);
    for (const one of [bias, ...columns.values()]) addToMean(one);
  }
  return {
    weights: new Map([...columns].map(([key, { mean }]) => [key, mean.map((sum) => sum / epochs)])),
    bias: bias.mean.map((sum) => sum / epochs),
  };
}

/** Several orders, because with one order the number of detected refusals (of 140) varies by up to seven. */
const SEEDS = [1, 2, 3];

/** Fits again with only the `size` features of the largest weights, and takes the mean over several orders of the examples. */
export function fitSmall(
  examples: readonly Example[],
  { size, ...options }: FitOptions & { readonly size: number },
): Fitted {
  const counts = countFeatures(examples);
  const strength = ([key, row]: readonly [number, Float64Array]) =>
    Math.sqrt(counts.get(key) ?? 0) * row.reduce((sum, weight) => sum + Math.abs(weight), 0);
  const all = [...fitLinear(examples, options).weights].map((entry) => [entry[0], strength(entry)] as const);
  const kept = all.sort(([, one], [, other]) => other - one).slice(0, size);
  const only = new Set(kept.map(([key]) => key));
  return meanOf(SEEDS.map((seed) => fitLinear(examples, { ...options, only }, seed)));
}

function meanOf(fits: readonly Fitted[]): Fitted {
  const mean = (rows: readonly Float64Array[]) =>
    Float64Array.from(rows[0] ?? [], (_, c) => rows.reduce((sum, row) => sum + num(row, c), 0) / rows.length);
  const keys = [...(fits[0]?.weights.keys() ?? [])];
  return {
    weights: new Map(keys.map((key) => [key, mean(fits.map(({ weights }) => weights.get(key) as Float64Array))])),
    bias: mean(fits.map(({ bias }) => bias)),
  };
}

function rowOf({ features, label, weight }: Example, columns: ReadonlyMap<number, Parameter>): Row {
  const row: { columns: Parameter[]; values: number[] } = { columns: [], values: [] };
  features.keys.forEach((key, i) => {
    const column = columns.get(key);
    if (column === undefined) return;
    row.columns.push(column);
    row.values.push(features.values[i] ?? 0);
  });
  return { ...row, label, weight };
}

function learn({ columns, values, label, weight }: Row, bias: Parameter, { labels, rate, decay }: FitOptions): void {
  const scores = Float64Array.from(bias.value);
  columns.forEach(({ value }, i) => {
    for (let c = 0; c < labels; c += 1) scores[c] = num(scores, c) + num(value, c) * num(values, i);
  });
  const probabilities = toProbabilities(scores);
  for (let c = 0; c < labels; c += 1) {
    const error = (num(probabilities, c) - (c === label ? 1 : 0)) * weight;
    descend(bias, c, error, rate);
    columns.forEach((column, i) => {
      descend(column, c, error * num(values, i) + decay * num(column.value, c), rate);
    });
  }
}

function addToMean({ value, mean }: Parameter): void {
  for (let i = 0; i < value.length; i += 1) mean[i] = num(mean, i) + num(value, i);
}

function descend({ value, squares }: Parameter, at: number, gradient: number, rate: number): void {
  const sum = num(squares, at) + gradient * gradient;
  squares[at] = sum;
  value[at] = num(value, at) - (rate * gradient) / Math.sqrt(sum);
}

/** The index is always in range. */
const num = (list: ArrayLike<number>, at: number): number => list[at] as number;

/** Fisher–Yates with a linear congruential generator. @returns its next state. */
function shuffle(rows: Row[], random: number): number {
  let state = random;
  for (let i = rows.length - 1; i > 0; i -= 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = (state >>> 8) % (i + 1);
    [rows[i], rows[j]] = [rows[j] as Row, rows[i] as Row];
  }
  return state;
}

function featuresOf(examples: readonly Example[], { least, only }: FitOptions): readonly number[] {
  return [...countFeatures(examples)].flatMap(([key, count]) =>
    count >= least && (only === undefined || only.has(key)) ? [key] : [],
  );
}

/** Number of examples with each feature. */
function countFeatures(examples: readonly Example[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { features } of examples) {
    for (const key of new Set(features.keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
