/** Accuracy, out-of-scope recall, privilege error and time of one classifier on one set. */
import { quantile } from "../report/statistics.ts";
import type { Contender, Guess } from "./classifier.ts";
import type { DataSet } from "./data-sets.ts";
import { misspelt } from "./misspell.ts";

export interface Figures {
  readonly contender: string;
  readonly accuracy: number;
  /** With one misspelt word in each text. */
  readonly misspelt: number;
  /** Share of texts outside that are refused where so many of those inside are: at 5 %, at 10 %. */
  readonly outside?: readonly [number, number];
  /** Share of the texts inside whose guess is wrong and passes the threshold that refuses 5 % of them. */
  readonly privilege: number;
  readonly p50: number;
  readonly p99: number;
  readonly bytes?: number;
  /** Largest share of the texts inside that any threshold selects with at most `wrongAtMost` of all that it selects wrong. */
  readonly selectable: number;
  /** Share of the texts inside that the classifier's own threshold selects, and how much of all that it selects is wrong. */
  readonly select?: readonly [share: number, wrong: number];
  /** CPU seconds of training. */
  readonly training: number;
}

const misspellingSeed = 7;
const warmUp = 2000;
const wrongAtMost = 0.02;
/** Of each text the best of so many counts: the classifier's own time, not that of others on the machine. */
const repeats = 5;

export function measure(contender: Contender, data: DataSet, size: "5" | "10" | "all"): Figures {
  const before = process.cpuUsage();
  const { guess, bytes, selectAt } = contender.train(data.train[size]);
  const used = process.cpuUsage(before);
  for (let i = 0; i < warmUp; i++) guess(data.held[i % data.held.length]?.[0] ?? "");
  const times: number[] = [];
  const guesses = data.held.map(([text]) => {
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < repeats; i++) {
      const start = performance.now();
      guess(text);
      best = Math.min(best, performance.now() - start);
    }
    times.push(best * 1000);
    return guess(text);
  });
  const mistyped = misspelt(
    data.held.map(([text]) => text),
    misspellingSeed,
  );
  const sure = (found: Guess | undefined) => found?.sure ?? Number.NEGATIVE_INFINITY;
  const inside = guesses.map(sure);
  const outside = data.outside.map((text) => sure(guess(text)));
  const at = (share: number) => [...inside].sort((a, b) => a - b)[Math.floor(share * inside.length)] ?? 0;
  const refused = (share: number) => outside.filter((value) => value < at(share)).length / outside.length;
  const right = (i: number) => guesses[i]?.intent === data.held[i]?.[1];
  const shareOf = (test: (i: number) => boolean) => inside.filter((_, i) => test(i)).length / inside.length;
  const judged = [
    ...inside.map((value, i): Judged => ({ sure: value, inside: true, right: right(i) })),
    ...outside.map((value): Judged => ({ sure: value, inside: false, right: false })),
  ];
  return {
    contender: contender.name,
    accuracy: shareOf(right),
    misspelt: shareOf((i) => guess(mistyped[i] ?? "")?.intent === data.held[i]?.[1]),
    outside: outside.length > 0 ? [refused(0.05), refused(0.1)] : undefined,
    privilege: shareOf((i) => !right(i) && (inside[i] ?? 0) >= at(0.05)),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    bytes,
    selectable: selectableOf(judged),
    select: selectAt === undefined ? undefined : selectedAt(judged, selectAt),
    training: (used.user + used.system) / 1e6,
  };
}

interface Judged {
  readonly sure: number;
  readonly inside: boolean;
  readonly right: boolean;
}

function selectedAt(judged: readonly Judged[], threshold: number): readonly [share: number, wrong: number] {
  const selected = judged.filter(({ sure }) => sure >= threshold);
  const share = selected.filter(({ inside }) => inside).length / judged.filter(({ inside }) => inside).length;
  return [share, selected.filter(({ right }) => !right).length / Math.max(1, selected.length)];
}

function selectableOf(judged: readonly Judged[]): number {
  const sorted = [...judged].sort((one, other) => other.sure - one.sure);
  const all = judged.filter(({ inside }) => inside).length;
  let [best, wrong, found] = [0, 0, 0];
  sorted.forEach(({ sure, inside, right }, i) => {
    if (!right) wrong += 1;
    if (inside) found += 1;
    // Equal confidences are selected together.
    if (sorted[i + 1]?.sure !== sure && wrong <= wrongAtMost * (i + 1)) best = found / all;
  });
  return best;
}
