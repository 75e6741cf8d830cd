/** The goals with ten examples an intent, and whether they are met. Pure. */
import type { Figures } from "./measure.ts";

interface Goal {
  readonly what: string;
  readonly value: number | undefined;
  readonly limit: number;
  readonly atLeast: boolean;
}

export function describeGoals(clinc: Figures, banking: Figures, shippedGzipped: number): string {
  const goals: readonly Goal[] = [
    { what: "CLINC150 accuracy %", value: 100 * clinc.accuracy, limit: 85, atLeast: true },
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
    { what: "training CPU s, 150 intents", value: clinc.training, limit: 5, atLeast: false },
    { what: "shipped MB, gzipped", value: shippedGzipped / 1e6, limit: 3, atLeast: false },
  ];
  return goals
    .map(({ what, value = Number.NaN, limit, atLeast }) => {
      const met = atLeast ? value >= limit : value <= limit;
      return `  ${met ? "met   " : "NOT MET"} ${what}: ${value.toFixed(1)} (${atLeast ? "at least" : "at most"} ${limit})`;
    })
    .join("\n");
}
