/** What is measured: which requests, and how they come. */
import type { ContenderName } from "./contender.ts";
import { json, stream, surfaceStream, toolsTurn, type Workload } from "./requests.ts";

export interface BenchCase {
  /** What `--only` picks by; names the case in the JSON. */
  readonly id: string;
  readonly workload: Workload;
  /** How many at a time, or how many are begun in a second whatever becomes of them. */
  readonly arrival: { readonly concurrency: number } | { readonly perSecond: number };
}

const closed = (id: string, workload: Workload, concurrency: number): BenchCase => ({
  id: `${id}/${concurrency}`,
  workload,
  arrival: { concurrency },
});

export const cases: readonly BenchCase[] = [
  ...[5, 50, 200, 500].flatMap((words) => [1, 16].map((count) => closed(`stream-${words}`, stream(words), count))),
  // The row that Portkey's gateway was once measured in: 191 a second on a machine of two cores.
  closed("stream-100", stream(100), 10),
  ...[1, 16].map((count) => closed("json", json(200), count)),
  ...[1, 16].map((count) => closed("tools", toolsTurn, count)),
  ...[5, 50, 200].flatMap((words) => [
    closed(`responses-${words}`, surfaceStream("responses", words), 1),
    closed(`ui-${words}`, surfaceStream("ui", words), 1),
  ]),
  closed("responses-native-50", surfaceStream("responses", 50, "native"), 1),
  { id: "open", workload: stream(50, 5), arrival: { perSecond: 40 } },
];

/** Who speaks the wire format of a case: the others serve chat completions alone. */
export const takesPart = (name: ContenderName, { surface }: Workload): boolean =>
  surface === "chat" || name === "bare" || name === "toolgate";

export function describeArrival({ arrival }: BenchCase): string {
  if ("perSecond" in arrival) return `${arrival.perSecond} starts a second`;
  return arrival.concurrency === 1 ? "one at a time" : `${arrival.concurrency} at a time`;
}
