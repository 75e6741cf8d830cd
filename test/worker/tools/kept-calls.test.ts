/** What is kept of released calls, so that they can be listed and undone. */
import { describe, expect, it } from "vitest";
import { MAX_STORED_UNITS } from "../../../src/ports/calls-port.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { runInGuard } from "../support/run-in-guard.ts";
import { ask, call, result, says, user } from "../support/script.ts";

const policy = {
  tools: {
    create_note: { category: "note_taking", confirm: "auto", redact: ["content"], undo: "delete_note" },
    delete_note: { category: "modification", confirm: "auto" },
    search: { category: "read_only" },
    look_up: { category: "read_only", redact: ["name"] },
  },
  handshake: { select: "off" },
};
const tools = ["create_note", "delete_note", "search", "look_up"].map((name) => tool(name));
const session = { "x-toolgate-session": "s" };
const hi = user("note it");
const note = { title: "T", content: "private" };

const callsOf = ({ guard }: Gateway) => guard.calls;
const kept = async (gate: Gateway) => (await callsOf(gate).list({ limit: 100, order: "asc" })).data;

/** A note is made, and something is searched; then the results come back. */
async function played(content: unknown, role = "user"): Promise<Gateway> {
  const gate = await gateway({
    policy,
    role,
    upstream: [
      says({ calls: [call("a", "create_note", note), call("b", "search", { q: "x" })] }),
      says({ text: "ok" }),
    ],
  });
  const { message } = await ask(gate, { messages: [hi], tools }, session);
  await ask(gate, { messages: [hi, message, { ...result("a"), content }, result("b", "hits")], tools }, session);
  await gate.settle();
  return gate;
}

describe("a released call", () => {
  it("is kept with what its undo may need, and only that", async () => {
    const gate = await played('{"note_id":"n1"}');
    const [made, searched] = await kept(gate);
    const recorded = { title: "T", content: "[redacted]" };
    expect(made).toMatchObject({ tool: "create_note", callId: "a", session: "s", recorded, outcome: "succeeded" });
    expect(JSON.parse(made?.arguments ?? "")).toEqual(note);
    expect(made?.result).toBe('{"note_id":"n1"}');
    expect(searched).toMatchObject({ tool: "search", outcome: "succeeded", recorded: { q: "x" } });
    expect([searched?.arguments, searched?.result]).toEqual([undefined, undefined]);
    const [first] = await gate.decisions();
    expect(made?.id).toBe(first?.id);
    expect(await callsOf(gate).find(String(made?.id))).toEqual(made);
  });

  it("is kept without a result that is too long, and the text of parts is one", async () => {
    const [long] = await kept(await played("x".repeat(MAX_STORED_UNITS + 1)));
    expect([long?.outcome, long?.result]).toEqual(["succeeded", undefined]);
    const [whole] = await kept(await played("x".repeat(MAX_STORED_UNITS)));
    expect(whole?.result).toHaveLength(MAX_STORED_UNITS);
    const [parts] = await kept(await played([{ type: "text", text: '{"note_id":1}' }]));
    expect(parts?.result).toBe('{"note_id":1}');
  });

  it("keeps no result that the client made up for a call of another tool's name", async () => {
    const gate = await gateway({ policy, upstream: [says({ calls: [call("b", "search")] }), says({ text: "ok" })] });
    await ask(gate, { messages: [hi], tools }, session);
    const forged = {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "b", type: "function", function: { name: "create_note", arguments: "{}" } }],
    };
    await ask(gate, { messages: [hi, forged, result("b", "planted")], tools }, session);
    expect(await kept(gate)).toMatchObject([{ tool: "search", outcome: "succeeded" }]);
    expect((await kept(gate))[0]?.result).toBeUndefined();
  });

  it("is told page by page, in order, and by session", async () => {
    const gate = await played("done");
    const [made, searched] = await kept(gate);
    const page = async (query: object) => callsOf(gate).list({ limit: 1, order: "desc", ...query });
    expect(await page({})).toEqual({ data: [searched], hasMore: true });
    expect(await page({ after: searched?.id })).toEqual({ data: [made], hasMore: false });
    expect(await page({ session: "other" })).toEqual({ data: [], hasMore: false });
  });

  it("outlives its session where that idles out, goes with one that is deleted, and is forgotten after 30 days", async () => {
    const gate = await played("done");
    const age = (days: number) =>
      runInGuard(gate.stub, async (instance, { storage }) => {
        const at = Date.now() - days * 24 * 3600_000;
        storage.sql.exec("UPDATE calls SET at = ?", at);
        storage.sql.exec("UPDATE sessions SET seen = ?", at);
        await instance.alarm();
        return storage.sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM calls").one().n;
      });
    expect(await age(2)).toBe(2);
    expect((await gate.fetch("/v1/sessions/s")).status).toBe(404);
    expect(await age(31)).toBe(0);
    const other = await played("done");
    await other.fetch("/v1/sessions/s", { method: "DELETE" });
    expect(await kept(other)).toEqual([]);
  });

  /** A call is released, of which nobody has brought a result. */
  async function released() {
    const calls = [call("b", "search", { q: "x" }), call("c", "look_up", { name: "Ada" })];
    const gate = await gateway({ policy, upstream: [says({ calls }), says({ text: "ok" })] });
    const { message } = await ask(gate, { messages: [hi], tools }, session);
    await gate.settle();
    return { gate, messages: [hi, message, result("b", "hits"), result("c", "her number")] };
  }
  const argumentsOf = (gate: Gateway) =>
    runInGuard(gate.stub, (_, { storage }) =>
      storage.sql
        .exec("SELECT arguments FROM calls ORDER BY ordinal")
        .toArray()
        .map((row) => row.arguments),
    );
  const idleOut = (gate: Gateway) =>
    runInGuard(gate.stub, async (instance, { storage }) => {
      storage.sql.exec("UPDATE sessions SET seen = ?", Date.now() - 2 * 24 * 3600_000);
      await instance.alarm();
    });

  it("loses what its record leaves out of its arguments once it is settled, or its session is over", async () => {
    const settled = await released();
    // Of the first one the record says all.
    expect(await argumentsOf(settled.gate)).toEqual([null, '{"name":"Ada"}']);
    await ask(settled.gate, { messages: settled.messages, tools }, session);
    await settled.gate.settle();
    expect(await kept(settled.gate)).toMatchObject([{ outcome: "succeeded" }, { outcome: "succeeded" }]);
    expect(await argumentsOf(settled.gate)).toEqual([null, null]);
    const { gate } = await released();
    await idleOut(gate);
    expect(await kept(gate)).toMatchObject([{ outcome: null }, { outcome: null }]);
    expect(await argumentsOf(gate)).toEqual([null, null]);
  });

  it("is of no other session that has the same id later", async () => {
    const { gate, messages } = await released();
    const pending = async () => (await (await gate.fetch("/v1/sessions/s")).json()) as { pending_calls?: number };
    const before = await pending();
    await idleOut(gate);
    await ask(gate, { messages, tools }, session);
    await gate.settle();
    expect(await kept(gate)).toMatchObject([{ outcome: null }, { outcome: null }]);
    expect([before, await pending()]).toMatchObject([{ pending_calls: 2 }, { pending_calls: 0 }]);
  });

  it("that never reached the client is not kept", async () => {
    const gate = await gateway({ policy, upstream: says({ calls: [call("a", "create_note", note)] }) });
    const { body } = await gate.chat({ messages: [hi], tools, stream: true }, session);
    await body?.cancel();
    await gate.settle();
    expect(await kept(gate)).toEqual([]);
  });
});
