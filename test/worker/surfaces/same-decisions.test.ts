/** One table of situations, asked on every surface: the same calls are released, the same rows are kept. */
import { describe, expect, it } from "vitest";
import type { StopReason } from "../../../src/ports/turns/ending.ts";
import { chunk, sse, toStream } from "../../support/sse.ts";
import type { Gateway, Upstream } from "../support/gateway.ts";
import { call, says } from "../support/script.ts";
import { openIn, rowsOf, steady } from "./kept-rows.ts";
import { type Situation, situations } from "./situations.ts";
import { ask, type SurfaceClient, surfaces } from "./surfaces.ts";

async function tell(situation: Situation, at: number) {
  const gate = await openIn(situation);
  const { text = "please do it", tools: named = ["read_file", "edit_file", "wipe", "send_mail"], force } = situation;
  const surface = surfaces[at];
  const told = surface && (await ask(surface, gate, { text, tools: named, ...(force ? { force } : {}) }));
  // A body that is sent whole has a status of its own for what ends a stream with an error.
  const whole = situation.end === "error" && told ? { ...told, end: "error" as const, words: "" } : told;
  return { told: whole && steady(whole), rows: await rowsOf(gate), asked: gate.sent.length };
}

describe.each(Object.entries(situations))("%s", (_name, situation) => {
  it("is decided and kept on every surface as on chat completions", async () => {
    const [first, ...others] = await Promise.all(surfaces.map((_, at) => tell(situation, at)));
    expect([first?.told?.end, first?.told?.calls.map(({ name }) => name)]).toEqual([situation.end, situation.released]);
    expect(first?.rows.turns.at(-1)?.stop_reason).toBe(situation.stops ?? "completed");
    others.forEach((other, at) => {
      expect({ on: surfaces[at + 1]?.name, ...other }).toEqual({ on: surfaces[at + 1]?.name, ...first });
    });
  });
});

it("has a situation for every way in which a turn ends", () => {
  // A client that leaves is below. The gateway's own failures are faults that no upstream and no policy brings about.
  const elsewhere = ["aborted", "gateway_error"];
  const all = Object.keys({
    completed: true,
    tool_policy_blocked: true,
    intent_execution_failed: true,
    awaiting_approval: true,
    step_limit: true,
    upstream_error: true,
    aborted: true,
    request_refused: true,
    gateway_error: true,
  } satisfies Record<StopReason, true>);
  const met = new Set(Object.values(situations).map(({ stops = "completed" }) => stops));
  expect([...met, ...elsewhere].sort()).toEqual(all.sort());
});

describe("a client that leaves", () => {
  async function leave(surface: SurfaceClient) {
    const asked = Promise.withResolvers<void>();
    const body = () => new ReadableStream<Uint8Array>({ pull: () => asked.resolve() }, { highWaterMark: 0 });
    const headers = { "content-type": "text/event-stream" };
    const gate = await openIn({ upstream: [() => new Response(body(), { headers })], end: "error", released: [] });
    const { signal, abort } = leaving();
    const fetch: Gateway["fetch"] = (path, init) => gate.fetch(path, { ...init, signal });
    const chat: Gateway["chat"] = (json, more) =>
      fetch("/v1/chat/completions", { json: { model: "test-model", ...json }, headers: more ?? {} });
    const asking = ask(surface, { ...gate, fetch, chat }, { text: "please do it", tools: ["read_file"] });
    await asked.promise;
    abort();
    const told = await asking.catch(() => undefined);
    return { calls: told?.calls ?? [], rows: await rowsOf(gate) };
  }

  it("is released nothing, and leaves the same rows on every surface", async () => {
    const served = surfaces.filter(({ isServed }) => isServed);
    const [first, ...others] = await Promise.all(served.map(leave));
    expect([first?.calls, first?.rows.turns[0]?.stop_reason]).toEqual([[], "aborted"]);
    for (const other of others) expect(other).toEqual(first);
  });
});

function leaving() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

it("gives each call of an answer an id of its own", async () => {
  const twice = says({ calls: [call("c1", "read_file", { path: "a" }), call("c1", "read_file", { path: "b" })] });
  for (const surface of surfaces) {
    const gate = await openIn({ upstream: [twice], end: "clean", released: [] });
    const { calls } = await ask(surface, gate, { text: "please do it", tools: ["read_file"] });
    expect([surface.name, calls.length, new Set(calls.map(({ id }) => id)).size]).toEqual([surface.name, 2, 2]);
  }
});

describe("an upstream's answer that breaks off", () => {
  const events = [
    chunk({ role: "assistant", content: "" }),
    chunk({ content: "Let me" }),
    chunk({ content: " see" }),
    chunk({ tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "read_file", arguments: "" } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"path":' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '"a"}' } }] }),
  ];
  const whole = JSON.stringify({
    choices: [
      {
        index: 0,
        finish_reason: "tool_calls",
        message: {
          role: "assistant",
          content: "Let me see",
          tool_calls: [{ id: "c1", type: "function", function: { name: "read_file", arguments: '{"path":"a"}' } }],
        },
      },
    ],
  });
  const cut =
    (after: number): Upstream =>
    (body) =>
      body.stream === true
        ? new Response(toStream(sse(events.slice(0, after), { done: false })), {
            headers: { "content-type": "text/event-stream" },
          })
        : new Response(whole.slice(0, Math.floor((whole.length * after) / (events.length + 1))), {
            headers: { "content-type": "application/json" },
          });

  it.each(surfaces.map((surface) => [surface.name, surface] as const))(
    "after any event ends as an error and releases nothing (%s)",
    async (_name, surface) => {
      for (let after = 1; after <= events.length; after += 1) {
        const gate = await openIn({ upstream: [cut(after)], end: "error", released: [] });
        const told = await ask(surface, gate, { text: "please do it", tools: ["read_file"] });
        expect([after, told.calls, told.end === "clean"]).toEqual([after, [], false]);
        const rows = await rowsOf(gate);
        expect([after, rows.turns[0]?.stop_reason]).toEqual([after, "upstream_error"]);
        expect(rows.decisions.filter(({ effect }) => effect === "allow")).toEqual([]);
      }
    },
  );
});
