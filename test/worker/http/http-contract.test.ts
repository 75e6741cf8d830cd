/** What any HTTP client may expect of every route: ids, methods, paths that were nearly right, and headers that are read strictly. */
import { describe, expect, it, vi } from "vitest";
import { type Gateway, gateway } from "../support/gateway.ts";
import { ask, says, user } from "../support/script.ts";

const hi = { messages: [user("hi")] };
const open = () => gateway({ policy: { handshake: { select: "off" } }, upstream: says({ text: "ok" }) });

interface Fault {
  readonly error: { readonly code: string; readonly message: string; readonly param: string | null };
}

async function faultOf(gate: Gateway, path: string, init: Parameters<Gateway["fetch"]>[1] = {}) {
  const response = await gate.fetch(path, init);
  const { error } = (await response.json()) as Fault;
  return { status: response.status, headers: response.headers, ...error };
}

describe("`x-request-id`", () => {
  it("is on every answer: the turn's id, the upstream's where it gives one, else the gateway's own", async () => {
    const gate = await open();
    for (const stream of [false, true]) {
      const { headers, note } = await ask(gate, { ...hi, stream });
      expect(headers.get("x-request-id")).toBe(note.turn_id);
    }
    const named = await gateway({ upstream: says({ text: "ok", headers: { "x-request-id": "req_up" } }) });
    expect((await ask(named, hi)).headers.get("x-request-id")).toBe("req_up");
    const ids = new Set<string | null>();
    for (const [path, init] of [
      ["/health", {}],
      ["/v1/me", {}],
      ["/v1/me", { key: "tg_wrong" }],
      ["/nowhere", {}],
      ["/v1/chat/completions", { method: "POST", body: "{" }],
      ["/console", {}],
    ] as const) {
      const { headers } = await gate.fetch(path, init);
      expect([path, headers.get("x-request-id")]).toEqual([path, expect.stringMatching(/^req_[0-9a-z]{26}$/)]);
      ids.add(headers.get("x-request-id"));
    }
    expect(ids.size).toBe(6);
  });
});

describe("a compressed body", () => {
  const compressed = (text: string, format: "gzip" | "deflate") =>
    new Response(new Response(text).body?.pipeThrough(new CompressionStream(format))).arrayBuffer();
  const post = (body: BodyInit, encoding: string) => ({
    method: "POST",
    body,
    headers: { "content-encoding": encoding, "content-type": "application/json" },
  });

  it.each(["gzip", "deflate"] as const)("is inflated: %s", async (format) => {
    const gate = await open();
    const body = JSON.stringify({ model: "m", ...hi });
    const { status } = await gate.fetch("/v1/chat/completions", post(await compressed(body, format), format));
    expect([status, gate.sent.length]).toEqual([200, 1]);
    const passed = await gate.fetch("/v1/embeddings", post(await compressed('{"input":"a"}', format), format));
    expect([passed.status, gate.sent.at(-1)]).toEqual([200, { input: "a" }]);
  });

  it("is refused where it is larger inflated, not what it says, or of a kind that nobody reads", async () => {
    const gate = await open();
    const large = await compressed(JSON.stringify({ model: "m", messages: [user("x".repeat(5_000_000))] }), "gzip");
    const at = (body: BodyInit, encoding: string) => faultOf(gate, "/v1/chat/completions", post(body, encoding));
    expect(await at(large, "gzip")).toMatchObject({ status: 413, code: "too_large" });
    expect(await at("{}", "gzip")).toMatchObject({ status: 400, param: "content-encoding" });
    expect(await at("{}", "zstd")).toMatchObject({ status: 415, code: "unsupported_encoding" });
    expect(gate.sent).toEqual([]);
  });
});

describe("a method that a path does not take", () => {
  it.each([
    ["GET", "/v1/chat/completions", "POST"],
    ["DELETE", "/v1/models", "GET"],
    ["PUT", "/v1/sessions/s", "GET, PATCH, DELETE"],
    ["POST", "/v1/approvals", "GET"],
    ["PATCH", "/v1/grants/g", "GET, DELETE"],
    ["POST", "/v1/calls/c", "GET"],
  ])("%s %s is 405, with what it takes", async (method, path, allow) => {
    const { status, code, headers, message } = await faultOf(await open(), path, { method });
    expect([status, code, headers.get("allow")]).toEqual([405, "method_not_allowed", allow]);
    expect(message).toContain(`\`${allow.split(", ")[0]}\``);
  });

  it("is told to nobody without a key", async () => {
    expect((await faultOf(await open(), "/v1/chat/completions", { key: "tg_wrong" })).status).toBe(401);
  });
});

describe("a path that is no route", () => {
  it.each([
    ["/chat/completions", "/v1/chat/completions"],
    ["/v1/v1/chat/completions", "/v1/chat/completions"],
    ["/v1/chat/completions/", "/v1/chat/completions"],
    ["//v1//chat/completions", "/v1/chat/completions"],
    ["/v1/completions", "/v1/chat/completions"],
    ["/v1/chat/completion", "/v1/chat/completions"],
    ["/responses", "/v1/responses"],
    ["/api/v1/chat/completions", "/v1/chat/completions"],
    ["/openai/deployments/gpt/chat/completions", "/v1/chat/completions"],
    ["/models/", "/v1/models"],
    ["/v1/admin/keys", "/admin/keys"],
    ["/sessions/s1", "/v1/sessions/s1"],
  ])("%s leads to %s", async (path, meant) => {
    const { status, message } = await faultOf(await open(), path, { method: "POST" });
    expect([status, message]).toEqual([404, `no such route: POST ${path}; did you mean \`${meant}\`?`]);
  });

  it.each(["/", "/nowhere", "/v1", "/v1/v1", "/%2e%2e/x"])("%s leads nowhere", async (path) => {
    const { status, message } = await faultOf(await open(), path);
    expect([status, message]).toEqual([404, expect.not.stringContaining("did you mean")]);
  });

  it("leads a person who typed the address to the console, without a key", async () => {
    const gate = await open();
    const headers = { accept: "text/html,application/xhtml+xml", authorization: "" };
    const response = await gate.fetch("/", { headers, redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([302, "/console"]);
  });
});

describe("`x-toolgate-reset`", () => {
  it.each(["TRUE", "1", "yes", "", "true, true"])("cannot be `%s`", async (value) => {
    const gate = await open();
    const { status, error } = await ask(gate, hi, { "x-toolgate-reset": value });
    expect([status, error?.param, gate.sent]).toEqual([400, "x-toolgate-reset", []]);
  });
});

describe("a gateway without an upstream", () => {
  it("serves nothing, and says which setting is missing", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const gate = await gateway({ variables: { UPSTREAM_BASE_URL: "" } });
    for (const path of ["/v1/models", "/v1/tools"]) {
      const response = await gate.fetch(path);
      expect([response.status, await response.json()]).toMatchObject([
        503,
        { error: { code: "misconfigured", message: "the gateway is not configured: UPSTREAM_BASE_URL is not set" } },
      ]);
    }
    const health = await gate.fetch("/health");
    expect([health.status, await health.json()]).toMatchObject([503, { status: "misconfigured" }]);
    expect(errors.mock.calls.flat().join()).toContain("UPSTREAM_BASE_URL is not set: write the model provider's");
  });
});
