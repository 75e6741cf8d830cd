/** Which provider a model goes to, and where a request goes on when one fails. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MODEL, type ProviderName } from "../../support/provider-wire.ts";
import { tool, type Upstream } from "../support/gateway.ts";
import { ask, says, user } from "../support/script.ts";
import { answers, providers, stream } from "./provider-gateway.ts";

const messages = [user("hi")];
const routes = {
  smart: ["anthropic/claude-opus-4-5", "google/gemini-3-pro", "fast-1/llama", "gpt-5.1"],
  [MODEL.google]: [MODEL.google, MODEL.anthropic],
};
const variables = {
  UPSTREAM_ROUTES: JSON.stringify(routes),
  UPSTREAM_BASE_URL: "https://up1.test/v1",
  UPSTREAM_API_KEY: "sk-1",
};

type Name = ProviderName | "fast" | "up1" | "up2";
const HOSTS: Readonly<Record<string, Name>> = {
  "api.anthropic.com": "anthropic",
  "generativelanguage.googleapis.com": "google",
  "fast.test": "fast",
  "up1.test": "up1",
  "up2.test": "up2",
};
const fine: Readonly<Record<Name, Upstream>> = {
  anthropic: answers("anthropic", { text: ["anthropic"] }),
  google: answers("google", { text: ["google"] }),
  fast: says({ text: "fast" }),
  up1: says({ text: "up1" }),
  up2: says({ text: "up2" }),
};

/** A gateway whose upstreams answer with their own name, but for those that are given another answer. */
async function routed(
  others: Partial<Record<Name, Upstream>> = {},
  more: Record<string, string> = {},
  policy?: unknown,
) {
  const asked: string[] = [];
  const waits: number[] = [];
  const gate = await providers({
    ...(policy === undefined ? {} : { policy }),
    variables: { ...variables, ...more },
    pace: { random: () => 1, wait: async (ms) => void waits.push(ms) },
    upstream: (body, request) => {
      const { host, pathname } = new URL(request.url);
      const name = HOSTS[host];
      if (name === undefined) throw new Error(`${host} was asked`);
      const model = typeof body.model === "string" ? body.model : /models\/([^:]+)/.exec(pathname)?.[1];
      asked.push(`${name} ${model}`);
      return (others[name] ?? fine[name])(body, request);
    },
  });
  return { gate, asked, waits };
}

const fails =
  (
    status: number,
    error: object = { message: `failed ${status}`, type: "t" },
    headers: Record<string, string> = {},
  ): Upstream =>
  () =>
    Response.json({ type: "error", error }, { status, headers });
const unreachable: Upstream = () => {
  throw new TypeError("Network connection lost.");
};

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe.each([true, false])("a model's name (stream %s)", (streamed) => {
  it.each([
    ["anthropic/claude-sonnet-4-5", "anthropic claude-sonnet-4-5", "anthropic"],
    ["google/gemini-2.5-flash", "google gemini-2.5-flash", "google"],
    ["fast-1/meta/llama-3", "fast meta/llama-3", "fast-1"],
    ["gpt-5.1", "up1 gpt-5.1", "1"],
    ["meta-llama/llama-3", "up1 meta-llama/llama-3", "1"],
    ["constructor/x", "up1 constructor/x", "1"],
    ["/claude", "up1 /claude", "1"],
    ["Anthropic/claude", "up1 Anthropic/claude", "1"],
  ])("`%s` goes to %s", async (model, reached, label) => {
    const { gate, asked } = await routed();
    const answer = await ask(gate, { model, messages, stream: streamed });
    expect([answer.status, asked, answer.headers.get("x-toolgate-upstream")]).toEqual([200, [reached], label]);
  });

  it("that a route has is asked for along the route, until one has begun", async () => {
    const broken: Upstream = () => stream(["event: ping\ndata: {}\n\n"]);
    const { gate, asked } = await routed({ anthropic: fails(529), google: broken, fast: unreachable });
    const answer = await ask(gate, { model: "smart", messages, stream: streamed });
    expect([answer.status, answer.text]).toEqual([200, "up1"]);
    expect(asked).toEqual(["anthropic claude-opus-4-5", "google gemini-3-pro", "fast llama", "up1 gpt-5.1"]);
    expect(answer.headers.get("x-toolgate-upstream-attempts")).toBe("4");
  });

  it("whose provider fails goes nowhere else without a route", async () => {
    const { gate, asked } = await routed({ anthropic: fails(500) });
    const answer = await ask(gate, { model: MODEL.anthropic, messages, stream: streamed });
    expect([answer.status, answer.error?.message, asked.length]).toEqual([500, "failed 500", 1]);
  });

  it("that nobody serves is answered with 404, and nobody is asked", async () => {
    const { gate, asked } = await routed({}, { UPSTREAM_BASE_URL: "", UPSTREAM_API_KEY: "" });
    const answer = await ask(gate, { model: "gpt-5.1", messages, stream: streamed });
    expect([answer.status, answer.error?.code, asked]).toEqual([404, "model_not_found", []]);
    expect(answer.error?.message).toContain("`anthropic/`");
  });

  it.each([
    [401, 2],
    [402, 2],
    [429, 2],
    [500, 2],
    [529, 2],
    [400, 1],
    [403, 1],
    [404, 1],
  ])("goes on along its route after %s: %s asked", async (status, count) => {
    const { gate, asked } = await routed({ google: fails(status) });
    const answer = await ask(gate, { model: MODEL.google, messages, stream: streamed });
    expect([asked.length, answer.status]).toEqual([count, count === 2 ? 200 : status]);
  });

  it("has a provider that has failed asked last for a while", async () => {
    const { gate, asked } = await routed({ google: unreachable });
    await ask(gate, { model: MODEL.google, messages, stream: streamed });
    asked.length = 0;
    await ask(gate, { model: MODEL.google, messages, stream: streamed });
    expect(asked).toEqual(["anthropic claude-sonnet-4-5"]);
  });

  it("with a client's own key goes to the first upstream alone", async () => {
    const { gate, asked } = await routed({}, { CLIENT_UPSTREAM_KEYS: "1" });
    const own = { "x-upstream-authorization": "Bearer sk-client" };
    await ask(gate, { model: MODEL.anthropic, messages, stream: streamed }, own);
    expect([asked, gate.requests[0]?.headers.get("authorization")]).toEqual([
      [`up1 ${MODEL.anthropic}`],
      "Bearer sk-client",
    ]);
  });

  it("is asked for again as the settings say, where the provider asks for it", async () => {
    let tries = 0;
    const anthropic: Upstream = (...given) =>
      (++tries === 1
        ? fails(429, { message: "slow", type: "rate_limit_error" }, { "retry-after": "2" })
        : fine.anthropic)(...given);
    const { gate, asked, waits } = await routed({ anthropic }, { UPSTREAM_RETRIES: "1" });
    const answer = await ask(gate, { model: MODEL.anthropic, messages, stream: streamed });
    expect([answer.text, asked.length, waits]).toEqual(["anthropic", 2, [2000]]);
  });
});

describe.each([true, false])("a provider's error (stream %s)", (streamed) => {
  it.each([
    [
      "anthropic",
      fails(400, { type: "invalid_request_error", message: "too long" }),
      400,
      "too long",
      "invalid_request_error",
    ],
    [
      "google",
      fails(400, { code: 400, message: "bad field", status: "INVALID_ARGUMENT" }),
      400,
      "bad field",
      "INVALID_ARGUMENT",
    ],
    [
      "anthropic",
      () => new Response("<h1>gone</h1>", { status: 503, headers: { "content-type": "text/html" } }),
      503,
      "gone",
      "upstream_error",
    ],
    ["google", () => Response.json({ candidates: [] }), 502, "instead of an event stream", "upstream_error"],
    [
      "anthropic",
      () =>
        stream(['event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n']),
      529,
      "Overloaded",
      "overloaded_error",
    ],
  ] as const)("of %s keeps its status and its words (%#)", async (provider, upstream, status, message, type) => {
    const { gate } = await routed({ [provider]: upstream }, { UPSTREAM_ROUTES: "" });
    const answer = await ask(gate, { model: MODEL[provider], messages, stream: streamed });
    expect([answer.status, answer.error]).toEqual([
      status,
      expect.objectContaining({ message: expect.stringContaining(message), type, param: null }),
    ]);
  });

  it.each([
    [
      "anthropic",
      fails(401, { type: "authentication_error", message: "invalid x-api-key sk-ant" }),
      "UPSTREAM_ANTHROPIC_API_KEY",
    ],
    [
      "google",
      fails(400, {
        code: 400,
        message: "API key not valid.",
        status: "INVALID_ARGUMENT",
        details: [{ reason: "API_KEY_INVALID" }],
      }),
      "UPSTREAM_GOOGLE_API_KEY",
    ],
  ] as const)("about the gateway's own key is none of the client's (%s)", async (provider, upstream, setting) => {
    const { gate } = await routed({ [provider]: upstream }, { UPSTREAM_ROUTES: "" });
    const answer = await ask(gate, { model: MODEL[provider], messages, stream: streamed });
    expect([answer.status, answer.error?.code]).toEqual([502, "upstream_auth_failed"]);
    expect(answer.error?.message).toContain(setting);
    expect(JSON.stringify(answer.error)).not.toContain("sk-ant");
  });

  it("that comes first in a stream has the next asked", async () => {
    const overloaded =
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
    const begun =
      'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"c","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}\n\n';
    for (const events of [[overloaded], [begun, overloaded]]) {
      const { gate, asked } = await routed({ anthropic: () => stream(events) });
      const answer = await ask(gate, { model: "smart", messages, stream: streamed });
      expect([answer.status, answer.text, asked.length]).toEqual([200, "google", 2]);
    }
  });
});

describe("a policy's models", () => {
  const policy = { models: { mine: ["fast-1/llama", "smart", "gpt-mini"], smart: ["google/gemini-mini"] } };

  it("are asked in their order, before the settings' own routes, and may name these", async () => {
    const { gate, asked } = await routed({ fast: unreachable, anthropic: fails(500), google: fails(500) }, {}, policy);
    expect((await ask(gate, { model: "mine", messages })).text).toBe("up1");
    expect(asked).toEqual([
      "fast llama",
      "anthropic claude-opus-4-5",
      "google gemini-3-pro",
      "fast llama",
      "up1 gpt-5.1",
    ]);
    asked.length = 0;
    await ask(gate, { model: "smart", messages });
    expect(asked).toEqual(["google gemini-mini"]);
  });

  it("are one tenant's alone", async () => {
    const { gate, asked } = await routed();
    await ask(gate, { model: "mine", messages });
    expect(asked).toEqual(["up1 mine"]);
  });
});

it("what a client sends for one vendor goes to no other", async () => {
  const { gate } = await routed();
  const headers = { "openai-beta": "b", "x-title": "app", "anthropic-beta": "b1", traceparent: "00-1-2-01" };
  for (const model of [MODEL.anthropic, MODEL.google]) await ask(gate, { model, messages }, headers);
  const got = gate.requests.map((request) => Object.keys(headers).map((name) => request.headers.get(name)));
  expect(got).toEqual([
    [null, null, expect.stringContaining("b1"), "00-1-2-01"],
    [null, null, null, "00-1-2-01"],
  ]);
});

it.each([
  "",
  "..",
  "../../v1beta/files",
  "a/../../files",
  "./a",
  "a?key=x",
  "a#",
  "a%2F..%2Fb",
  "a:countTokens",
  "a b",
  "a\\b",
  "/a",
  "a//b",
])("no model's name reaches another path of Google (`%s`)", async (name) => {
  const { gate, asked } = await routed({}, { UPSTREAM_ROUTES: "" });
  for (const stream of [true, false]) {
    const answer = await ask(gate, { model: `google/${name}`, messages, stream });
    expect([answer.status, answer.error?.param, asked]).toEqual([400, "model", []]);
  }
});

it("no redirect is followed with a key", async () => {
  const upstream = () => new Response(null, { status: 302, headers: { location: "https://up2.test/" } });
  const { gate, asked } = await routed({ anthropic: upstream }, { UPSTREAM_ROUTES: "" });
  const answer = await ask(gate, { model: MODEL.anthropic, messages, tools: [tool("f")] });
  expect([answer.status, answer.error?.code, asked.length]).toEqual([502, "upstream_redirect", 1]);
});
