/** `GET /v1/models` where there are providers by name, and what is asked of such a gateway besides chats. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MODEL } from "../../support/provider-wire.ts";
import { providers } from "./provider-gateway.ts";

const LISTS: Readonly<Record<string, unknown>> = {
  "https://api.anthropic.com/v1/models?limit=1000": {
    data: [{ type: "model", id: "claude-sonnet-4-5", display_name: "Sonnet", created_at: "2025-09-29T00:00:00Z" }],
    has_more: false,
  },
  "https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000": {
    models: [
      { name: "models/gemini-2.5-flash", supportedGenerationMethods: ["generateContent"] },
      { name: "models/embedding-001", supportedGenerationMethods: ["embedContent"] },
    ],
  },
  "https://fast.test/v1/models": {
    object: "list",
    data: [{ id: "llama", object: "model", created: 5, owned_by: "x" }],
  },
  "https://upstream.test/v1/models": { object: "list", data: [{ id: "gpt-5.1", object: "model" }, { id: "smart" }] },
};

const keyOf = ({ headers }: Request): string | null =>
  headers.get("x-api-key") ?? headers.get("x-goog-api-key") ?? headers.get("authorization");

async function listing(variables: Record<string, string> = {}, down: readonly string[] = []) {
  const asked: string[] = [];
  const answer = (request: Request): Response => {
    const { url } = request;
    asked.push(`${new URL(url).host} ${keyOf(request)}`);
    const list = LISTS[url];
    return list === undefined || down.includes(new URL(url).host)
      ? Response.json({ error: { message: "no" } }, { status: 500 })
      : Response.json(list);
  };
  const gate = await providers({
    upstream: (_body, request) => answer(request),
    variables: { UPSTREAM_ROUTES: '{"smart":["anthropic/claude-sonnet-4-5"]}', ...variables },
  });
  const get = async (path: string) => {
    const response = await gate.fetch(path);
    return { status: response.status, body: (await response.json()) as { data: { id: string }[]; id?: string } };
  };
  return { gate, get, asked };
}

beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

it("lists what clients may ask for, each provider's models under its prefix, each asked with its own key", async () => {
  const { get, asked } = await listing();
  const { body } = await get("/v1/models");
  expect(body.data).toEqual([
    { id: "smart", object: "model", created: 0, owned_by: "toolgate" },
    { id: "gpt-5.1", object: "model" },
    { id: "anthropic/claude-sonnet-4-5", object: "model", created: 1_759_104_000, owned_by: "anthropic" },
    { id: "google/gemini-2.5-flash", object: "model", created: 0, owned_by: "google" },
    { id: "fast-1/llama", object: "model", created: 5, owned_by: "fast-1" },
  ]);
  expect(asked.toSorted()).toEqual([
    "api.anthropic.com sk-ant",
    "fast.test Bearer sk-fast",
    "generativelanguage.googleapis.com sk-goog",
    "upstream.test Bearer sk-upstream",
  ]);
});

it("leaves out who does not answer", async () => {
  const { get } = await listing({}, ["upstream.test", "api.anthropic.com"]);
  const { status, body } = await get("/v1/models");
  expect([status, body.data.map(({ id }) => id)]).toEqual([200, ["smart", "google/gemini-2.5-flash", "fast-1/llama"]]);
});

it("asks nobody but the providers where there is no upstream", async () => {
  const { gate, get, asked } = await listing({ UPSTREAM_BASE_URL: "", UPSTREAM_API_KEY: "", UPSTREAM_MODEL: "" });
  const { body } = await get("/v1/models");
  expect([body.data.length, asked.length]).toEqual([4, 3]);
  const response = await gate.fetch("/v1/embeddings", { json: { model: "e", input: "x" } });
  expect([response.status, asked.length]).toEqual([404, 3]);
  expect((await get("/v1/models/gpt-5.1")).status).toBe(404);
});

it.each([
  [MODEL.google, 200, MODEL.google],
  ["smart", 200, "smart"],
  ["google/none", 404, undefined],
  ["google/..%2F..%2Ffiles", 404, undefined],
])("one model: `%s` is %s", async (name, status, id) => {
  const { get } = await listing();
  const found = await get(`/v1/models/${name}`);
  expect([found.status, found.body.id]).toEqual([status, id]);
});
