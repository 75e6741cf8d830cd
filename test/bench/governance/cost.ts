/** What it costs to trace the values of a call through a conversation of 100 KB, as it comes with a request. */
import type { JsonObject } from "../../../src/lib/json/json-value.ts";
import { sourcesOf } from "../../../src/policy/origin/sources/sources.ts";
import { lookUpTainted, NOTHING_TAINTED } from "../../../src/policy/origin/sources/tainted-values.ts";
import { resultTexts, userTexts } from "../../../src/turn/step/call-sources.ts";
import { policyOf } from "../../support/policy.ts";
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

const tools = { read_mail: {}, list_meetings: { trusted: ["/id"] }, read_handbook: { trusted: true } };

const compiled = () => policyOf({ tools });

const fromUser = (content: string): JsonObject => ({ role: "user", content });
const order = (seed: number) => fromUser(`mail the plan ${seed} to ann@corp.example and bob@corp.example`);

const result = (name: keyof typeof tools, at: number, content: string): readonly JsonObject[] => [
  { role: "assistant", tool_calls: [{ id: `c${at}`, type: "function", function: { name, arguments: "{}" } }] },
  { role: "tool", tool_call_id: `c${at}`, content },
];

const each = (make: (at: number) => JsonObject | readonly JsonObject[]): readonly JsonObject[] =>
  Array.from({ length: MESSAGES }, (_, at) => make(at)).flat() as readonly JsonObject[];

/** By name, the messages of a conversation; no two seeds share one. */
const conversations: Readonly<Record<string, (seed: number) => readonly JsonObject[]>> = {
  "text of others": (seed) => [order(seed), ...each((at) => result("read_mail", at, prose(seed + at)))],
  "records, trusted by field": (seed) => [
    order(seed),
    ...each((at) => result("list_meetings", at, records(seed + at))),
  ],
  "text of a trusted tool": (seed) => [order(seed), ...each((at) => result("read_handbook", at, prose(seed + at)))],
  "the user's own words": (seed) => [order(seed), ...each((at) => fromUser(prose(seed + at)))],
};

const values = ["ann@corp.example", "eve@evil.example", 1250, "2026-12-24"];
const RUNS = 40;

/** Milliseconds, the median: all messages read for the first time, and with one new message. */
export function describeCost(): string {
  const policy = compiled();
  const settings = { policy, stored: lookUpTainted(NOTHING_TAINTED), isOwn: false };
  const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const timed = (written: readonly JsonObject[]) => {
    // Each request brings its texts anew: V8 keeps the hash of one that it has seen.
    const messages = JSON.parse(JSON.stringify(written)) as JsonObject[];
    const began = performance.now();
    const texts = [...userTexts(policy, messages), ...resultTexts(settings, messages)];
    const sources = sourcesOf(texts, { now: Date.UTC(2026, 10, 1) });
    for (const value of values) if (sources.originOf(value) === undefined) sources.whereFrom(value);
    return performance.now() - began;
  };
  const rows = Object.entries(conversations).map(([name, make]) => {
    const times = Array.from({ length: RUNS }, (_, run) => {
      const messages = make(run * 100);
      const first = timed(messages);
      return { first, next: timed([...messages, fromUser(`and also to carl${run}@corp.example`)]) };
    });
    return [name, show(median(times.map(({ next }) => next)), 2), show(median(times.map(({ first }) => first)), 2)];
  });
  const head = [`${values.length} values traced through 100 KB, ms`, "with one new message (goal 1)", "at first"];
  return plainTable([head, ...rows]);
}
