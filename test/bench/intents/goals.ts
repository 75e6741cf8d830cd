/** The goals with ten examples an intent, and whether they are met. Pure. */
import type { Figures } from "./measure.ts";
import type { Times } from "./times.ts";

interface Goal {
  readonly what: string;
  readonly value: number | undefined;
  readonly limit: number;
  readonly atLeast: boolean;
}

/** With ten examples an intent; in `clinc` the intents have their names. */
export interface Measured {
  readonly clinc: Figures;
  readonly banking: Figures;
  readonly shippedGzipped: number;
  readonly times: Times;
}

export function describeGoals({ clinc, banking, shippedGzipped, times }: Measured): string {
  const goals: readonly Goal[] = [
    { what: "CLINC150 accuracy %", value: 100 * clinc.accuracy, limit: 87, atLeast: true },
    { what: "CLINC150 accuracy %, one misspelt word", value: 100 * clinc.misspelt, limit: 84, atLeast: true },
    {
      what: "out-of-scope recall % at 5 % false rejection",
      value: 100 * (clinc.outside?.[0] ?? 0),
      limit: 68,
      atLeast: true,
    },
    { what: "out-of-scope recall % at 10 %", value: 100 * (clinc.outside?.[1] ?? 0), limit: 80, atLeast: true },
    { what: "CLINC150 selected % at 2 % wrong", value: 100 * clinc.selectable, limit: 45, atLeast: true },
    { what: "CLINC150 wrong % of what is selected", value: 100 * (clinc.select?.[1] ?? 0), limit: 2, atLeast: false },
    { what: "BANKING77 accuracy %", value: 100 * banking.accuracy, limit: 77, atLeast: true },
    { what: "p50 µs, 150 intents", value: clinc.p50, limit: 60, atLeast: false },
    { what: "p99 µs, 150 intents", value: clinc.p99, limit: 250, atLeast: false },
    { what: "p50 µs, a word to correct", value: times.corrected, limit: 200, atLeast: false },
    { what: "p50 µs, words to translate", value: times.translated, limit: 200, atLeast: false },
    { what: "ms to read a stored model of 150 intents", value: times.reading, limit: 8, atLeast: false },
    { what: "training CPU s, 150 intents", value: clinc.training, limit: 5, atLeast: false },
    { what: "training CPU s, 4,000 tools", value: times.manyTools, limit: 26, atLeast: false },
    { what: "shipped MB, gzipped", value: shippedGzipped / 1e6, limit: 3, atLeast: false },
  ];
  return goals
    .map(({ what, value = Number.NaN, limit, atLeast }) => {
      const met = atLeast ? value >= limit : value <= limit;
      return `  ${met ? "met   " : "NOT MET"} ${what}: ${value.toFixed(1)} (${atLeast ? "at least" : "at most"} ${limit})`;
    })
    .join("\n");
}
