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
  /** Of a calibrated classifier: share of texts with a confidence of at least 0.9, and the share of those that is wrong. */
  readonly select?: readonly [share: number, wrong: number];
  /** CPU seconds of training. */
  readonly training: number;
}

const misspellingSeed = 7;
const warmUp = 2000;
/** Where the gateway selects an intent by itself, by default. */
const selectAt = 0.9;
/** Of each text the best of so many counts: the classifier's own time, not that of others on the machine. */
const repeats = 5;

export function measure(contender: Contender, data: DataSet, size: "5" | "10" | "all"): Figures {
  const before = process.cpuUsage();
  const { guess, bytes, calibrated } = contender.train(data.train[size]);
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
  const selects = (i: number) => (inside[i] ?? 0) >= selectAt;
  const selected = shareOf(selects);
  const wrong = shareOf((i) => selects(i) && !right(i)) / selected;
  return {
    contender: contender.name,
    accuracy: shareOf(right),
    misspelt: shareOf((i) => guess(mistyped[i] ?? "")?.intent === data.held[i]?.[1]),
    outside: outside.length > 0 ? [refused(0.05), refused(0.1)] : undefined,
    privilege: shareOf((i) => !right(i) && (inside[i] ?? 0) >= at(0.05)),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    bytes,
    select: calibrated ? [selected, wrong] : undefined,
    training: (used.user + used.system) / 1e6,
  };
}
