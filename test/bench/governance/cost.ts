/** What it costs to trace the values of a call through a conversation of 100 KB. */
import { type SourceText, sourcesOf } from "../../../src/policy/origin/sources/sources.ts";
import { plainTable, show } from "../report/table.ts";

const BYTES = 100_000;
const MESSAGES = 10;

const sentence = (at: number, seed: number) =>
  `On ${(at % 28) + 1} May we meet at 10:30, so ask p${at}.${seed}@corp.example for the ${at} pages and Peter's €${1000 + at}. `;

const prose = (seed: number) =>
  Array.from({ length: BYTES / MESSAGES / 90 }, (_, at) => sentence(at, seed))
    .join("")
    .slice(0, BYTES / MESSAGES);

function records(seed: number): string {
  const record = (at: number) => ({
    id: `r${seed}-${at}`,
    title: `Meeting ${at} of the team`,
    to: `p${at}@corp.example`,
    start: `2026-05-${(at % 28) + 1}T10:30`,
    price: at + 0.5,
  });
  return JSON.stringify(Array.from({ length: BYTES / MESSAGES / 110 }, (_, at) => record(at)));
}

const result = (text: string, at: number, fields: readonly string[], whole = false): SourceText => ({
  kind: "result",
  tool: "read",
  callId: `${at}`,
  text,
  trust: { whole, fields },
});

const fromUser = (text: string): SourceText => ({ kind: "user", text });
const order = (seed: number): SourceText => fromUser(`mail the plan ${seed} to ann@corp.example and bob@corp.example`);

/** By name, the messages of a conversation; no two seeds share one. */
const conversations: Readonly<Record<string, (seed: number) => readonly SourceText[]>> = {
  "text of others": (seed) => [order(seed), ...each((at) => result(prose(seed + at), at, []))],
  "records, trusted by field": (seed) => [order(seed), ...each((at) => result(records(seed + at), at, ["/id"]))],
  "text of a trusted tool": (seed) => [order(seed), ...each((at) => result(prose(seed + at), at, [], true))],
  "the user's own words": (seed) => [order(seed), ...each((at) => fromUser(prose(seed + at)))],
};

const each = (make: (at: number) => SourceText): readonly SourceText[] =>
  Array.from({ length: MESSAGES }, (_, at) => make(at));

const values = ["ann@corp.example", "eve@evil.example", 1250, "2026-12-24"];
const RUNS = 40;

/** Milliseconds, the median: all messages read for the first time, and with one new message. */
export function describeCost(): string {
  const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const timed = (written: readonly SourceText[]) => {
    // Each request brings its texts anew: V8 keeps the hash of one that it has seen.
    const texts = JSON.parse(JSON.stringify(written)) as SourceText[];
    const began = performance.now();
    const sources = sourcesOf(texts, { year: 2026 });
    for (const value of values) if (sources.originOf(value) === undefined) sources.whereFrom(value);
    return performance.now() - began;
  };
  const rows = Object.entries(conversations).map(([name, make]) => {
    const times = Array.from({ length: RUNS }, (_, run) => {
      const texts = make(run * 100);
      const first = timed(texts);
      return { first, next: timed([...texts, fromUser(`and also to carl${run}@corp.example`)]) };
    });
    return [name, show(median(times.map(({ next }) => next)), 2), show(median(times.map(({ first }) => first)), 2)];
  });
  const head = [`${values.length} values traced through 100 KB, ms`, "with one new message (goal 1)", "at first"];
  return plainTable([head, ...rows]);
}
