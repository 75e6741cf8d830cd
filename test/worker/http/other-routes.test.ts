import { expect, it } from "vitest";
import { gateway } from "../support/gateway.ts";

it.each(["/v1/moderations", "/v1/images/generations", "/v1/audio/speech"])(
  "%s goes to the upstream and back as it is",
  async (path) => {
    const bytes = new Uint8Array([0, 255, 10, 128]);
    const gate = await gateway({ upstream: () => new Response(bytes, { headers: { "content-type": "audio/mpeg" } }) });
    const response = await gate.fetch(path, { json: { model: "m", input: "hi" } });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "audio/mpeg"]);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    expect(gate.requests[0]?.url).toBe(`https://upstream.test${path}`);
    expect(gate.requests[0]?.headers.get("authorization")).toBe("Bearer sk-upstream");
  },
);

it.each([
  ...["/v1/batches", "/v1/files", "/v1/assistants/a1", "/v1/threads/t/runs", "/v1/realtime/sessions", "/v1/videos"],
  ...["/v1/responses/compact", "/v1/responses/input_tokens", "/v1/responses/resp_1/cancel", "/v1/containers/c/files"],
])("%s is refused with what to use in its place, and nothing is sent", async (path) => {
  const gate = await gateway({ upstream: () => Response.json({}) });
  const response = await gate.fetch(path, { json: {} });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: "route_not_served", message: expect.any(String) } });
  expect(gate.sent).toEqual([]);
});

it("a model of a provider by name is refused: the text would reach another company", async () => {
  const providers = JSON.stringify({ groq: { kind: "openai", baseUrl: "https://groq.test/v1" } });
  const variables = { UPSTREAM_PROVIDERS: providers, UPSTREAM_GROQ_API_KEY: "sk-groq" };
  const gate = await gateway({ variables, upstream: () => Response.json({ data: [] }) });
  const response = await gate.fetch("/v1/embeddings", { json: { model: "groq/emb", input: "secret" } });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { code: "model_not_found", param: "model" } },
  ]);
  expect(gate.sent).toEqual([]);
  expect((await gate.fetch("/v1/embeddings", { json: { model: "emb/large", input: "hi" } })).status).toBe(200);
});
