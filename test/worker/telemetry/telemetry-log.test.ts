import { describe, expect, it } from "vitest";
import { type Gateway, type GatewayOptions, gateway, tool } from "../support/gateway.ts";
import { aborted, ask, call, says, selects, user } from "../support/script.ts";
import { captureLog, type LogLine } from "./capture-log.ts";

const tools = [tool("read_file"), tool("write_file"), tool("rm")];
const policy = {
  intents: { edit: { tools: ["write_file"] } },
  tools: {
    read_file: { category: "read_only" },
    write_file: { category: "note_taking", confirm: "auto" },
    rm: { roles: ["admin"] },
  },
  execution: { maxSteps: 3 },
};
const session = { "x-toolgate-session": "s" };
const messages = [user("go")];

interface Ended {
  readonly gate: Gateway;
  readonly line: LogLine;
}

/** Takes one turn, and gives its line. */
async function turnLine(options: GatewayOptions, body: Record<string, unknown> = {}): Promise<Ended> {
  const log = captureLog();
  const gate = await gateway({ policy, ...options });
  await ask(gate, { messages, tools, ...body }, session);
  await gate.settle();
  const [line, ...more] = log.lines("*");
  if (!line || more.length > 0) throw new Error(`not one line: ${log.text()}`);
  return { gate, line };
}

const refused = says({ calls: [call("c", "rm")] });

describe("the log's line for a turn", () => {
  it("tells who asked, what was offered and decided, and how long it took", async () => {
    const { gate, line } = await turnLine({
      upstream: [
        says({ calls: [selects("edit")], usage: { prompt_tokens: 5, completion_tokens: 1 } }),
        says({
          calls: [call("w", "write_file"), call("x", "made_up")],
          usage: { prompt_tokens: 7, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } },
        }),
      ],
    });
    expect(line).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: "info",
      event: "turn",
      turn: expect.stringMatching(/^turn_/),
      session: "s",
      tenant: gate.tenant,
      user: "ada",
      key: expect.stringMatching(/^key_/),
      role: "user",
      policy: expect.stringMatching(/^[0-9a-f]{12}$/),
      model: "test-model",
      status: 200,
      upstream: 1,
      upstream_attempts: 1,
      upstream_status: 200,
      mode: "default",
      state_opened: "request",
      state_closed: "action",
      intents: ["edit"],
      detected: [],
      offered: expect.any(Number),
      withheld: expect.any(Number),
      tokens_saved: expect.any(Number),
      decisions: [
        { tool: "select_intent", effect: "allow", reasons: [] },
        { tool: "write_file", effect: "allow", reasons: [] },
        { tool: "(unknown)", effect: "deny", reasons: ["unknown_tool"] },
      ],
      steps: 2,
      early: "kept",
      stop_reason: "completed",
      finish_reason: "tool_calls",
      usage: { input: 12, output: 3, cached: 4 },
      ms: expect.objectContaining({ authenticate: expect.any(Number), total: expect.any(Number) }),
    });
    const durations = Object.values(line.ms as Record<string, number>);
    expect(Object.keys(line.ms as object).sort()).toEqual(
      ["authenticate", "policy", "open", "upstream", "decide", "total", "upstream_head", "first_word"].sort(),
    );
    expect(durations.every((ms) => Number.isInteger(ms) && ms >= 0 && ms < 60_000)).toBe(true);
    const [turn] = await gate.turns();
    expect([line.turn, line.tokens_saved, line.offered]).toEqual([
      turn?.id,
      turn?.tokens_saved,
      Object.keys(turn?.offered ?? []).length,
    ]);
  });

  it("tells a turn that completes without calls, streamed", async () => {
    const { line } = await turnLine({ upstream: says({ text: "hello" }) }, { stream: true });
    expect(line).toMatchObject({ stop_reason: "completed", finish_reason: "stop", decisions: [], steps: 1 });
  });

  it("tells one that was blocked", async () => {
    const blocked = { ...policy, execution: { maxCorrections: 0 } };
    const { line } = await turnLine({ policy: blocked, upstream: refused });
    expect(line).toMatchObject({
      level: "info",
      stop_reason: "tool_policy_blocked",
      finish_reason: "stop",
      decisions: [{ tool: "rm", effect: "deny", reasons: expect.arrayContaining(["role_forbids"]) }],
    });
  });

  it("tells one that met the limit of steps", async () => {
    const limited = { ...policy, execution: { maxSteps: 2, maxCorrections: 5 } };
    const { line } = await turnLine({ policy: limited, upstream: refused });
    expect(line).toMatchObject({ stop_reason: "step_limit", finish_reason: "length", steps: 2 });
  });

  it("tells one that the upstream refused, with the status and the code", async () => {
    const error = { message: "slow down, hunter2", type: "rate", code: "rate_limit_exceeded" };
    const { line } = await turnLine({ upstream: () => Response.json({ error }, { status: 429 }) });
    expect(line).toMatchObject({
      level: "warn",
      status: 429,
      upstream_status: 429,
      stop_reason: "upstream_error",
      error: "rate_limit_exceeded",
    });
    expect(JSON.stringify(line)).not.toContain("hunter2");
  });

  it("tells one whose stream broke off", async () => {
    const broken = () => new Response("data: {", { headers: { "content-type": "text/event-stream" } });
    const { line } = await turnLine({ upstream: broken }, { stream: true });
    expect(line).toMatchObject({ level: "warn", stop_reason: "upstream_error", error: "upstream_stream_disorderly" });
  });

  it("tells one that was refused as it stands", async () => {
    const choice = { tool_choice: { type: "function", function: { name: "rm" } } };
    const { line } = await turnLine({ upstream: refused }, choice);
    expect(line).toMatchObject({ status: 400, stop_reason: "request_refused", error: "tool_policy_blocked", steps: 0 });
  });

  it("tells one that the gateway could not complete, and why apart", async () => {
    const log = captureLog();
    const gate: Gateway = await gateway({
      policy,
      upstream: async (body, request) => {
        await gate.fetch("/v1/sessions/s", { method: "DELETE" });
        return says({ calls: [call("c", "read_file")] })(body, request);
      },
    });
    await ask(gate, { messages, tools }, session);
    await gate.settle();
    const [line] = log.lines("turn");
    expect(line).toMatchObject({
      level: "error",
      status: 503,
      stop_reason: "gateway_error",
      error: "gateway_unavailable",
    });
    expect(log.lines("turn_failed")).toMatchObject([{ level: "error", turn: line?.turn, error: expect.any(String) }]);
  });

  it("tells one whose client went away", async () => {
    const log = captureLog();
    const controller = new AbortController();
    const asked = Promise.withResolvers<Request>();
    const gate = await gateway({
      policy,
      upstream: async (_, request) => {
        asked.resolve(request);
        await aborted(request);
        throw request.signal.reason;
      },
    });
    const json = { model: "m", messages };
    const answering = gate.fetch("/v1/chat/completions", { json, signal: controller.signal });
    await asked.promise;
    controller.abort();
    await answering;
    await gate.settle();
    expect(log.lines("turn")).toMatchObject([{ level: "info", stop_reason: "aborted", error: "aborted" }]);
  });

  it("leaves out decisions beyond the first 32, and says how many", async () => {
    const calls = Array.from({ length: 40 }, (_, index) => call(`c${index}`, "read_file"));
    const { line } = await turnLine({ upstream: says({ calls }) });
    expect([(line.decisions as unknown[]).length, line.decisions_left_out]).toEqual([32, 8]);
  });
});

describe("the log's line for a request that is no turn", () => {
  it("tells the route's pattern and the status, never the path", async () => {
    const log = captureLog();
    const gate = await gateway({ policy });
    const outcomes = [
      await gate.fetch("/v1/sessions/hunter2?a=hunter2"),
      await gate.fetch("/hunter2"),
      await gate.fetch("/v1/audit/turns", { key: "tg_hunter2" }),
      await gate.fetch("/v1/audit/turns"),
      await gate.fetch("/v1/chat/completions", { json: { model: "hunter2" } }),
    ];
    expect(outcomes.map(({ status }) => status)).toEqual([404, 404, 401, 403, 400]);
    const told = log
      .lines("request")
      .map(({ method, route, status, user: who, level }) => [level, method, route, status, who]);
    expect(told).toEqual([
      ["info", "GET", "/v1/sessions/:id", 404, "ada"],
      ["info", "GET", undefined, 404, "ada"],
      ["info", "GET", "/v1/audit/turns", 401, undefined],
      ["info", "GET", "/v1/audit/turns", 403, "ada"],
      ["info", "POST", "/v1/chat/completions", 400, "ada"],
    ]);
    expect(log.text()).not.toContain("hunter2");
    expect(log.text()).not.toContain(gate.key);
  });

  it("is a warning where the gateway cannot serve", async () => {
    const log = captureLog();
    const gate = await gateway({ variables: { SERVER_TIMING: "maybe", METRICS: "2" } });
    expect((await gate.fetch("/v1/models")).status).toBe(503);
    expect(log.lines("request")).toMatchObject([{ level: "warn", status: 503 }]);
    expect(log.lines("misconfigured")).toMatchObject([
      { level: "error", message: "METRICS is `2`: it must be 1 or 0; SERVER_TIMING is `maybe`: it must be 1 or 0" },
    ]);
  });

  it("is not there for health", async () => {
    const log = captureLog();
    const gate = await gateway();
    await gate.fetch("/health");
    expect(log.text()).toBe("");
  });
});

describe("LOG_LEVEL", () => {
  const line = async (level: string) => {
    const log = captureLog();
    const gate = await gateway({ policy, variables: { LOG_LEVEL: level } });
    await gate.fetch("/v1/audit/turns");
    return log.text();
  };
  it("says from which level on lines are written", async () => {
    expect(await line("info")).toContain('"event":"request"');
    for (const level of ["warn", "error", "off"]) expect(await line(level)).toBe("");
  });
});
