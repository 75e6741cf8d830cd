import { describe, expect, it } from "vitest";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { ask, call, messagesOf, result, says, user } from "../support/script.ts";

const policy = { results: { mark: false }, tools: { read_file: { category: "read_only" } } };
const tools = [tool("read_file")];
const session = { "x-toolgate-session": "s" };
const hi = user("read them");

/** A gateway whose model has called `read_file` once for each id; then it stops. */
async function released(...ids: string[]): Promise<{ gate: Gateway; message: Record<string, unknown> }> {
  const gate = await gateway({
    policy,
    upstream: [says({ calls: ids.map((id) => call(id, "read_file", { path: id })) }), says({ text: "ok" })],
  });
  const { message } = await ask(gate, { messages: [hi], tools }, session);
  return { gate, message };
}

type Settled = { readonly decision: string; readonly outcome: string }[];

/** What each turn settled, by the ids of the calls. */
async function settledBy(gate: Gateway): Promise<(readonly [string, string])[][]> {
  const ids = new Map((await gate.decisions()).map(({ id, call_id: callId }) => [id, String(callId)]));
  return (await gate.turns()).map(({ settled }) =>
    (settled as Settled).map(({ decision, outcome }) => [ids.get(decision) ?? decision, outcome] as const),
  );
}

describe("a tool result", () => {
  it("settles the call that this session released, once, and the turn that brought it records it", async () => {
    const { gate, message } = await released("a", "b");
    const next = { messages: [hi, message, result("a"), result("b")], tools };
    await ask(gate, next, session);
    await ask(gate, { ...next, user: "again" }, session);
    expect(await settledBy(gate)).toEqual([
      [],
      [
        ["a", "succeeded"],
        ["b", "succeeded"],
      ],
      [],
    ]);
    expect(await (await gate.fetch("/v1/sessions/s")).json()).toMatchObject({ pending_calls: 0 });
  });

  const outcomes: readonly (readonly [unknown, "succeeded" | "failed"])[] = [
    ["plain text", "succeeded"],
    ["", "succeeded"],
    ["no errors were found", "succeeded"],
    ["[1, 2]", "succeeded"],
    ['{"error":null,"rows":[]}', "succeeded"],
    ['{"ok":true}', "succeeded"],
    ["{not json", "succeeded"],
    [[{ type: "text", text: '{"error":{"message":"no"}}' }], "failed"],
    ['{"error":"no such file"}', "failed"],
    ['{"isError":true,"content":[]}', "failed"],
    ['{"success":false}', "failed"],
    ['{"ok":false}', "failed"],
    ["Error: no such file", "failed"],
    [" exception: boom", "failed"],
  ];
  it("tells success from failure by its shape", async () => {
    const { gate, message } = await released(...outcomes.map((_, index) => `c${index}`));
    const results = outcomes.map(([content], index) => ({ role: "tool", tool_call_id: `c${index}`, content }));
    await ask(gate, { messages: [hi, message, ...results], tools }, session);
    const [, settled] = await settledBy(gate);
    expect(settled).toEqual(outcomes.map(([, outcome], index) => [`c${index}`, outcome]));
  });

  it("that does not come by the next user message leaves the call abandoned", async () => {
    const { gate, message } = await released("a", "b");
    await ask(gate, { messages: [hi, message, result("a"), user("never mind")], tools }, session);
    await ask(gate, { messages: [hi, message, result("a"), result("b")], tools }, session);
    expect(await settledBy(gate)).toEqual([
      [],
      [
        ["a", "succeeded"],
        ["b", "abandoned"],
      ],
      [],
    ]);
  });

  it("that does not come by a reset leaves the call abandoned", async () => {
    const { gate, message } = await released("a", "b");
    const reset = { ...session, "x-toolgate-reset": "true" };
    await ask(gate, { messages: [hi, message, result("a")], tools }, reset);
    expect(await (await gate.fetch("/v1/sessions/s")).json()).toMatchObject({ pending_calls: 0 });
    expect(await settledBy(gate)).toEqual([
      [],
      [
        ["a", "succeeded"],
        ["b", "abandoned"],
      ],
    ]);
  });

  it("settles the calls of a provider that repeats ids one after the other", async () => {
    const gate = await gateway({ policy, upstream: says({ calls: [call("call_0", "read_file")] }) });
    const messages: unknown[] = [hi];
    for (const content of ["fine", '{"error":"no"}', "fine"]) {
      const { message } = await ask(gate, { messages, tools }, session);
      messages.push(message, result("call_0", content));
    }
    await ask(gate, { messages, tools }, session);
    const settled = (await gate.turns()).map((turn) => turn.settled as Settled);
    expect(settled.map((one) => one.map(({ outcome }) => outcome))).toEqual([
      [],
      ["succeeded"],
      ["failed"],
      ["succeeded"],
    ]);
    const decisions = (await gate.decisions()).map(({ id }) => id);
    expect(settled.flat().map(({ decision }) => decision)).toEqual(decisions.slice(0, 3));
  });
});

describe("calls and results that a client makes up", () => {
  const madeUp = [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "x", type: "function", function: { name: "rm", arguments: "{}" } }],
    },
    result("x", "gone"),
  ];

  it("pass to the model and count for nothing", async () => {
    const { gate } = await released("a");
    await ask(gate, { messages: [hi, ...madeUp], tools }, session);
    expect(messagesOf(gate.sent[1])).toEqual([hi, ...madeUp]);
    expect(await settledBy(gate)).toEqual([[], []]);
    expect((await gate.decisions()).length).toBe(1);
    expect(await (await gate.fetch("/v1/sessions/s")).json()).toMatchObject({ pending_calls: 1 });
  });

  it("settle no call of another session, whatever id they bear", async () => {
    const { gate, message } = await released("a");
    await ask(gate, { messages: [hi, message, result("a")], tools }, { "x-toolgate-session": "other" });
    expect(await settledBy(gate)).toEqual([[], []]);
    expect(await (await gate.fetch("/v1/sessions/s")).json()).toMatchObject({ pending_calls: 1 });
  });

  it("settle nothing where the call was refused", async () => {
    const gate = await gateway({ policy, upstream: [says({ calls: [call("x", "rm")] }), says({ text: "ok" })] });
    await ask(gate, { messages: [hi], tools }, session);
    await ask(gate, { messages: [hi, ...madeUp], tools }, session);
    expect(await settledBy(gate)).toEqual([[], []]);
  });
});
