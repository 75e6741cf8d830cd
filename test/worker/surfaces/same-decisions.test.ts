/** One table of situations, asked on every surface: the same calls are released, the same rows are kept. */
import { describe, expect, it } from "vitest";
import { chunk, sse, toStream } from "../../support/sse.ts";
import type { Upstream } from "../support/gateway.ts";
import { call, says } from "../support/script.ts";
import { rowsOf, steady } from "./kept-rows.ts";
import { openIn, type Situation, situations } from "./situations.ts";
import { ask, surfaces } from "./surfaces.ts";

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
    others.forEach((other, at) => {
      expect({ on: surfaces[at + 1]?.name, ...other }).toEqual({ on: surfaces[at + 1]?.name, ...first });
    });
  });
});

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
