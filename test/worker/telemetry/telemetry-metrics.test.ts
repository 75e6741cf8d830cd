import { createExecutionContext, env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { createApp } from "../../../src/app.ts";
import { createDeps } from "../../../src/create-deps.ts";
import type { AppEnv } from "../../../src/http/app-env.ts";
import { watchRequests } from "../../../src/http/middleware/watch-requests.ts";
import { parseAuditKeys } from "../../../src/stores/audit/audit-keys.ts";
import { appendRecord } from "../../../src/stores/guard/outbox/record-chain.ts";
import { noteOwner } from "../../../src/stores/guard/transaction.ts";
import type { UserGuard } from "../../../src/stores/objects/user-guard.ts";
import { approvalRecord, planRecord, runRecord, turnRecord } from "../../stores/audit/records.ts";
import { parseMetrics, samplesOf } from "../../support/metrics-text.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { runInGuard } from "../support/run-in-guard.ts";
import { ask, call, says, user } from "../support/script.ts";
import { captureLog } from "./capture-log.ts";

const variables = { METRICS: "1", METRICS_INTERVAL: "0s" };
const tools = [tool("read_file"), tool("rm")];
const policy = {
  handshake: { select: "off" },
  tools: { read_file: { category: "read_only" }, rm: { roles: ["admin"] } },
};
const messages = [user("go")];
const parsed = parseAuditKeys(env.AUDIT_KEY ?? "");
if (!parsed.ok) throw new Error(parsed.error);
const keys = parsed.value;

/** The test's objects have their own variables: METRICS is not among them. */
function withMetrics(object: UserGuard): void {
  const { context } = object as unknown as { context: { alarm: { reports: { host: { readonly env: object } } } } };
  const { reports } = context.alarm;
  reports.host = { ...reports.host, env: { ...reports.host.env, ...variables } };
}

const hub = () => env.METRICS_HUB.get(env.METRICS_HUB.idFromName("hub"));

async function scrape(gate: Gateway, accept?: string): Promise<Response> {
  const headers: Record<string, string> = accept === undefined ? {} : { accept };
  return gate.fetch("/metrics", { key: await gate.operatorKey(), headers });
}

/** By how much each sample rose, to the microsecond: the hub is one for all tests, and seconds add up with a remainder. */
async function risen(gate: Gateway, act: () => Promise<unknown>): Promise<Map<string, number>> {
  const before = samplesOf(await (await scrape(gate)).text());
  await act();
  await gate.settle();
  const after = samplesOf(await (await scrape(gate)).text());
  return new Map(
    [...after]
      .map(([name, value]) => [name, Math.round((value - (before.get(name) ?? 0)) * 1e6) / 1e6] as const)
      .filter(([, by]) => by !== 0),
  );
}

describe("GET /metrics", () => {
  it("is not there unless METRICS is set", async () => {
    const gate = await gateway();
    expect((await scrape(gate)).status).toBe(404);
  });

  it("is for operators alone", async () => {
    const gate = await gateway({ variables });
    expect((await gate.fetch("/metrics")).status).toBe(403);
    // It tells of all tenants.
    expect((await gate.fetch("/metrics", { key: await gate.keyFor("root", "admin") })).status).toBe(403);
    expect((await gate.fetch("/metrics", { key: "tg_unknown" })).status).toBe(401);
  });

  it("says where the counts cannot be read, and is no failure of the gateway's", async () => {
    const log = captureLog();
    const gate = await gateway();
    const render = () => Promise.reject(new Error("the object is overloaded"));
    const deps = createDeps({ ...env, ...variables });
    const app = createApp({ ...deps, metricsHub: () => ({ add: async () => {}, render }) });
    const headers = { authorization: `Bearer ${await gate.operatorKey()}` };
    const ctx = createExecutionContext();
    const answer = await app.fetch(new Request("https://gateway.test/metrics", { headers }), env, ctx);
    expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: "metrics_unavailable" } }]);
    expect(log.lines("metrics_unreadable")).toMatchObject([{ message: "the object is overloaded" }]);
  });

  it("is Prometheus' text, or OpenMetrics where that is asked for", async () => {
    const gate = await gateway({ variables });
    const plain = await scrape(gate);
    expect(plain.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(parseMetrics(await plain.text()).has("toolgate_turns_total")).toBe(true);
    const open = await scrape(gate, "application/openmetrics-text;version=1.0.0,text/plain;q=0.5");
    expect(open.headers.get("content-type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
    expect(parseMetrics(await open.text(), { openMetrics: true }).has("toolgate_turns")).toBe(true);
  });
});

describe("what is counted", () => {
  it("of a turn: its end, steps, decisions, tools, tokens and times", async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2 };
    const gate = await gateway({
      policy,
      variables,
      upstream: [
        says({ calls: [call("x", "rm")], usage }),
        says({ calls: [call("r", "read_file"), call("y", "rm")], usage }),
      ],
    });
    const rose = await risen(gate, () => ask(gate, { messages, tools }));
    const expected = {
      'toolgate_turns_total{stop_reason="completed"}': 1,
      'toolgate_requests_total{route="/v1/chat/completions",status="200"}': 1,
      'toolgate_decisions_total{effect="allow"}': 1,
      'toolgate_decisions_total{effect="deny"}': 2,
      'toolgate_decision_reasons_total{effect="deny",reason="role_forbids"}': 2,
      toolgate_turn_steps_count: 1,
      toolgate_turn_steps_sum: 2,
      'toolgate_turn_steps_bucket{le="2.0"}': 1,
      toolgate_tools_offered_total: 1,
      toolgate_tools_withheld_total: 1,
      toolgate_tokens_input_total: 10,
      toolgate_tokens_output_total: 4,
      toolgate_upstream_head_seconds_count: 2,
      toolgate_first_word_seconds_count: 1,
      toolgate_turn_duration_seconds_count: 1,
      toolgate_gateway_overhead_seconds_count: 1,
    };
    expect(Object.fromEntries(rose)).toMatchObject(expected);
    expect(rose.get('toolgate_turn_steps_bucket{le="1.0"}')).toBeUndefined();
    expect(rose.get("toolgate_tokens_saved_total")).toBeGreaterThan(0);
    expect(rose.get("toolgate_tokens_added_total")).toBeUndefined();
    const total = rose.get("toolgate_turn_duration_seconds_sum") ?? 0;
    expect(rose.get("toolgate_gateway_overhead_seconds_sum") ?? 0).toBeLessThanOrEqual(total);
  });

  it("of upstreams that fail: the class of status, or that the stream was broken", async () => {
    const broken = new Response("data: {", { headers: { "content-type": "text/event-stream" } });
    const gate = await gateway({
      policy,
      variables,
      upstream: [
        () => Response.json({ error: { message: "no" } }, { status: 404 }),
        () => Response.json({ error: { message: "no" } }, { status: 503 }),
        () => broken,
      ],
    });
    const rose = await risen(gate, async () => {
      for (const stream of [false, false, true]) await ask(gate, { messages, stream });
    });
    expect(Object.fromEntries(rose)).toMatchObject({
      'toolgate_upstream_errors_total{class="4xx"}': 1,
      'toolgate_upstream_errors_total{class="5xx"}': 1,
      'toolgate_upstream_errors_total{class="stream"}': 1,
      'toolgate_upstream_attempts_total{outcome="4xx",upstream="1"}': 1,
      'toolgate_upstream_attempts_total{outcome="5xx",upstream="1"}': 1,
      'toolgate_turns_total{stop_reason="upstream_error"}': 3,
    });
  });

  it("of names: none that a client or a user chose", async () => {
    const gate = await gateway({ variables, policy, upstream: says({ calls: [call("c", "hunter2")] }) });
    await ask(gate, { messages, tools: [tool("hunter2")], model: "hunter2" }, { "x-toolgate-session": "hunter2" });
    await gate.fetch("/hunter2");
    await gate.fetch("/v1/sessions/hunter2");
    await gate.settle();
    const text = await (await scrape(gate)).text();
    const values = [...text.matchAll(/="([^"]*)"/g)].map(([, value]) => value);
    expect(values.filter((value) => /hunter2|tenant-|^ada$/.test(value ?? ""))).toEqual([]);
    expect(text).toContain('{route="none",status="404"}');
    expect(text).toContain(`{route="/v1/sessions/:id",status="200"}`);
  });

  it("of audit records: those delivered, and attempts that failed", async () => {
    captureLog();
    const gate = await gateway({ policy, variables, upstream: says({ calls: [call("c", "read_file")] }) });
    await ask(gate, { messages, tools });
    await gate.settle();
    const deliver = () =>
      runInDurableObject(gate.stub, async (object) => {
        withMetrics(object);
        await object.alarm();
      });
    const failed = await risen(gate, async () => {
      await env.AUDIT_DB.exec("ALTER TABLE turns RENAME TO turns_away");
      await deliver().finally(() => env.AUDIT_DB.exec("ALTER TABLE turns_away RENAME TO turns"));
    });
    expect(failed.get("toolgate_audit_deliveries_failed_total")).toBe(1);
    expect(failed.get("toolgate_audit_records_delivered_total")).toBeUndefined();
    expect(failed.get("toolgate_audit_database_full_total")).toBeUndefined();
    expect(failed.get("toolgate_audit_lag_seconds_count")).toBe(1);
    const delivered = await risen(gate, deliver);
    expect(delivered.get("toolgate_audit_records_delivered_total")).toBe(2);
    expect(delivered.get("toolgate_audit_lag_seconds_count")).toBe(1);
  });

  it("of approvals, runs, plans and both arms: what came of them, and how the person was asked or the tool was run", async () => {
    const gate = await gateway({ policy, variables, upstream: says({ text: "ok" }) });
    const { tenant } = gate;
    const approved = (["asked", "asked", "edited", "denied"] as const).map((event, n) =>
      approvalRecord({ tenant, event, channel: n === 3 ? "inline" : "hold", reason: "hunter2" }),
    );
    const ran = [
      runRecord({ tenant, ms: 30, detail: "hunter2", tool: "hunter2", target: "hunter2" }),
      runRecord({ tenant, ms: 40 }),
      runRecord({ tenant, ms: 20_000, status: "unknown", failure: "timeout", executor: "mcp" }),
      // Given up by the ledger, and never sent: these have no duration.
      runRecord({ tenant, ms: 90_000, status: "unknown", executor: "mcp" }),
      runRecord({ tenant, ms: 0, status: "not_started", failure: "secret_unbound" }),
    ];
    const planned = (["generated", "planning_error", "generated"] as const).map((event) =>
      planRecord({ tenant, event }),
    );
    const note = { outcome: "ran", tool: "hunter2", missing: ["hunter2"] } as const;
    const tried = [
      turnRecord({ tenant, arm: "system_first", systemFirst: note, steps: 1 }),
      turnRecord({ tenant, arm: "system_first", systemFirst: { ...note, outcome: "left" }, steps: 2 }),
      turnRecord({ tenant, arm: "llm_first", steps: 2 }),
      turnRecord({ tenant, steps: 9 }),
    ];
    const records = [...approved, ...ran, ...planned, ...tried];
    const rose = await risen(gate, () =>
      runInGuard(gate.stub, async (object, { storage }) => {
        noteOwner(storage.sql, { tenant, user: "ada" });
        for (const record of records) appendRecord({ sql: storage.sql, keys, now: Date.now() }, record);
        withMetrics(object);
        await object.alarm();
        await object.alarm();
      }),
    );
    const approvals = [...rose].filter(([name]) => name.startsWith("toolgate_approvals"));
    expect(Object.fromEntries(approvals)).toEqual({
      'toolgate_approvals_total{channel="hold",event="asked"}': 2,
      'toolgate_approvals_total{channel="hold",event="edited"}': 1,
      'toolgate_approvals_total{channel="inline",event="denied"}': 1,
    });
    const runs = [...rose].filter(([name]) =>
      /^toolgate_run(s|_failures)_|_run_duration_seconds_(sum|count)/.test(name),
    );
    expect(Object.fromEntries(runs)).toEqual({
      'toolgate_runs_total{kind="http",status="succeeded"}': 2,
      'toolgate_runs_total{kind="mcp",status="unknown"}': 2,
      'toolgate_runs_total{kind="http",status="not_started"}': 1,
      'toolgate_run_failures_total{failure="timeout",kind="mcp"}': 1,
      'toolgate_run_failures_total{failure="secret_unbound",kind="http"}': 1,
      toolgate_run_duration_seconds_sum: 20.07,
      toolgate_run_duration_seconds_count: 3,
    });
    const arms = [...rose].filter(([name]) => /^toolgate_(arm_|system_first|plans)/.test(name));
    expect(Object.fromEntries(arms)).toEqual({
      'toolgate_arm_turns_total{arm="llm_first"}': 1,
      'toolgate_arm_turns_total{arm="system_first"}': 2,
      'toolgate_arm_steps_total{arm="llm_first"}': 2,
      'toolgate_arm_steps_total{arm="system_first"}': 3,
      'toolgate_system_first_total{outcome="left"}': 1,
      'toolgate_system_first_total{outcome="ran"}': 1,
      'toolgate_plans_total{event="generated"}': 2,
      'toolgate_plans_total{event="planning_error"}': 1,
    });
    expect(await (await scrape(gate)).text()).not.toContain("hunter2");
  });

  it("of requests that the gateway's own limit refuses, not those that an upstream's does", async () => {
    const app = new Hono<AppEnv>();
    app.use(watchRequests(createDeps({ ...env, ...variables })));
    app.use(async (c, next) => (c.req.path === "/ours" ? c.body(null, 429) : next()));
    app.on("GET", ["/ours", "/theirs"], (c) => c.body(null, 429));
    const gate = await gateway({ variables });
    const rose = await risen(gate, async () => {
      for (const path of ["/ours", "/theirs"]) await app.request(path, {}, env, createExecutionContext());
    });
    expect(rose.get("toolgate_requests_rate_limited_total")).toBe(1);
  });

  it("nothing where metrics are off", async () => {
    const on = await gateway({ variables });
    const off = await gateway({ policy, upstream: says({ text: "ok" }) });
    const rose = await risen(on, async () => {
      await ask(off, { messages });
      await off.settle();
    });
    expect([...rose.keys()].filter((name) => name.startsWith("toolgate_turns"))).toEqual([]);
  });
});

describe("the hub", () => {
  const total = async () => samplesOf(await hub().render(false)).get("toolgate_policy_stale_total") ?? 0;
  const batch = (isolate: string, seq: number, by: number) => ({
    isolate,
    seq,
    increments: { toolgate_policy_stale: by },
  });

  it("sums the isolates, and counts a batch that is sent again once", async () => {
    const before = await total();
    await hub().add(batch("one", 1, 2));
    await hub().add(batch("two", 1, 3));
    await hub().add(batch("one", 1, 2));
    await hub().add(batch("one", 2, 5));
    await hub().add(batch("one", 1, 2));
    expect((await total()) - before).toBe(10);
  });

  it("keeps the sums, and what it has, when it starts anew", async () => {
    await hub().add(batch("three", 1, 4));
    const before = await total();
    await evictDurableObject(hub());
    expect(await total()).toBe(before);
    await hub().add(batch("three", 1, 4));
    expect(await total()).toBe(before);
  });

  it("that cannot be reached fails no reply; what was counted is sent later", async () => {
    const log = captureLog();
    const add = {
      METRICS_HUB: { idFromName: () => "hub", get: () => ({ add: async () => Promise.reject(new Error("down")) }) },
    };
    const cut = await gateway({
      policy,
      upstream: says({ text: "ok" }),
      variables: { ...variables, ...(add as object) },
    });
    const whole = await gateway({ variables });
    const rose = await risen(whole, async () => {
      expect((await ask(cut, { messages })).text).toBe("ok");
      await cut.settle();
    });
    expect(log.lines("metrics_flush_failed")).toMatchObject([{ level: "warn", message: "down" }]);
    expect(rose.get('toolgate_turns_total{stop_reason="completed"}')).toBe(1);
  });
});
