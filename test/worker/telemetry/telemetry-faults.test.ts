/** Telemetry that throws: the turn goes on, and its calls are released, as if it were not there. */
import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createApp } from "../../../src/app.ts";
import { createDeps } from "../../../src/create-deps.ts";
import type { Deps } from "../../../src/deps.ts";
import { countDelivery } from "../../../src/telemetry/metrics/count-delivery.ts";
import type { RequestTrace } from "../../../src/telemetry/traces/otlp-tracing.ts";
import { gateway, tool } from "../support/gateway.ts";
import { call, readAnswer, says, user } from "../support/script.ts";

const policy = { handshake: { select: "off" }, tools: { read_file: { category: "read_only" } } };

let errors: string[];
beforeEach(() => {
  errors = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => void errors.push(line));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const fail = (): never => {
  throw new Error("the SDK has a bug");
};
const sound: RequestTrace = { step: () => ({}), end() {}, send: async () => {} };

describe("tracing that fails", () => {
  it.each<[string, NonNullable<Deps["tracing"]>]>([
    ["while it is loaded", async () => fail()],
    ["as a request begins", async () => ({ begin: fail })],
    ["as a step begins", async () => ({ begin: () => ({ ...sound, step: fail }) })],
    ["as a request ends", async () => ({ begin: () => ({ ...sound, end: fail }) })],
  ])("fails no turn (%s)", async (_, tracing) => {
    const gate = await gateway({ policy });
    const settings = { ...env, UPSTREAM_BASE_URL: "https://upstream.test/v1" };
    const upstream = (async (_input: RequestInfo, init?: RequestInit) =>
      says({ calls: [call("c", "read_file")] })(
        JSON.parse(String(init?.body)),
        new Request("https://u.test"),
      )) as typeof fetch;
    const context = createExecutionContext();
    const request = new Request("https://gateway.test/v1/chat/completions", {
      method: "POST",
      headers: { authorization: `Bearer ${gate.key}` },
      body: JSON.stringify({ model: "m", stream: true, messages: [user("go")], tools: [tool("read_file")] }),
    });
    const app = createApp({ ...createDeps(settings, { fetch: upstream }), tracing });
    const answer = await readAnswer(await app.fetch(request, settings, context));
    await waitOnExecutionContext(context);
    expect([answer.status, answer.calls.map(({ id }) => id)]).toEqual([200, ["c"]]);
    expect(errors.filter((line) => line.includes("telemetry_failed"))).toHaveLength(1);
    expect(await gate.turns()).toMatchObject([{ stop_reason: "completed" }]);
  });
});

it("a delivery that cannot be counted is a delivery all the same", () => {
  expect(() => countDelivery([{ kind: "decision", at: 0 }], fail, { intervalMs: 0 }, () => {})).not.toThrow();
  expect(errors.join()).toContain("telemetry_failed");
});
