import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createApp } from "../../../src/app.ts";
import { createDeps } from "../../../src/create-deps.ts";
import { policyDigest } from "../../../src/stores/policies/policy-source.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { readAnswer, says, user } from "../support/script.ts";

const policy = { handshake: { select: "off" }, tools: { look: { category: "read_only" } } } as const;
const version = policyDigest(policy).slice(0, 12);

let logged: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  logged = vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** An isolate of its own, whose policies KV reads fail while told to. */
async function isolate(gate: Gateway) {
  const state = { failing: false };
  const kv = {
    get: (key: string) =>
      state.failing && key.startsWith("policy:") ? Promise.reject(new Error("KV GET failed: 500")) : env.KV.get(key),
  };
  // Other files have deliveries that fail.
  const hub = { idFromName: () => "hub", get: () => ({ trailStatus: async () => "ok" }) };
  const stores = { KV: kv as unknown as KVNamespace, METRICS_HUB: hub as unknown as typeof env.METRICS_HUB };
  const settings = { ...env, ...stores, UPSTREAM_BASE_URL: "https://upstream.test/v1" };
  const fetcher = (async (input: RequestInfo, init?: RequestInit) => {
    const request = new Request(input, init);
    return says({ text: "ok" })((await request.clone().json()) as Record<string, unknown>, request);
  }) as typeof fetch;
  const app = createApp(createDeps(settings, { fetch: fetcher }));
  const fetchFrom = async (path: string, key: string, body?: unknown): Promise<Response> => {
    const ctx = createExecutionContext();
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const headers = { authorization: `Bearer ${key}` };
    const response = await app.fetch(new Request(`https://gateway.test${path}`, { ...init, headers }), settings, ctx);
    const copy = new Response(await response.text(), response);
    await waitOnExecutionContext(ctx);
    return copy;
  };
  return {
    state,
    chat: async (stream = false, key = gate.key) => {
      const body = { model: "m", messages: [user("hi")], tools: [tool("look"), tool("x")], stream };
      return readAnswer(await fetchFrom("/v1/chat/completions", key, body));
    },
    health: async () => (await fetchFrom("/health", "")).json(),
    probe: async (query: string) => (await fetchFrom(`/health${query}`, "")).status,
  };
}

describe("while KV cannot be read", () => {
  it("the policy last known serves and the reply says so; the log has one line, and `/health` knows", async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const gate = await gateway({ policy });
    const { state, chat, health, probe } = await isolate(gate);
    const header = async (stream: boolean) => {
      const { status, headers } = await chat(stream);
      return [status, headers.get("x-toolgate-policy")];
    };
    expect([await header(false), await header(true)]).toEqual([
      [200, version],
      [200, version],
    ]);
    expect(await health()).toEqual({ status: "ok", audit: "ok" });

    state.failing = true;
    for (const seconds of [61, 62, 70, 80]) {
      vi.setSystemTime(start + seconds * 1000);
      expect([await header(false), await header(true)]).toEqual([
        [200, `${version}; stale`],
        [200, `${version}; stale`],
      ]);
    }
    expect(
      logged.mock.calls.filter(([line]: unknown[]) => String(line).includes('policy_store_unreadable"')),
    ).toHaveLength(1);
    expect(await health()).toEqual({ status: "degraded", audit: "ok" });
    expect([await probe(""), await probe("?strict=1")]).toEqual([200, 503]);

    // Of another tenant nothing is known, and its policy may be stricter than any.
    const other = await chat(false, (await gateway({ policy })).key);
    expect([other.status, other.error?.code]).toEqual([503, "policy_unavailable"]);

    state.failing = false;
    vi.setSystemTime(start + 90_000);
    expect(await header(false)).toEqual([200, version]);
    expect(await health()).toEqual({ status: "ok", audit: "ok" });
    state.failing = true;
    vi.setSystemTime(start + 200_000);
    await header(false);
    expect(
      logged.mock.calls.filter(([line]: unknown[]) => String(line).includes('policy_store_unreadable"')),
    ).toHaveLength(2);
    await gate.settle();
    expect((await gate.turns()).every((turn) => turn.policy === policyDigest(policy))).toBe(true);
  });
});
