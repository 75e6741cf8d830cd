import { describe, expect, it } from "vitest";
import { gateway, tool } from "./gateway.ts";
import { ask, says, user } from "./script.ts";

const hi = [user("hi")];

describe("other routes", () => {
  it("`GET /v1/models` and `POST /v1/embeddings` go to the upstream and back as they are", async () => {
    const list = { object: "list", data: [{ id: "a", vendor: 1 }] };
    const gate = await gateway({
      upstream: (_, { method }) =>
        Response.json(list, { status: method === "GET" ? 200 : 201, headers: { "x-request-id": "r" } }),
    });
    const models = await gate.fetch("/v1/models?page=2");
    expect([models.status, await models.json(), models.headers.get("x-request-id")]).toEqual([200, list, "r"]);
    await gate.fetch("/v1/models/org/model-a");
    const embedding = { model: "e", input: ["x"], dimensions: 3 };
    expect((await gate.fetch("/v1/embeddings", { json: embedding })).status).toBe(201);
    const sent = gate.requests.map(({ method, url }) => `${method} ${url}`);
    const base = "https://upstream.test/v1";
    expect(sent).toEqual([`GET ${base}/models?page=2`, `GET ${base}/models/org/model-a`, `POST ${base}/embeddings`]);
    expect(gate.sent[2]).toEqual(embedding);
  });

  it("a model's path reaches only models, with whatever id a model has", async () => {
    const gate = await gateway({ upstream: () => Response.json({ object: "model" }) });
    const models = [
      ["openai%2Fgpt-4o", "openai/gpt-4o"],
      ["meta-llama/llama-3:free", "meta-llama/llama-3:free"],
      ["ft:gpt:x", "ft:gpt:x"],
      ["a%20b%3Fc%23d", "a%20b%3Fc%23d"],
      ["..%5Cfiles", "..%5Cfiles"],
      ["%252e%252e%252Ffiles", "%252e%252e%252Ffiles"],
      ["m?page=2", "m?page=2"],
    ] as const;
    for (const [asked] of models) expect((await gate.fetch(`/v1/models/${asked}`)).status).toBe(200);
    const sent = gate.requests.map(({ url }) => url);
    expect(sent).toEqual(models.map(([, model]) => `https://upstream.test/v1/models/${model}`));

    for (const path of ["..%2Ffiles", "a%2F..%2F..%2Ffiles", ".%2Fa", "%2Ffiles", "a%2F%2Fb", "a%2F", "a/..%2Ffiles"]) {
      const response = await gate.fetch(`/v1/models/${path}`);
      expect([path, response.status, await response.json()]).toMatchObject([
        path,
        404,
        { error: { code: "not_found" } },
      ]);
    }
    expect(gate.requests.length).toBe(models.length);
  });

  it("tell a client nothing of the upstream's account, cookies or own rules for browsers", async () => {
    const kept = { "openai-processing-ms": "5", "openai-version": "1", "openai-model": "m", "x-request-id": "r" };
    const headers = {
      ...kept,
      "access-control-allow-origin": "*",
      "access-control-allow-credentials": "true",
      "set-cookie": "a=b",
      "openai-organization": "org",
      "openai-project": "proj",
    };
    const gate = await gateway({ upstream: () => Response.json({ object: "list" }, { headers }) });
    const chat = await gateway({ upstream: says({ text: "ok", headers }) });
    const replies = [
      await gate.fetch("/v1/models"),
      await gate.fetch("/v1/embeddings", { json: {} }),
      await chat.chat({ messages: hi }),
      await chat.chat({ messages: hi, stream: true }),
    ];
    for (const reply of replies) {
      expect(Object.fromEntries(Object.keys(kept).map((name) => [name, reply.headers.get(name)]))).toEqual(kept);
      for (const name of Object.keys(headers)) {
        expect([name, reply.headers.has(name)]).toEqual([name, Object.hasOwn(kept, name)]);
      }
      await reply.text();
    }
  });

  it("pass an upstream's error on, and follow no redirect", async () => {
    const gate = await gateway({
      upstream: [
        () => Response.json({ error: { message: "no" } }, { status: 402 }),
        () => new Response(null, { status: 302, headers: { location: "https://evil.test/" } }),
      ],
    });
    const refused = await gate.fetch("/v1/models");
    expect([refused.status, await refused.json()]).toEqual([402, { error: { message: "no" } }]);
    const redirected = await gate.fetch("/v1/models");
    expect([redirected.status, redirected.headers.has("location"), gate.requests.length]).toEqual([502, false, 2]);
  });

  it("without an upstream the demo model answers", async () => {
    const gate = await gateway();
    expect(await (await gate.fetch("/v1/models")).json()).toMatchObject({ data: [{ id: "toolgate-demo" }] });
    expect((await gate.fetch("/v1/embeddings", { json: {} })).status).toBe(404);
    expect((await ask(gate, { messages: hi })).note.stop_reason).toBe("completed");
  });

  it("`GET /health` needs no key; every other path does", async () => {
    const gate = await gateway({ upstream: says({ text: "ok" }) });
    const bare = { authorization: "" };
    const health = await gate.fetch("/health", { headers: bare });
    expect([health.status, await health.json()]).toEqual([200, { status: "ok", model: "upstream" }]);
    const paths = [
      "/",
      "/v1/models",
      "/v1/chat/completions",
      "/v1/sessions/s",
      "/v1/gates/x",
      "/v1/intents/detect",
      "/v1/audit/turns",
      "/v1/audit/approvals",
      "/nope",
      "/health/x",
    ];
    for (const path of paths) {
      for (const authorization of ["", "Bearer tg_nope", `Basic ${gate.key}`, gate.key]) {
        const method = path === "/v1/chat/completions" ? "POST" : "GET";
        const response = await gate.fetch(path, { method, headers: { authorization } });
        expect([path, authorization, response.status]).toEqual([path, authorization, 401]);
        expect(await response.json()).toMatchObject({ error: { type: "authentication_error" } });
      }
    }
    expect(gate.sent).toEqual([]);
  });

  it("an unknown route is 404, with the error that OpenAI clients read", async () => {
    const gate = await gateway();
    for (const [method, path] of [
      ["GET", "/v1/nope"],
      ["POST", "/v1/files"],
      ["GET", "/v1/chat/completions"],
      ["PUT", "/v1/models"],
    ] as const) {
      const response = await gate.fetch(path, { method });
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.json()).toMatchObject({
        error: { code: "not_found", message: expect.stringContaining(path) },
      });
    }
  });
});

describe("a body that cannot be served", () => {
  const read = tool("read_file");
  const bad: readonly (readonly [string, unknown, string | null])[] = [
    ["no JSON", "{", null],
    ["no object", "[]", null],
    ["no model", { messages: hi, model: "" }, "model"],
    ["no messages", { messages: [] }, "messages"],
    ["a message without a role", { messages: [user("x"), { content: "x" }] }, "messages[1]"],
    ["a message that is null", { messages: [null] }, "messages[0]"],
    ["a strange `stream`", { messages: hi, stream: "yes" }, "stream"],
    ["functions", { messages: hi, functions: [] }, "functions"],
    ["function_call", { messages: hi, function_call: "auto" }, "function_call"],
    ["tools that are no list", { messages: hi, tools: {} }, "tools"],
    ["a custom tool", { messages: hi, tools: [read, { type: "custom", custom: { name: "x" } }] }, "tools[1].type"],
    ["a tool without a function", { messages: hi, tools: [{ type: "function" }] }, "tools[0].function"],
    ["a tool without a name", { messages: hi, tools: [tool("")] }, "tools[0].function.name"],
    ["a name with a space", { messages: hi, tools: [tool("a b")] }, "tools[0].function.name"],
    ["two tools of one name", { messages: hi, tools: [read, read] }, "tools[1].function.name"],
    ["parameters that are no schema", { messages: hi, tools: [tool("a", "x")] }, "tools[0].function.parameters"],
    ["a model's name that is too long", { messages: hi, model: "m".repeat(257) }, "model"],
    ["half a character in a model's name", { messages: hi, model: "\ud800" }, "model"],
    [
      "parameters nested too deeply",
      `{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"a","parameters":${'{"a":'.repeat(600)}1${"}".repeat(600)}}}]}`,
      "tools[0].function.parameters",
    ],
    [
      "`n` with tools, written otherwise",
      `{"model":"m","n":2.0000000000000000,"messages":[{"role":"user","content":"hi"}],"tools":[${JSON.stringify(read)}]}`,
      "n",
    ],
    ["`n` with tools", { messages: hi, tools: [read], n: 2 }, "n"],
    ["a demand without tools", { messages: hi, tool_choice: "required" }, "tool_choice"],
  ];
  for (const [what, body, param] of bad) {
    it(`is 400 and names the parameter: ${what}`, async () => {
      const gate = await gateway({ upstream: says({ text: "ok" }) });
      const text = typeof body === "string" ? body : JSON.stringify({ model: "m", ...(body as object) });
      const response = await gate.fetch("/v1/chat/completions", { method: "POST", body: text });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { type: "invalid_request_error", param } });
      expect(gate.sent).toEqual([]);
    });
  }
});

describe("a body that is too large", () => {
  const most = 32 * 1024 * 1024;
  const paths = ["/v1/chat/completions", "/v1/embeddings"];

  /** In pieces, without its length, as over a chunked connection. */
  function pieces(bytes: number): ReadableStream<Uint8Array> {
    let left = bytes;
    const piece = new Uint8Array(1024 * 1024).fill(0x20);
    return new ReadableStream({
      pull(controller) {
        if (left === 0) return controller.close();
        const size = Math.min(left, piece.length);
        left -= size;
        controller.enqueue(piece.subarray(0, size));
      },
    });
  }

  for (const path of paths) {
    it(`is 413, announced or not (${path})`, async () => {
      const gate = await gateway({ upstream: says({ text: "ok" }) });
      const announced = { body: "{}", headers: { "content-length": String(most + 1) } };
      for (const init of [announced, { body: pieces(most + 1) }]) {
        const response = await gate.fetch(path, { method: "POST", ...init });
        expect([response.status, await response.json()]).toMatchObject([413, { error: { code: "too_large" } }]);
      }
      expect(gate.sent).toEqual([]);
    });
  }

  it("is not one of just that size", async () => {
    const gate = await gateway({ upstream: says({ text: "ok" }) });
    // Blanks: read to the end, and no JSON.
    const response = await gate.fetch("/v1/chat/completions", { method: "POST", body: pieces(most) });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: "invalid_json" } }]);
  });
});

describe("half characters", () => {
  it("are no failure of the gateway, wherever they stand", async () => {
    const gate = await gateway({ upstream: says({ text: "ok" }) });
    const odd = {
      messages: [user("a\ud800"), { role: "assistant", content: "\udc00" }, user("b\ud800")],
      user: "\ud800",
      tools: [{ ...tool("read_file", { type: "object", title: "\ud800" }), "\ud800": "\udfff" }],
    };
    expect((await ask(gate, odd)).note.stop_reason).toBe("completed");
    expect((await ask(gate, { ...odd, stream: true })).text).toBe("ok");
    const session = await gate.chat({ messages: hi, metadata: { session_id: "\ud800" } });
    expect(session.status).toBe(400);
  });
});
