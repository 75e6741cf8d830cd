/** What it costs to trace the values of a call through a conversation of 100 KB. */
import { type SourceText, sourcesOf } from "../../../src/policy/origin/sources/sources.ts";

const BYTES = 100_000;
const RESULTS = 10;

/** Half of it trusted by field, as JSON; the rest text of others. */
function conversation(seed: number): readonly SourceText[] {
  const results = Array.from({ length: RESULTS }, (_, index): SourceText => {
    const record = (at: number) => ({
      id: `r${seed}-${index}-${at}`,
      title: `Meeting ${at} of the team`,
      to: `p${at}@corp.example`,
    });
    const records = Array.from({ length: Math.floor(BYTES / RESULTS / 85) }, (_, at) => record(at));
    const text =
      index % 2 === 0
        ? JSON.stringify(records)
        : records
            .map(({ title, to }) => `${title}, ask ${to}.`)
            .join(" ")
            .padEnd(BYTES / RESULTS, " and so on");
    return {
      kind: "result",
      tool: "read",
      callId: `${index}`,
      text,
      trust: { whole: false, fields: index % 2 === 0 ? ["/id"] : [] },
    };
  });
  return [{ kind: "user", text: `mail the plan ${seed} to ann@corp.example and bob@corp.example` }, ...results];
}

const values = ["ann@corp.example", "r0-2-17", "eve@evil.example"];
const RUNS = 40;

export interface Cost {
  /** Milliseconds, the median: all messages read for the first time, and with one new message. */
  readonly first: number;
  readonly next: number;
}

export function measureCost(): Cost {
  const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const timed = (texts: readonly SourceText[]) => {
    const began = performance.now();
    const sources = sourcesOf(texts);
    for (const value of values) sources.originOf(value);
    return performance.now() - began;
  };
  const first: number[] = [];
  const next: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const texts = conversation(run);
    first.push(timed(texts));
    next.push(timed([...texts, { kind: "user", text: `and also to carl${run}@corp.example` }]));
  }
  return { first: median(first), next: median(next) };
}
