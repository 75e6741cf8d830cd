/** What is told of a turn's managed calls: the log's line, timings, metrics and spans. */
import { beforeEach, expect, it } from "vitest";
import { countRequest } from "../../src/telemetry/metrics/count-request.ts";
import { createMeter } from "../../src/telemetry/metrics/meter.ts";
import type { RequestFacts } from "../../src/telemetry/request-facts.ts";
import { serverTiming, timingsOf } from "../../src/telemetry/request-timings.ts";
import { watchTurn } from "../../src/telemetry/request-watch.ts";
import { otlpTracing } from "../../src/telemetry/traces/otlp-tracing.ts";
import { turnLine } from "../../src/telemetry/turn-line.ts";
import type { RunEntry, RunOutcome } from "../../src/tools/run.ts";

const secret = "hunter2";
const entry = (kind: RunEntry["kind"], target: string): RunEntry => ({ kind, target, deadline: 9_000, trusted: false });
const outcome: RunOutcome = {
  status: "succeeded",
  failure: null,
  detail: secret,
  text: secret,
  result: secret,
  ms: 1,
  bytes: 7,
  cut: false,
  suspicious: [],
  httpStatus: 200,
  attempts: 2,
};
const timedOut: RunOutcome = { ...outcome, status: "unknown", failure: "timeout", httpStatus: null, attempts: 1 };
const unbound: RunOutcome = { ...timedOut, status: "not_started", failure: "secret_unbound", attempts: 0 };

let now = 0;
let facts: RequestFacts & { turn: NonNullable<RequestFacts["turn"]> };
let watch: ReturnType<typeof watchTurn>;
const at = (ms: number) => {
  now = ms;
  return watch;
};

beforeEach(() => {
  facts = { method: "POST", beganAt: 0, turn: { id: "turn_1", model: "m", steps: [], runs: [], holds: [] } };
  watch = watchTurn(
    facts,
    () => now,
    undefined,
    () => {},
  );
});

/** Two at once from 100 to 190, one that was never sent, and one of an earlier try from 300 to 340. */
function fourRuns(): void {
  at(100).runBegan({ id: "dec_1", tool: "find_customer", entry: entry("http", "crm.example.com") });
  watch.runBegan({ id: "dec_2", tool: "mcp__wiki__search", entry: entry("mcp", "wiki") });
  watch.runBegan({ id: "dec_3", tool: "post_note", entry: entry("http", "crm.example.com") });
  at(101).runEnded("dec_3", unbound);
  at(150).runEnded("dec_1", outcome);
  at(190).runEnded("dec_2", timedOut);
  at(300).runBegan({ id: "dec_0", tool: "note", entry: entry("builtin", "toolgate"), awaited: true });
  at(340).runEnded("dec_0", { ...outcome, httpStatus: null, attempts: 1 });
  at(400).replied(undefined);
  watch.ended({ kind: "stop", stopReason: "completed", finishReason: "stop", text: secret });
}

it("the line counts them, names those that were not done, and tells neither arguments nor results", () => {
  fourRuns();
  const line = turnLine(facts, facts.turn);
  expect(line.runs).toEqual({
    count: 4,
    awaited: 1,
    failed: 1,
    unknown: 1,
    ms: 50 + 90 + 1 + 40,
    undone: [
      { tool: "mcp__wiki__search", status: "unknown", failure: "timeout" },
      { tool: "post_note", status: "not_started", failure: "secret_unbound" },
    ],
  });
  expect(line.ms).toMatchObject({ tools: 130, total: 400 });
  expect(JSON.stringify(line)).not.toContain(secret);
});

it("a turn without any tells nothing of them", () => {
  at(5).replied(undefined);
  expect(JSON.stringify(turnLine(facts, facts.turn))).not.toMatch(/runs|tools/);
  expect(serverTiming(facts)).toBe("");
});

it("those at once are waited for once, those one after another each, and one that has no end not at all", () => {
  at(10).runBegan({ id: "a", tool: "a", entry: entry("http", "h") });
  at(20).runBegan({ id: "b", tool: "b", entry: entry("http", "h") });
  expect(timingsOf(facts).tools).toBeUndefined();
  at(30).runEnded("b", outcome);
  // What was told while the first still ran.
  expect(serverTiming(facts)).toBe("tools;dur=10");
  at(70).runEnded("a", outcome);
  at(90).runBegan({ id: "c", tool: "c", entry: entry("http", "h") });
  at(95).runEnded("c", undefined);
  at(99).runEnded("c", outcome);
  at(100).runBegan({ id: "d", tool: "d", entry: entry("http", "h") });
  watch.runEnded("nobody", outcome);
  expect([timingsOf(facts).tools, serverTiming(facts)]).toEqual([65, "tools;dur=65"]);
  // Without an outcome, or without an end, it is not known what came of it.
  expect(turnLine(facts, facts.turn).runs).toMatchObject({ count: 4, failed: 0, unknown: 2, ms: 10 + 60 + 5 });
});

it("their time is not the gateway's", async () => {
  fourRuns();
  const meter = createMeter("a");
  countRequest(meter, facts);
  let sent: Readonly<Record<string, number>> = {};
  await meter.flush({
    add: async ({ increments }) => {
      sent = increments;
    },
    render: async () => "",
  });
  expect(sent).toMatchObject({ toolgate_tools_seconds_sum: 0.13, 'toolgate_tools_seconds_bucket{le="0.25"}': 1 });
  expect(sent.toolgate_gateway_overhead_seconds_sum).toBeCloseTo(0.27);
  // How they ended is counted once, from their records.
  expect(Object.keys(sent).filter((name) => name.startsWith("toolgate_run"))).toEqual([]);
});

interface SentSpan {
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: number };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

it("each is a span: its tool, where it went and what came of it", async () => {
  let body = "";
  const collector = (async (_: RequestInfo, init?: RequestInit) => {
    body = new TextDecoder().decode(init?.body as Uint8Array<ArrayBuffer>);
    return new Response("{}");
  }) as typeof fetch;
  const settings = { url: "https://collector.test/v1/traces", headers: {}, serviceName: "gate", ratio: 1 };
  const trace = otlpTracing(settings, collector).begin(new Headers(), "POST", 0);
  fourRuns();
  at(420).runBegan({ id: "dec_9", tool: "slow", entry: entry("http", "h") });
  trace.end(facts);
  await trace.send();
  const { spans } = JSON.parse(body).resourceSpans[0].scopeSpans[0] as { spans: SentSpan[] };
  const told = spans.flatMap(({ name, kind, startTimeUnixNano, endTimeUnixNano, status, attributes }) => {
    if (!name.startsWith("execute_tool")) return [];
    const plain = attributes.map(({ key, value }) => [key, Object.values(value)[0]]);
    const times = [startTimeUnixNano, endTimeUnixNano].map((time) => Number(time) / 1e6);
    return [{ name, kind, times, status: status.code, ...Object.fromEntries(plain) }];
  });
  const common = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.type": "function" };
  expect(told.slice(0, 2)).toEqual([
    {
      ...common,
      name: "execute_tool find_customer",
      kind: 3,
      times: [100, 150],
      status: 0,
      "gen_ai.tool.name": "find_customer",
      "server.address": "crm.example.com",
      "http.response.status_code": 200,
      "toolgate.decision": "dec_1",
      "toolgate.run.kind": "http",
      "toolgate.run.target": "crm.example.com",
      "toolgate.run.status": "succeeded",
      "toolgate.run.attempts": 2,
    },
    {
      ...common,
      name: "execute_tool mcp__wiki__search",
      kind: 3,
      times: [100, 190],
      status: 2,
      "gen_ai.tool.name": "mcp__wiki__search",
      "error.type": "timeout",
      "toolgate.decision": "dec_2",
      "toolgate.run.kind": "mcp",
      "toolgate.run.target": "wiki",
      "toolgate.run.status": "unknown",
      "toolgate.run.attempts": 1,
    },
  ]);
  expect(told.slice(2)).toMatchObject([
    { name: "execute_tool post_note", status: 2, "toolgate.run.status": "not_started", "error.type": "secret_unbound" },
    { name: "execute_tool note", kind: 1, times: [300, 340], "toolgate.run.awaited": true },
    // Begun when the reply was over, and still under way.
    { name: "execute_tool slow", times: [420, 420], status: 0, "toolgate.run.status": "started" },
  ]);
  expect(body).not.toContain(secret);
});
