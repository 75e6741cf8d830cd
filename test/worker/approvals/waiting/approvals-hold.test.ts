import { describe, expect, it, vi } from "vitest";
import type { AnswerAction } from "../../../../src/approvals/approval.ts";
import type { Gateway } from "../../support/gateway.ts";
import { runInGuard } from "../../support/run-in-guard.ts";
import { ask, call, outlineOf, readAnswer, result, says } from "../../support/script.ts";
import { turnsOf } from "../../support/session-turns.ts";
import { asked, asking, done, edits, hi, reasonsOf, says1, session, tools } from "../approvals.ts";

const hold = { ...session, "x-toolgate-approvals": "hold" };
const base = { messages: [hi], tools };

const port = ({ guard }: Gateway) => guard.approvals;

/** The calls that wait, as soon as there are so many. */
const waiting = (gate: Gateway, count = 1) =>
  vi.waitFor(async () => {
    const { data } = await port(gate).list({ status: "pending", limit: 10, order: "asc" });
    if (data.length !== count) throw new Error(`${data.length} calls wait`);
    return data;
  }, SOON);

/** An attempt follows the other at once: what is waited for is the event. */
const SOON = { timeout: 20_000, interval: 1 };

/** Turns that are under way, those that the object has not written yet too. */
async function openTurns({ guard, stub }: Gateway): Promise<number> {
  await guard.sessions.find("s");
  return runInGuard(stub, (_, { storage }) => turnsOf(storage.sql).filter(({ open }) => open).length);
}

/** As the inbox gives it. */
const answerAll = async (gate: Gateway, ...actions: Exclude<AnswerAction, "edit">[]) => {
  const data = await waiting(gate, actions.length);
  for (const [index, action] of actions.entries()) {
    await port(gate).answer(data[index]?.id ?? "", { action, via: "api", by: "ada", reason: null });
  }
};

for (const stream of [true, false]) {
  describe(`a reply that is held until somebody decides (stream ${stream})`, () => {
    const body = { ...base, stream };

    it("hands the call over in the same reply, with no other call of the model", async () => {
      const gate = await asking([says1(edits())]);
      const replying = ask(gate, body, hold);
      await answerAll(gate, "approve");
      const reply = await replying;
      expect(reply.calls).toEqual([{ id: "c1", name: "edit_note", arguments: '{"title":"Gadamer","private":true}' }]);
      expect([reply.text, reply.finish, reply.note.stop_reason]).toEqual([
        "Let me do that.",
        "tool_calls",
        "completed",
      ]);
      expect([gate.sent.length, asked(reply)]).toEqual([1, []]);
      expect(await gate.decisions()).toMatchObject([
        { effect: "confirm", disposition: "asked" },
        { effect: "allow", disposition: "released" },
      ]);
    });

    it("tells the model of a refusal, and goes on", async () => {
      const gate = await asking([says1(edits()), says1(edits("c2", { title: "Ricoeur" })), done]);
      const replying = ask(gate, body, hold);
      await answerAll(gate, "deny");
      await answerAll(gate, "deny");
      const reply = await replying;
      expect([reply.calls, reply.note.stop_reason, gate.sent.length]).toEqual([[], "completed", 3]);
      expect(outlineOf(gate.sent[2])).toEqual(["user", "assistant(c1)", "tool(c1)", "assistant(c2)", "tool(c2)"]);
      expect(
        reasonsOf(reply)
          .flat()
          .filter((code) => code === "approval_denied").length,
      ).toBe(2);
    });

    it("decides a batch call by call", async () => {
      const gate = await asking([says1(edits("c1"), edits("c2"), call("x", "unheard_of")), done]);
      const replying = ask(gate, body, hold);
      await answerAll(gate, "deny", "approve");
      const reply = await replying;
      expect(reply.calls.map(({ id }) => id)).toEqual(["c2"]);
      await ask(gate, { ...body, messages: [hi, reply.message, result("c2")] }, hold);
      expect(outlineOf(gate.sent[1])).toEqual([
        "user",
        "assistant(c1,x)",
        "tool(c1)",
        "tool(x)",
        "assistant(c2)",
        "tool(c2)",
      ]);
    });

    it("denies when the time is over, and the model is told", async () => {
      const tool = { category: "modification", timeoutSeconds: 1 };
      const gate = await asking([says1(edits()), done], { tools: { edit_note: tool } });
      const reply = await ask(gate, body, hold);
      expect([reply.calls, gate.sent.length]).toEqual([[], 2]);
      expect(reasonsOf(reply)).toContainEqual(["approval_expired"]);
      expect(JSON.stringify(gate.sent[1])).toContain("in time");
    });

    it("releases at once what needs nobody, and waits with the request that brings its result", async () => {
      const gate = await asking([says1(call("r", "read_note"), edits()), done]);
      const first = await ask(gate, body, hold);
      expect([first.calls.map(({ id }) => id), asked(first).length]).toEqual([["r"], 1]);
      const replying = ask(gate, { ...body, messages: [hi, first.message, result("r")] }, hold);
      await answerAll(gate, "approve");
      const reply = await replying;
      expect([reply.calls.map(({ id }) => id), gate.sent.length]).toEqual([["c1"], 1]);
    });
  });
}

describe("a held stream", () => {
  it("begins, and goes on to be heard of, before the model has said a word", async () => {
    const gate = await asking([says({ calls: [edits()] })], {}, { pace: { keepAliveMs: 20, unreadMs: 60_000 } });
    const response = await gate.chat({ ...base, stream: true }, hold);
    const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    let heard = "";
    while (!heard.includes(": keep-alive\n\n")) heard += (await reader.read()).value ?? "";
    await answerAll(gate, "approve");
    for (;;) {
      const { done: over, value } = await reader.read();
      if (over) break;
      heard += value;
    }
    expect(heard).toContain('"name":"edit_note"');
    expect(heard.endsWith("data: [DONE]\n\n")).toBe(true);
  });
});

describe("a client that goes away while its call waits", () => {
  it("leaves the call as it is, and finds it again by asking again", async () => {
    const gate = await asking([says1(edits())]);
    const body = { ...base, stream: true };
    const response = await gate.chat(body, hold);
    const [one] = await waiting(gate);
    await response.body?.cancel();
    await gate.settle();
    expect(await gate.turns()).toMatchObject([{ stop_reason: "aborted" }]);
    const replying = ask(gate, body, hold);
    const [again] = await waiting(gate);
    expect(again?.id).toBe(one?.id);
    await answerAll(gate, "approve");
    const reply = await replying;
    expect([reply.calls.length, gate.sent.length]).toEqual([1, 1]);
    // And once more, by a retry of that.
    expect((await ask(gate, body, hold)).calls).toEqual(reply.calls);
    expect((await gate.decisions()).filter(({ effect }) => effect === "allow").length).toBe(1);
  });

  it("finds it decided where somebody answered meanwhile", async () => {
    for (const action of ["approve", "deny"] as const) {
      const gate = await asking([says1(edits()), done]);
      const response = await gate.chat({ ...base, stream: true }, hold);
      await waiting(gate);
      await response.body?.cancel();
      await gate.settle();
      await answerAll(gate, action);
      const reply = await ask(gate, { ...base, stream: true }, hold);
      expect([reply.calls.length, gate.sent.length]).toEqual(action === "approve" ? [1, 1] : [0, 2]);
    }
  });

  it("waits in two windows at once: the call goes to one, and to the other when it asks again", async () => {
    const gate = await asking([says1(edits())]);
    const body = { ...base, stream: true };
    const one = gate.chat(body, hold).then(readAnswer);
    await waiting(gate);
    const two = gate.chat(body, hold).then(readAnswer);
    await vi.waitFor(async () => expect(await openTurns(gate)).toBe(2), SOON);
    await answerAll(gate, "approve");
    const replies = await Promise.all([one, two]);
    const calls = replies.flatMap((reply) => reply.calls);
    expect(calls).toMatchObject([{ id: "c1" }]);
    const late = replies.find((reply) => reply.calls.length === 0);
    expect(late?.error).toMatchObject({ code: "approval_settled" });
    expect((await ask(gate, body, hold)).calls).toEqual(calls);
    expect(gate.sent.length).toBe(1);
    expect((await gate.decisions()).filter(({ effect }) => effect === "allow").length).toBe(1);
  });
});
