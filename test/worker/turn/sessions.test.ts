import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createKey } from "../../../src/auth/kv-keys.ts";
import { putPolicy } from "../../../src/stores/policies/policy-source.ts";
import { type Gateway, gateway, tool, type Upstream } from "../support/gateway.ts";
import { ask, call, result, says, selects, toolsOf, user } from "../support/script.ts";

const policy = {
  tools: { read_file: { category: "read_only" }, write_file: { category: "modification", confirm: "auto" } },
  modes: {
    careful: { allow: ["category:read_only"] },
    free: { allow: ["*"], roles: ["admin"] },
  },
};
const tools = [tool("read_file"), tool("write_file")];
const started = (...upstream: Upstream[]) => gateway({ policy, upstream });

afterEach(() => {
  vi.useRealTimers();
});

describe("a session that the client names", () => {
  it("is known by the header, before `metadata.session_id`, and told back", async () => {
    const gate = await started(says({ text: "ok" }));
    const body = { messages: [user("hi")], metadata: { session_id: "from metadata" } };
    expect((await ask(gate, body)).note.session_id).toBe("from metadata");
    const { note, headers } = await ask(gate, body, { "x-toolgate-session": "caf%C3%A9%201" });
    expect(note.session_id).toBe("café 1");
    expect(headers.get("x-toolgate-session")).toBe("caf%C3%A9%201");
    expect(gate.sent[0]?.metadata).toEqual(body.metadata);
  });

  it("holds its intent from turn to turn, apart from other sessions", async () => {
    const gate = await started(
      says({ calls: [selects("general")] }),
      says({ calls: [call("c", "write_file")] }),
      says({ text: "ok" }),
    );
    const first = await ask(gate, { messages: [user("hi")], tools }, { "x-toolgate-session": "one" });
    const next = { messages: [user("hi"), first.message, result("c")], tools };
    expect((await ask(gate, next, { "x-toolgate-session": "two" })).note.intent).toBeNull();
    expect((await ask(gate, next, { "x-toolgate-session": "one" })).note.intent).toBe("general");
  });

  it("is forgotten after 24 hours without a request", async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const gate = await started(
      says({ calls: [selects("general")] }),
      says({ calls: [call("c", "write_file")] }),
      says({ calls: [call("d", "write_file")] }),
      says({ text: "ok" }),
    );
    const messages: unknown[] = [user("hi")];
    const states: (string | null)[] = [];
    for (const hours of [0, 23, 48]) {
      vi.setSystemTime(start + hours * 3600_000);
      const { message, note } = await ask(gate, { messages, tools }, { "x-toolgate-session": "s" });
      messages.push(message, result(hours === 0 ? "c" : "d"));
      states.push(note.intent);
    }
    expect(states).toEqual(["general", "general", null]);
  });

  it("withholds a tool whose definition is not the one first sent, until a reset", async () => {
    const gate = await gateway({ policy: { ...policy, handshake: { select: "off" } }, upstream: says({ text: "ok" }) });
    const other = tool("read_file", { type: "object", properties: { path: { type: "string" } } });
    const offered: string[][] = [];
    for (const [definition, session, reset] of [
      [tool("read_file"), "s", "false"],
      [other, "s", "false"],
      [other, "t", "false"],
      [tool("read_file"), "s", "false"],
      [other, "s", "true"],
    ] as const) {
      const headers = { "x-toolgate-session": session, "x-toolgate-reset": reset };
      const { note } = await ask(gate, { messages: [user("hi")], tools: [definition] }, headers);
      offered.push([...note.offered, ...note.withheld.flatMap(({ reasons }) => reasons)]);
    }
    expect(offered).toEqual([["read_file"], ["definition_changed"], ["read_file"], ["read_file"], ["read_file"]]);
  });

  it("withholds new tools once it has pinned 2,048, until a reset", async () => {
    const settings = { tools: { "t*": { category: "read_only" } }, handshake: { select: "off" } };
    const gate = await gateway({ policy: settings, upstream: says({ text: "ok" }) });
    const many = (from: number) => Array.from({ length: 1024 }, (_, index) => tool(`t${from + index}`));
    const session = { "x-toolgate-session": "s" };
    const messages: unknown[] = [];
    const asks = async (definitions: Record<string, unknown>[], headers = {}) => {
      messages.push(user("hi"));
      const { note, message } = await ask(gate, { messages, tools: definitions }, { ...session, ...headers });
      messages.push(message);
      return note;
    };
    expect((await asks(many(0))).withheld).toEqual([]);
    expect((await asks(many(1024))).withheld).toEqual([]);
    const { offered, withheld } = await asks([tool("t0"), tool("t_new")]);
    expect([offered, withheld]).toEqual([["t0"], [{ name: "t_new", reasons: ["definition_changed"] }]]);
    expect((await asks([tool("t_new")], { "x-toolgate-reset": "true" })).offered).toEqual(["t_new"]);
  });

  it("has an id of 1 to 128 characters, whole ones", async () => {
    const gate = await started(says({ text: "ok" }));
    for (const id of ["", "x".repeat(129), "s%1Fsess_1"]) {
      const { status, error } = await ask(gate, { messages: [user("hi")] }, { "x-toolgate-session": id });
      expect([status, error?.param]).toEqual([400, "x-toolgate-session"]);
    }
    const { status } = await ask(gate, { messages: [user("hi")], metadata: { session_id: "\ud800" } });
    expect(status).toBe(400);
  });

  it("is unknown to every other user", async () => {
    const gate = await started(says({ calls: [selects("general")] }), says({ text: "ok" }));
    await ask(gate, { messages: [user("hi")], tools }, { "x-toolgate-session": "mine" });
    const key = await gate.keyFor("eve", "user");
    for (const init of [{}, { method: "DELETE" }, { method: "PATCH", json: { mode: "careful" } }]) {
      expect((await gate.fetch("/v1/sessions/mine", { ...init, key })).status).toBe(404);
    }
    const mine = await gate.fetch("/v1/sessions/mine");
    expect(await mine.json()).toMatchObject({ id: "mine", state: "action", intents: ["general"], mode: "default" });
    const json = { model: "m", messages: [user("hi"), result("c")], tools };
    const headers = { "x-toolgate-session": "mine" };
    const theirs = await gate.fetch("/v1/chat/completions", { json, headers, key });
    expect(await theirs.json()).toMatchObject({ toolgate: { intent: null } });
  });
});

describe("a session that the client does not name", () => {
  const opening = { messages: [{ role: "system", content: "It is Monday" }, user("plan  my\nday")] };

  it("is opened by a request without an assistant message", async () => {
    const gate = await started(says({ text: "Gladly." }));
    const [one, two] = [await ask(gate, opening), await ask(gate, opening)];
    expect(one.note.session_id).not.toBe(two.note.session_id);
  });

  for (const stream of [true, false]) {
    it(`is found by the first message and the first reply, white space and system text apart (stream ${stream})`, async () => {
      const gate = await started(says({ text: "Gladly.\n\nWhen?" }), says({ text: "Noted." }), says({ text: "Good." }));
      const first = await ask(gate, { ...opening, stream });
      const history = [
        { role: "system", content: "It is Tuesday" },
        user([{ type: "text", text: "plan my day " }]),
        { role: "assistant", content: "Gladly. When?" },
        user("at nine"),
      ];
      const second = await ask(gate, { messages: history, stream });
      expect(second.note.session_id).toBe(first.note.session_id);
      const third = await ask(gate, { messages: [...history, second.message, user("thanks")], stream });
      expect(third.note.session_id).toBe(first.note.session_id);
    });
  }

  it("is found by a long first reply, wherever its characters fall", async () => {
    const text = `${"x".repeat(1999)}🌍 and on`;
    const gate = await started(says({ text }));
    const first = await ask(gate, opening);
    const second = await ask(gate, { messages: [...opening.messages, first.message, user("go on")] });
    expect([second.status, second.note.session_id]).toEqual([200, first.note.session_id]);
  });

  it("is found by the ids of the first reply's calls, and goes on in its task", async () => {
    const gate = await started(
      says({ calls: [selects("general")] }),
      says({ text: "Doing it", calls: [call("c1", "write_file"), call("c2", "read_file")] }),
      says({ text: "done" }),
    );
    const first = await ask(gate, { ...opening, tools });
    // Some frontends drop the words beside calls.
    const reply = { ...first.message, content: null };
    const second = await ask(gate, { messages: [...opening.messages, reply, result("c1"), result("c2")], tools });
    expect(second.note).toMatchObject({ session_id: first.note.session_id, intent: "general" });
  });

  it("is another one for another first message or another first reply", async () => {
    const gate = await started(says({ text: "Gladly." }));
    const first = await ask(gate, opening);
    const others = [
      [user("plan my night"), first.message, user("go")],
      [...opening.messages, { role: "assistant", content: "No." }, user("go")],
    ];
    for (const messages of others)
      expect((await ask(gate, { messages })).note.session_id).not.toBe(first.note.session_id);
  });

  it("is not found by another user's same conversation", async () => {
    const gate = await started(says({ text: "Gladly." }));
    const first = await ask(gate, opening);
    const json = { model: "m", messages: [...opening.messages, first.message, user("go")] };
    const response = await gate.fetch("/v1/chat/completions", { json, key: await gate.keyFor("eve", "user") });
    expect(response.headers.get("x-toolgate-session")).not.toBe(first.note.session_id);
  });
});

describe("the mode", () => {
  const session = { "x-toolgate-session": "s" };
  const body = { messages: [user("hi")], tools };
  const action = { ...policy, handshake: { select: "off" } };

  it("is set by the header, and stays", async () => {
    const gate = await gateway({ policy: action, upstream: says({ text: "ok" }) });
    await ask(gate, body, { ...session, "x-toolgate-mode": "careful" });
    await ask(gate, body, session);
    await ask(gate, body, { "x-toolgate-session": "another" });
    expect(gate.sent.map(toolsOf)).toEqual([["read_file"], ["read_file"], ["read_file", "write_file"]]);
    expect(await gate.turns()).toMatchObject([{ mode: "careful" }, { mode: "careful" }, { mode: "default" }]);
  });

  it("is set by PATCH", async () => {
    const gate = await gateway({ policy: action, upstream: says({ text: "ok" }) });
    const patch = (mode: unknown) => gate.fetch("/v1/sessions/s", { method: "PATCH", json: { mode } });
    expect((await patch("careful")).status).toBe(404);
    await ask(gate, body, session);
    expect(await (await patch("careful")).json()).toMatchObject({ id: "s", mode: "careful" });
    await ask(gate, body, session);
    expect(toolsOf(gate.sent[1])).toEqual(["read_file"]);
    expect([(await patch("nope")).status, (await patch(7)).status, (await patch("free")).status]).toEqual([
      400, 400, 403,
    ]);
  });

  it("is one that exists, or 400, and one for the role, or 403", async () => {
    const gate = await gateway({ policy, upstream: says({ text: "ok" }) });
    for (const [mode, status] of [
      ["nope", 400],
      ["__proto__", 400],
      ["free", 403],
    ] as const) {
      const answer = await ask(gate, body, { ...session, "x-toolgate-mode": mode });
      expect([answer.status, answer.error?.param]).toEqual([status, "x-toolgate-mode"]);
    }
    expect(gate.sent).toEqual([]);
    const admin = await gateway({ policy, role: "admin", upstream: says({ text: "ok" }) });
    expect((await ask(admin, body, { ...session, "x-toolgate-mode": "free" })).status).toBe(200);
  });
});

describe("a reset", () => {
  const session = { "x-toolgate-session": "s" };

  async function inAction() {
    const gate = await started(
      says({ calls: [selects("general")] }),
      says({ calls: [call("c", "write_file")] }),
      says({ text: "ok" }),
    );
    const headers = { ...session, "x-toolgate-mode": "default" };
    const first = await ask(gate, { messages: [user("hi")], tools }, headers);
    return { gate, next: { messages: [user("hi"), first.message, result("c")], tools } };
  }

  it("by header clears the intent before anything else", async () => {
    const { gate, next } = await inAction();
    const answer = await ask(gate, next, { ...session, "x-toolgate-reset": "true" });
    expect(answer.note.intent).toBeNull();
    expect(toolsOf(gate.sent[2])).toEqual(["read_file", "select_intent"]);
  });

  for (const stream of [true, false]) {
    it(`by \`/toolgate reset\` is answered by the gateway (stream ${stream})`, async () => {
      const { gate, next } = await inAction();
      await ask(gate, next, { ...session, "x-toolgate-mode": "careful" });
      const answer = await ask(
        gate,
        { messages: [...next.messages, user(" /toolgate RESET\n")], tools, stream },
        session,
      );
      expect([gate.sent.length, answer.finish]).toEqual([3, "stop"]);
      expect(answer.text).toContain("we start afresh");
      const info = await gate.fetch("/v1/sessions/s");
      expect(await info.json()).toMatchObject({ state: "request", intents: [], mode: "default", pending_calls: 0 });
    });
  }

  it("by DELETE forgets the session", async () => {
    const { gate, next } = await inAction();
    const deleted = await gate.fetch("/v1/sessions/s", { method: "DELETE" });
    expect(await deleted.json()).toEqual({ id: "s", object: "session.deleted", deleted: true });
    expect((await gate.fetch("/v1/sessions/s")).status).toBe(404);
    expect((await ask(gate, next, session)).note.intent).toBeNull();
  });

  it("asked for with `/toolgate status` is told as it stands, and stays so", async () => {
    const gate = await gateway({
      policy: { tools: { read_file: { category: "read_only" } } },
      upstream: [says({ calls: [selects("general")] }), says({ calls: [call("c1", "read_file")] })],
    });
    const named = { "x-toolgate-session": "s" };
    await ask(gate, { messages: [user("go")], tools: [tool("read_file")] }, named);
    const { message } = await ask(gate, { messages: [user("/toolgate status")], tools: [tool("read_file")] }, named);
    expect(message.content).toContain("state: acting on the request; intent: general");
    const session = await gate.fetch("/v1/sessions/s");
    expect(await session.json()).toMatchObject({ intents: ["general"], pending_calls: 1 });
  });

  it("`/toolgate status` tells what holds, without the model", async () => {
    const { gate, next } = await inAction();
    const { text } = await ask(gate, { ...next, messages: [...next.messages, user("/toolgate status")] }, session);
    expect(gate.sent.length).toBe(2);
    for (const part of [
      "conversation s",
      "mode: default",
      "role: user",
      "state: acting on the request; intent: general",
      "offered: read_file, write_file and select_intent",
    ]) {
      expect(text).toContain(part);
    }
    const other = await started(says({ text: "model" }));
    expect((await ask(other, { messages: [user("what is /toolgate status?")] })).text).toBe("model");
  });
});

describe("a retry", () => {
  const limited = { tools: { read_file: { category: "read_only", rateLimits: [{ max: 1, window: "1h" }] } } };
  const extra = { extra_content: { google: { thought_signature: "abc" } } };
  const reading = says({ calls: [{ id: "c1", name: "read_file", args: '{ "path": "x" }', extra }] });
  const body = { messages: [user("read x")], tools };
  const session = { "x-toolgate-session": "s" };
  const released = { id: "c1", type: "function", function: { name: "read_file", arguments: '{"path":"x"}' }, ...extra };

  for (const stream of [true, false]) {
    it(`of the same bytes gets the same calls, spends nothing and calls no model (stream ${stream})`, async () => {
      const gate = await gateway({ policy: limited, upstream: reading });
      const first = await ask(gate, { ...body, stream }, session);
      const again = await ask(gate, { ...body, stream }, session);
      expect(gate.sent.length).toBe(1);
      expect(again.calls).toEqual(first.calls);
      expect([again.message, again.finish]).toEqual([first.message, "tool_calls"]);
      if (!stream) expect(again.body.choices).toMatchObject([{ message: { tool_calls: [released] } }]);
      expect((await gate.decisions()).length).toBe(1);
      const info = await gate.fetch("/v1/sessions/s");
      expect(await info.json()).toMatchObject({ pending_calls: 1 });
    });
  }

  it("finds the session that the client did not name where it says that it sends again", async () => {
    const gate = await gateway({ policy: limited, upstream: reading });
    const first = await ask(gate, body, { "x-stainless-retry-count": "0" });
    const again = await ask(gate, body, { "x-stainless-retry-count": "1" });
    expect([gate.sent.length, again.note.session_id, again.calls]).toEqual([1, first.note.session_id, first.calls]);
    expect((await ask(gate, body)).note.session_id).not.toBe(first.note.session_id);
  });

  it("finds it while the first try is under way; two that say nothing of it are two conversations", async () => {
    for (const [tries, sessions] of [
      ["1", 1],
      ["0", 2],
    ] as const) {
      const [begun, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const gate = await started(
        async (...one) => {
          begun.resolve();
          await answered.promise;
          return says({ text: "Gladly." })(...one);
        },
        says({ text: "Gladly." }),
      );
      const first = ask(gate, body, { "x-stainless-retry-count": "0" });
      await begun.promise;
      const { note } = await ask(gate, body, { "x-stainless-retry-count": tries });
      answered.resolve();
      expect([tries, new Set([note.session_id, (await first).note.session_id]).size]).toEqual([tries, sessions]);
    }
  });

  it("of a first request that failed goes on in its session", async () => {
    const slow = () => Response.json({ error: { message: "slow down" } }, { status: 429 });
    const gate = await started(slow, says({ text: "Gladly." }), says({ text: "Noted." }));
    const failed = await ask(gate, body, { "x-stainless-retry-count": "0" });
    expect(failed.status).toBe(429);
    await gate.settle();
    const { note, message } = await ask(gate, body, { "x-stainless-retry-count": "1" });
    expect(failed.headers.get("x-toolgate-session")).toBe(note.session_id);
    await gate.settle();
    const next = await ask(gate, { messages: [...body.messages, message, user("go on")], tools });
    expect(next.note.session_id).toBe(note.session_id);
  });

  it("of a first request may get another reply, and the session is found by that one", async () => {
    const gate = await started(says({ text: "Gladly." }), says({ text: "Sure." }), says({ text: "Noted." }));
    const lost = await ask(gate, body);
    await gate.settle();
    const { message } = await ask(gate, body, { "x-stainless-retry-count": "1" });
    await gate.settle();
    const next = await ask(gate, { messages: [...body.messages, message, user("go on")], tools });
    expect(next.note.session_id).toBe(lost.note.session_id);
  });

  it("is decided anew where mode, role or connections are not what they were", async () => {
    const changes: readonly ((gate: Gateway) => Promise<Record<string, string>>)[] = [
      async (gate) => {
        await gate.fetch("/v1/sessions/s", { method: "PATCH", json: { mode: "careful" } });
        return session;
      },
      async (gate) => ({ ...session, authorization: `Bearer ${await gate.keyFor(gate.user, "guest")}` }),
      async ({ tenant, user: name }) => {
        const other = { tenant, user: name, role: "user", connections: ["google"] };
        return { ...session, authorization: `Bearer ${(await createKey(env.KV, other, Date.now())).token}` };
      },
    ];
    for (const change of changes) {
      const gate = await started(reading, says({ text: "anew" }));
      await ask(gate, body, session);
      const answer = await ask(gate, body, await change(gate));
      expect([answer.text, answer.calls]).toEqual(["anew", []]);
    }
  });

  it("is decided anew under another version of the policy", async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const gate = await started(reading, says({ text: "anew" }));
    // The worker looks for a new version every 60 s.
    await gate.fetch("/v1/sessions/s");
    vi.setSystemTime(start + 30_000);
    await ask(gate, body, session);
    await putPolicy(env.KV, gate.tenant, { ...policy, execution: { maxSteps: 2 } }, Date.now());
    await ask(gate, body, session);
    expect(gate.sent.length).toBe(1);
    vi.setSystemTime(start + 61_000);
    expect((await ask(gate, body, session)).text).toBe("anew");
  });

  it("of other bytes, or in another session, or after a reset, is a request of its own", async () => {
    const others = [
      [{ ...body, user: "x" }, session],
      [body, { "x-toolgate-session": "t" }],
      [body, { ...session, "x-toolgate-reset": "true" }],
    ] as const;
    for (const [other, headers] of others) {
      const gate = await gateway({ policy: limited, upstream: reading });
      await ask(gate, body, session);
      const { calls, note } = await ask(gate, other, headers);
      expect(calls).toEqual([]);
      expect(note.decisions[0]?.reasons[0]?.code).toBe("rate_limited");
    }
  });

  it("is not answered from before once a call is settled", async () => {
    const gate = await gateway({ policy, upstream: [reading, says({ text: "done" }), reading] });
    const { message } = await ask(gate, body, session);
    await ask(gate, { messages: [...body.messages, message, result("c1")], tools }, session);
    await ask(gate, body, session);
    expect(gate.sent.length).toBe(3);
  });

  it("is not answered from before after 60 s", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const gate = await gateway({ policy, upstream: reading });
    await ask(gate, body, session);
    vi.setSystemTime(Date.now() + 59_000);
    await ask(gate, body, session);
    expect(gate.sent.length).toBe(1);
    vi.setSystemTime(Date.now() + 2_000);
    await ask(gate, body, session);
    expect(gate.sent.length).toBe(2);
  });
});
