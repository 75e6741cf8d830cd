/** Upstreams that take no calls in the messages of a request without `tools`: as some that stand before other providers do. */
import { describe, expect, it } from "vitest";
import { studying, talk, worded } from "../intent/system-first.ts";
import { gateway, tool, type Upstream } from "../support/gateway.ts";
import { ask, call, result, says, user } from "../support/script.ts";

const refuses = (message: string) =>
  Response.json({ error: { message, type: "invalid_request_error" } }, { status: 400 });

/** @param knowsNone whether it knows `tool_choice: "none"`. */
const strict =
  (answer: Upstream, knowsNone = true): Upstream =>
  (body, request) => {
    const messages = body.messages as readonly { readonly tool_calls?: unknown }[];
    if (body.tools === undefined && messages.some((one) => one.tool_calls !== undefined))
      return refuses("no tool calling without `tools=` specified");
    if (body.tool_choice === "none" && !knowsNone) return refuses("tool_choice=none is not supported");
    return answer(body, request);
  };

const sentTools = (sent: readonly Record<string, unknown>[]) =>
  sent.map(({ tools, tool_choice: choice }) => [
    (tools as { function: { name: string } }[] | undefined)?.map((one) => one.function.name) ?? null,
    choice ?? null,
  ]);

for (const stream of [true, false]) {
  it(`are asked with the names of the calls, and at once from then on (stream ${stream})`, async () => {
    const { gate, asked } = await studying({ upstream: strict(worded) });
    const { say } = talk(gate);
    expect((await say("verbs flashcards for N3", { stream })).text).toBe("Here they are.");
    expect((await say("verbs flashcards for N4", { stream })).text).toBe("Here they are.");
    const forbidden = [["make_cards"], "none"];
    expect([sentTools(gate.sent), asked.length]).toEqual([[[null, null], forbidden, forbidden], 2]);
    // Neither what it is for, nor what it takes.
    const text = JSON.stringify(gate.sent[1]?.tools);
    expect(text).not.toMatch(/topic|level|cards are about/);
  });
}

it("that do not know `none` either are asked without it, and a call that comes back is refused", async () => {
  const calls = says({ calls: [call("again", "make_cards", { topic: "verbs", level: "N1" })] });
  let answers = 0;
  const upstream = strict((...one) => (++answers === 1 ? calls : worded)(...one), false);
  const { gate, asked } = await studying({ upstream });
  const answer = await talk(gate).say("verbs flashcards for N3");
  expect([answer.text, answer.calls, asked.length]).toEqual(["Here they are.", [], 1]);
  expect(answer.note.decisions.map(({ tool: name, effect }) => [name, effect])).toEqual([
    ["make_cards", "allow"],
    ["make_cards", "deny"],
  ]);
  expect(sentTools(gate.sent).map(([, choice]) => choice)).toEqual([null, "none", null, null]);
});

const history = [
  user("hi"),
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
  },
  result("c"),
];

it("are asked with the numbers that the client has written", async () => {
  const gate = await gateway({ policy: {}, upstream: strict(says({ text: "ok" })) });
  const body = `{"model":"m","seed":12345678901234567890,"messages":${JSON.stringify(history)}}`;
  expect((await gate.fetch("/v1/chat/completions", { method: "POST", body })).status).toBe(200);
  expect(await gate.requests[1]?.text()).toContain('"seed":12345678901234567890');
});

it("are asked as the client asks once an hour, and remembered anew", async () => {
  const hour = 3_600_000;
  let now = 0;
  const gate = await gateway({ policy: {}, upstream: strict(says({ text: "ok" })), pace: { now: () => now } });
  for (now of [1, hour, hour + 1, hour + 2]) expect((await ask(gate, { messages: history })).text).toBe("ok");
  expect(sentTools(gate.sent).map(([, choice]) => choice)).toEqual([null, "none", "none", null, "none", "none"]);
});

it("are asked as the client asks where what another client made them seem to want is refused", async () => {
  const odd = strict(says({ text: "odd" }));
  const plain: Upstream = (body, request) =>
    body.tools === undefined ? says({ text: "plain" })(body, request) : refuses("extra inputs are not permitted");
  const upstream: Upstream = (body, request) => (body.user === "odd" ? odd : plain)(body, request);
  const gate = await gateway({ policy: {}, upstream });
  const texts = ["odd", "plain", "plain"].map((name) => async () => {
    return (await ask(gate, { messages: history, user: name })).text;
  });
  for (const [n, text] of texts.entries()) expect([n, await text()]).toEqual([n, n === 0 ? "odd" : "plain"]);
  expect(sentTools(gate.sent).map(([, choice]) => choice)).toEqual([null, "none", "none", null, null]);
});

describe("others", () => {
  it("are asked once: what is wrong is told as it was said", async () => {
    for (const [body, message, asked] of [
      [{ messages: [user("hi")] }, "no such tool", 1],
      [{ messages: history, tools: [tool("f")] }, "no such tool", 1],
      [{ messages: history }, "too long", 1],
      [{ messages: history }, "no such tool", 3],
    ] as const) {
      const gate = await gateway({
        policy: { handshake: { select: "off" } },
        upstream: (sent) => refuses(sent.tools ? `${message}, nor here` : message),
      });
      const answer = await ask(gate, body);
      const said = "tools" in body ? `${message}, nor here` : message;
      expect([answer.status, answer.error?.message, gate.sent.length]).toEqual([400, said, asked]);
    }
  });
});
