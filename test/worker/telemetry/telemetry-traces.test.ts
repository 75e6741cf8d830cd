import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createDeps } from "../../../src/create-deps.ts";
import { type Gateway, type GatewayOptions, gateway, tool, type Upstream } from "../support/gateway.ts";
import { ask, call, says, selects, user } from "../support/script.ts";
import { captureLog } from "./capture-log.ts";

const policy = { intents: { edit: {} }, tools: { read_file: { category: "read_only" } } };
const tools = [tool("read_file")];
const messages = [user("go")];

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly start: number;
  readonly end: number;
  readonly status: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface Collector {
  readonly gate: Gateway;
  readonly spans: Span[];
  readonly posts: Request[];
  /** Requests to the model. */
  readonly asked: Request[];
}

const endpoint = "https://collector.test/base";

/** A gateway whose collector is reached by the same `fetch` as its upstream. */
async function collected(
  answers: readonly Upstream[],
  variables: GatewayOptions["variables"] = {},
  status = 200,
): Promise<Collector> {
  const [spans, posts, asked]: [Span[], Request[], Request[]] = [[], [], []];
  const gate = await gateway({
    policy,
    variables: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...variables },
    upstream: (body, request) => {
      if (request.url.startsWith(endpoint)) {
        posts.push(request);
        spans.push(...spansOf(body));
        return new Response("{}", { status });
      }
      asked.push(request);
      const answer = answers[Math.min(asked.length, answers.length) - 1];
      if (!answer) throw new Error("no answer");
      return answer(body, request);
    },
  });
  return { gate, spans, posts, asked };
}

type Value = Readonly<Record<string, unknown>>;

function spansOf(body: Record<string, unknown>): Span[] {
  const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: Record<string, unknown>[] }[] }[] };
  return resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({
        ...(span as unknown as Span),
        start: milliseconds(span.startTimeUnixNano),
        end: milliseconds(span.endTimeUnixNano),
        status: (span.status as { code: number }).code,
        attributes: Object.fromEntries(
          (span.attributes as { key: string; value: Value }[]).map(({ key, value }) => [key, plain(value)]),
        ),
      })),
    ),
  );
}

/** A number does not hold the nanoseconds since 1970: of each eight milliseconds one would come out before itself. */
const milliseconds = (nanoseconds: unknown): number => Number(BigInt(String(nanoseconds)) / 1_000n) / 1_000;

function plain(value: Value): unknown {
  const list = value.arrayValue as { values: Value[] } | undefined;
  return list ? list.values.map(plain) : Object.values(value)[0];
}

const named = (spans: readonly Span[], name: string): Span[] => spans.filter((span) => span.name === name);

describe("the trace of a turn", () => {
  it("has a span for each part, below the request's", async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2 };
    const { gate, spans, posts } = await collected(
      [says({ calls: [selects("edit")], usage }), says({ calls: [call("c", "read_file")], usage })],
      { OTEL_SERVICE_NAME: "gate", OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=a%20b" },
    );
    const before = Date.now();
    await ask(gate, { messages, tools }, { "x-toolgate-session": "s" });
    await gate.settle();
    expect(
      posts.map(({ url, method, headers }) => [
        method,
        url,
        headers.get("x-collector-key"),
        headers.get("content-type"),
      ]),
    ).toEqual([["POST", `${endpoint}/v1/traces`, "a b", "application/json"]]);
    expect(JSON.stringify(gate.sent.at(-1))).toContain('{"key":"service.name","value":{"stringValue":"gate"}}');

    const [root] = named(spans, "POST /v1/chat/completions");
    expect(root).toMatchObject({ kind: 2, status: 0 });
    expect(root?.parentSpanId).toBeUndefined();
    expect(root?.attributes).toMatchObject({
      "http.request.method": "POST",
      "http.route": "/v1/chat/completions",
      "http.response.status_code": 200,
      "toolgate.tenant": gate.tenant,
      "toolgate.session": "s",
      "toolgate.intents": ["edit"],
      "toolgate.stop_reason": "completed",
    });
    const inside = [
      "authenticate",
      "policy",
      "open",
      "chat test-model",
      "decide",
      "chat test-model",
      "decide",
      "close",
    ];
    expect(spans.filter((span) => span !== root).map(({ name }) => name)).toEqual(inside);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    for (const span of spans) {
      if (span !== root) expect(span.parentSpanId).toBe(root?.spanId);
      expect(span.start).toBeGreaterThanOrEqual(before);
      expect(span.end).toBeGreaterThanOrEqual(span.start);
      expect(span.end).toBeLessThanOrEqual(Date.now());
    }
    const steps = named(spans, "chat test-model");
    expect(steps.map(({ kind }) => kind)).toEqual([3, 3]);
    expect(steps[1]?.attributes).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "test-model",
      "gen_ai.response.finish_reasons": ["tool_calls"],
      "gen_ai.usage.input_tokens": 5,
      "gen_ai.usage.output_tokens": 2,
      "http.response.status_code": 200,
      "toolgate.upstream": 1,
      "toolgate.upstream.attempts": 1,
    });
  });

  it("tells which step failed, and how", async () => {
    const { gate, spans } = await collected([() => Response.json({ error: { message: "no" } }, { status: 429 })]);
    await ask(gate, { messages });
    await gate.settle();
    const [step] = named(spans, "chat test-model");
    expect([step?.status, step?.attributes["error.type"]]).toEqual([2, "429"]);
    expect(named(spans, "POST /v1/chat/completions")[0]?.attributes["toolgate.stop_reason"]).toBe("upstream_error");
  });

  it("is made for requests that are no turn too", async () => {
    const { gate, spans } = await collected([]);
    await gate.fetch("/v1/sessions/none");
    await gate.settle();
    expect(spans.map(({ name }) => name)).toEqual(["authenticate", "GET /v1/sessions/:id"]);
  });

  it("is not mixed with that of a request beside it", async () => {
    const { gate, posts } = await collected([says({ text: "ok" })]);
    await Promise.all([ask(gate, { messages }), ask(gate, { messages, stream: true })]);
    await gate.settle();
    const traces = gate.sent
      .filter((body) => "resourceSpans" in body)
      .map((body) => new Set(spansOf(body).map(({ traceId }) => traceId)));
    expect([posts.length, traces.map(({ size }) => size)]).toEqual([2, [1, 1]]);
    expect(traces[0]).not.toEqual(traces[1]);
  });
});

describe("traceparent", () => {
  const trace = "0af7651916cd43dd8448eb211c80319c";
  const caller = (flags: string) => ({ traceparent: `00-${trace}-b7ad6b7169203331-${flags}`, tracestate: "vendor=1" });

  it("is continued, and passed upstream with the span of the step", async () => {
    const { gate, spans, asked } = await collected([says({ calls: [selects("edit")] }), says({ text: "ok" })]);
    await ask(gate, { messages, tools }, caller("01"));
    await gate.settle();
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([trace]));
    expect(named(spans, "POST /v1/chat/completions")[0]?.parentSpanId).toBe("b7ad6b7169203331");
    const steps = named(spans, "chat test-model");
    expect(asked.map(({ headers }) => headers.get("traceparent"))).toEqual(
      steps.map(({ spanId }) => `00-${trace}-${spanId}-01`),
    );
    expect(asked.map(({ headers }) => headers.get("tracestate"))).toEqual(["vendor=1", "vendor=1"]);
  });

  it("is begun where there is none, or one that cannot be read", async () => {
    const { gate, spans, asked } = await collected([says({ text: "ok" })]);
    await ask(gate, { messages }, { traceparent: "hello" });
    await gate.settle();
    expect(asked[0]?.headers.get("traceparent")).toBe(
      `00-${spans[0]?.traceId}-${named(spans, "chat test-model")[0]?.spanId}-01`,
    );
  });

  it("decides whether the trace is kept; without one the ratio does", async () => {
    const none = { OTEL_TRACES_SAMPLER_ARG: "0" };
    const { gate, posts, asked } = await collected([says({ text: "ok" })], none);
    await ask(gate, { messages });
    await ask(gate, { messages }, caller("00"));
    await gate.settle();
    expect(posts).toEqual([]);
    expect(asked.map(({ headers }) => headers.get("traceparent")?.slice(-3))).toEqual(["-00", "-00"]);
    await ask(gate, { messages }, caller("01"));
    await gate.settle();
    expect(posts.length).toBe(1);
  });

  it("passes as it came where traces are off", async () => {
    expect(createDeps(env).tracing).toBeUndefined();
    const gate = await gateway({ policy, upstream: says({ text: "ok" }) });
    await ask(gate, { messages }, caller("01"));
    await ask(gate, { messages });
    await gate.settle();
    expect(gate.requests.map(({ headers }) => headers.get("traceparent"))).toEqual([caller("01").traceparent, null]);
  });
});

describe("a collector that fails", () => {
  it("fails no reply, and is logged", async () => {
    const log = captureLog();
    const refused = await collected([says({ text: "ok" })], {}, 401);
    expect((await ask(refused.gate, { messages })).text).toBe("ok");
    await refused.gate.settle();
    expect(log.lines("trace_export_failed")).toMatchObject([{ level: "warn", status: 401 }]);
  });
});
