import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createApp } from "../../../src/app.ts";
import { createDeps } from "../../../src/create-deps.ts";
import { upstreamModel } from "../../../src/model/upstream/upstream-model.ts";
import { newHealth, realClock } from "../../../src/model/upstream/upstreams.ts";
import { newEnvelope } from "../../../src/wire/envelope.ts";
import { ask, says, user } from "../support/script.ts";
import { fails, unreachable, upstreams } from "./several-upstreams.ts";

const messages = [user("hi")];
const fine = says({ text: "fine" });
const told = (headers: Headers) => [headers.get("x-toolgate-upstream"), headers.get("x-toolgate-upstream-attempts")];

const logged: unknown[] = [];
beforeEach(() => {
  logged.length = 0;
  vi.spyOn(console, "warn").mockImplementation((...told) => void logged.push(...told));
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe.each([true, false])("where an upstream fails for good, the next is asked (stream %s)", (stream) => {
  it.each([
    ["no connection", unreachable, 3],
    ["503", fails(503), 3],
    ["a wait that is too long", fails(429, { "retry-after": "60" }), 1],
    ["`x-should-retry: false`", fails(500, { "x-should-retry": "false" }), 1],
    ["the gateway's key is not valid there", fails(401), 1],
    ["the gateway has no credit there", fails(402), 1],
  ])("%s", async (_name, failure, attempts) => {
    const { gate, asked } = await upstreams([[failure], [fine]]);
    const answer = await ask(gate, { messages, stream });
    expect([answer.status, answer.text, asked.filter((number) => number === 1).length]).toEqual([
      200,
      "fine",
      attempts,
    ]);
    expect(told(answer.headers)).toEqual(["2", String(attempts + 1)]);
    expect(asked.at(-1)).toBe(2);
  });

  it("in the order of the settings, each with its own key and model", async () => {
    const variables = { UPSTREAM_MODEL: "one", UPSTREAM_2_MODEL: "two" };
    const { gate, asked } = await upstreams([[fails(500)], [fails(500)], [fine]], { retries: 0, variables });
    expect((await ask(gate, { messages, stream, seed: 7 })).text).toBe("fine");
    expect(asked).toEqual([1, 2, 3]);
    expect(gate.requests.map(({ headers }) => headers.get("authorization"))).toEqual([
      "Bearer sk-1",
      "Bearer sk-2",
      "Bearer sk-3",
    ]);
    // The third has no name of its own for the model: it gets the client's.
    expect(gate.sent.map(({ model }) => model)).toEqual(["one", "two", "test-model"]);
    const others = gate.sent.map(({ model: _, ...body }) => JSON.stringify(body));
    expect(new Set(others).size).toBe(1);
  });

  it("with the numbers that the client has written, also under another name of the model", async () => {
    const { gate } = await upstreams([[fails(500)], [fine]], { retries: 0, variables: { UPSTREAM_2_MODEL: "two" } });
    const body = `{"model":"m","stream":${stream},"seed":12345678901234567890,"messages":[{"role":"user","content":"hi"}]}`;
    await (await gate.fetch("/v1/chat/completions", { method: "POST", body })).text();
    expect(await gate.requests[1]?.text()).toMatch(/^(?=.*"model":"two").*"seed":12345678901234567890/);
  });

  it("not for a fault of the request's own", async () => {
    for (const status of [400, 403, 404, 422]) {
      const { gate, asked } = await upstreams([[fails(status)], [fine]]);
      expect([(await ask(gate, { messages, stream })).status, asked]).toEqual([status, [1]]);
    }
  });

  it("and if all fail the client hears the most telling of their answers", async () => {
    for (const [first, second, status, upstream] of [
      [fails(503), unreachable, 503, "1"],
      [unreachable, fails(429), 429, "2"],
      [fails(429), fails(500), 429, "1"],
      [fails(401), fails(503), 503, "2"],
      [fails(401), unreachable, 502, "1"],
      [unreachable, unreachable, 502, "1"],
      [fails(503), fails(404), 503, "1"],
      [unreachable, fails(400), 400, "2"],
    ] as const) {
      const { gate, asked } = await upstreams([[first], [second]], { retries: 0 });
      const answer = await ask(gate, { messages, stream });
      expect([answer.status, ...told(answer.headers), asked]).toEqual([status, upstream, "2", [1, 2]]);
    }
  });

  it("with nothing of the client's that is meant for one vendor", async () => {
    const { gate } = await upstreams([[fails(500)], [fine]], { retries: 0 });
    const headers = { "openai-beta": "b", "x-title": "app", "anthropic-beta": "b", traceparent: "00-1-2-01" };
    await ask(gate, { messages, stream }, headers);
    const [first, second] = gate.requests.map((request) =>
      Object.fromEntries(Object.keys(headers).map((name) => [name, request.headers.get(name)])),
    );
    expect(first).toEqual(headers);
    expect(second).toEqual({ ...headers, "openai-beta": null, "x-title": null, "anthropic-beta": null });
    expect(gate.requests[1]?.headers.get("content-type")).toBe("application/json");
  });
});

describe("an upstream that has failed", () => {
  it("is asked last for a while, then again in its place", async () => {
    const { gate, asked, advance } = await upstreams([[unreachable, fine], [fine]], { retries: 0 });
    const next = async () => {
      asked.length = 0;
      expect((await ask(gate, { messages, stream: true })).text).toBe("fine");
      return [...asked];
    };
    expect(await next()).toEqual([1, 2]);
    expect(await next()).toEqual([2]);
    advance(29_000);
    expect(await next()).toEqual([2]);
    advance(1000);
    expect(await next()).toEqual([1]);
    expect(await next()).toEqual([1]);
  });

  it("is asked all the same where no other answers", async () => {
    const { gate, asked } = await upstreams([[fails(503)], [fine, fails(503)]], { retries: 0 });
    await ask(gate, { messages });
    expect((await ask(gate, { messages })).status).toBe(503);
    expect(asked).toEqual([1, 2, 2, 1]);
  });

  it("is named in the log, without its key", async () => {
    vi.spyOn(console, "error").mockImplementation((...told) => void logged.push(...told));
    const { gate } = await upstreams([[fails(401)], [fine]]);
    await ask(gate, { messages });
    const lines = logged.map((text) => JSON.parse(String(text)) as { event: string });
    const failure = { upstream: 1, failure: "answered", status: 401 };
    expect(lines.filter(({ event }) => event === "upstream_key_refused")).toMatchObject([failure]);
    expect(logged.join()).not.toContain("sk-");
  });
});

describe("a client's own credential", () => {
  const requests: { host: string; authorization: string | null }[] = [];
  const step = (stream: boolean, headers: Record<string, string>) => {
    requests.length = 0;
    const model = upstreamModel({
      targets: [
        { baseUrl: "https://up1.test/v1", apiKey: "sk-1" },
        { baseUrl: "https://up2.test/v1", apiKey: "sk-2" },
      ],
      limits: { connectMs: 1000, firstByteMs: 1000, idleMs: 1000 },
      retries: 1,
      clock: { ...realClock, wait: async () => {} },
      health: newHealth(),
      fetch: (async (input: RequestInfo, init?: RequestInit) => {
        const request = new Request(input, init);
        requests.push({ host: new URL(request.url).host, authorization: request.headers.get("authorization") });
        return Response.json({ error: { message: "busy" } }, { status: 503 });
      }) as typeof fetch,
    });
    const request = {
      body: { model: "m", messages },
      messages,
      tools: [],
      toolChoice: undefined,
      stream,
      envelope: newEnvelope(),
      adopt: false,
      headers,
      signal: new AbortController().signal,
    };
    const words = { write() {}, full: false, ready: async () => {}, started: false };
    return model.step(request, words, () => {});
  };

  it.each([true, false])("goes to the first upstream alone, in place of the gateway's (stream %s)", async (stream) => {
    expect(await step(stream, { authorization: "Bearer sk-client" })).toMatchObject({ kind: "refused", status: 503 });
    const own = { host: "up1.test", authorization: "Bearer sk-client" };
    expect(requests).toEqual([own, own]);
    await step(stream, {});
    expect(requests.map(({ host, authorization }) => `${host} ${authorization}`)).toEqual([
      "up1.test Bearer sk-1",
      "up1.test Bearer sk-1",
      "up2.test Bearer sk-2",
      "up2.test Bearer sk-2",
    ]);
  });
});

describe("settings that are wrong", () => {
  it("serve nothing, and the log names each", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const upstreams = { UPSTREAM_BASE_URL: "", UPSTREAM_3_BASE_URL: "https://up3.test" };
    const settings = { ...env, ...upstreams, UPSTREAM_IDLE_TIMEOUT: "soon" };
    const response = await createApp(createDeps(settings)).fetch(new Request("https://gateway.test/v1/models"));
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      503,
      "misconfigured",
    ]);
    const logged = errors.mock.calls.flat().join();
    for (const name of ["UPSTREAM_BASE_URL", "UPSTREAM_IDLE_TIMEOUT"]) expect(logged).toContain(name);
  });
});

describe("routes that are passed through", () => {
  it("`/v1/models` is asked again, then of the next upstream", async () => {
    const { gate, asked } = await upstreams([[fails(503)], [() => Response.json({ object: "list", data: [] })]]);
    const response = await gate.fetch("/v1/models");
    expect([response.status, await response.json(), asked]).toEqual([200, { object: "list", data: [] }, [1, 1, 1, 2]]);
    expect(told(response.headers)).toEqual(["2", "4"]);
    expect(gate.requests.at(-1)?.headers.get("authorization")).toBe("Bearer sk-2");
  });

  it("`/v1/embeddings` is asked again, but of no other upstream: its vectors would be others", async () => {
    const list = { object: "list", data: [] };
    const again = await upstreams([[unreachable, fails(500), () => Response.json(list)], [fine]]);
    const json = { model: "e", input: "x" };
    expect(await (await again.gate.fetch("/v1/embeddings", { json })).json()).toEqual(list);
    expect([again.asked, again.gate.sent]).toEqual([
      [1, 1, 1],
      [json, json, json],
    ]);

    const down = await upstreams([[fails(500, {}, "down")], [fine]]);
    const response = await down.gate.fetch("/v1/embeddings", { json });
    expect([response.status, down.asked]).toEqual([500, [1, 1, 1]]);
    expect(await response.json()).toMatchObject({ error: { message: "down" } });
  });
});
