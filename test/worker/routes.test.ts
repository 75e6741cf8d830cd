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
      "/v1/audit/turns",
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
