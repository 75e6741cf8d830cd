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
  { id: "open", workload: stream(50, 5), arrival: { perSecond: 40 } },
];

/** The wire formats beside each other: each list is measured as one, so that the same noise hits all of it. */
export const surfaceCases: readonly (readonly BenchCase[])[] = [5, 50, 200].map((words) => [
  closed(`surfaces-${words}/chat`, stream(words), 1),
  closed(`surfaces-${words}/responses`, surfaceStream("responses", words), 1),
  closed(`surfaces-${words}/responses-native`, surfaceStream("responses", words, "native"), 1),
  closed(`surfaces-${words}/ui`, surfaceStream("ui", words), 1),
]);

const PASS_ON: readonly ContenderName[] = ["bare", "counting", "toolgate"];

/** Who speaks the wire format of a case: the others serve chat completions alone. */
export const takesPart = (name: ContenderName, { surface }: Workload): boolean =>
  surface === "chat" || PASS_ON.includes(name);

export function describeArrival({ arrival }: BenchCase): string {
  if ("perSecond" in arrival) return `${arrival.perSecond} starts a second`;
  return arrival.concurrency === 1 ? "one at a time" : `${arrival.concurrency} at a time`;
}
