import { describe, expect, it } from "vitest";
import { gateway, tool } from "../../support/gateway.ts";
import {
  ask,
  call,
  choicesOf,
  messagesOf,
  outlineOf,
  result,
  says,
  selects,
  toolsOf,
  user,
} from "../../support/script.ts";

const listed = {
  read_file: { category: "read_only" },
  write_file: { category: "modification", confirm: "auto" },
  web_get: { category: "read_only" },
};
const all = [tool("write_file"), tool("read_file"), tool("web_get")];
const hi = [user("please do")];

describe("before an intent stands", () => {
  it("sends only safe tools and the handshake tool, the client's own bytes in the client's order", async () => {
    const gate = await gateway({ policy: { tools: listed }, upstream: says({ text: "ok" }) });
    const odd = { "x-vendor": 1, type: "function", function: { strict: true, parameters: {}, name: "web_get" } };
    const tools = [tool("write_file"), odd, tool("unheard_of"), tool("read_file")];
    const { note, headers } = await ask(gate, { messages: hi, tools });
    expect(toolsOf(gate.sent[0])).toEqual(["web_get", "read_file", "select_intent"]);
    const sent = gate.sent[0]?.tools as unknown[];
    expect(sent.slice(0, 2).map((one) => JSON.stringify(one))).toEqual([JSON.stringify(odd), JSON.stringify(tools[3])]);
    expect(note).toMatchObject({
      state: "reasoning",
      intent: null,
      offered: ["web_get", "read_file"],
      withheld: [
        { name: "write_file", reasons: ["state_forbids"] },
        { name: "unheard_of", reasons: ["state_forbids"] },
      ],
    });
    expect(headers.get("x-toolgate-state")).toBe("request");
  });

  it("lists in the handshake only intents that this principal could act under", async () => {
    const intents = {
      WRITE: { tools: ["write_file"] },
      DEPLOY: { tools: ["deploy"] },
      TALK: { tools: [] },
      ANY: {},
    };
    const gate = await gateway({
      policy: { tools: { ...listed, deploy: { roles: ["admin"] } }, intents },
      upstream: says({ text: "ok" }),
    });
    await ask(gate, { messages: hi, tools: [tool("write_file"), tool("deploy")] });
    expect(gate.sent[0]?.tools).toMatchObject([
      {
        function: {
          name: "select_intent",
          parameters: { properties: { intents: { items: { enum: ["WRITE", "TALK", "ANY"] } } } },
        },
      },
    ]);
  });

  it("needs no handshake where no tools are sent", async () => {
    const gate = await gateway({ policy: { tools: listed }, upstream: says({ text: "ok" }) });
    await ask(gate, { messages: hi });
    expect(gate.sent[0]).not.toHaveProperty("tools");
  });
});

describe("selecting an intent", () => {
  for (const stream of [true, false]) {
    it(`calls the model again in the same turn with the new offer, unseen by the client (stream ${stream})`, async () => {
      const gate = await gateway({
        policy: { tools: listed },
        upstream: [says({ calls: [selects("general")] }), says({ calls: [call("c1", "write_file")] })],
      });
      const answer = await ask(gate, { messages: hi, tools: all, stream });
      expect(toolsOf(gate.sent[1])).toEqual(["write_file", "read_file", "web_get", "select_intent"]);
      expect(outlineOf(gate.sent[1])).toEqual(["user", "assistant(call_hs)", "tool(call_hs)"]);
      expect(messagesOf(gate.sent[1])[2]?.content).toMatch(/^selected/);
      expect(answer.calls).toEqual([{ id: "c1", name: "write_file", arguments: "{}" }]);
      expect(JSON.stringify(choicesOf(answer))).not.toMatch(/call_hs|select_intent/);
      expect(answer.finish).toBe("tool_calls");
      expect(answer.note).toMatchObject({ state: "action", intent: "general" });
      expect(await gate.decisions()).toMatchObject([
        { tool: "select_intent", effect: "allow", disposition: "hidden", state: "reasoning", step: 1 },
        { tool: "write_file", effect: "allow", disposition: "released", state: "action", step: 2 },
      ]);
      expect(await gate.turns()).toMatchObject([{ state_opened: "request", state_closed: "action", steps: 2 }]);
    });
  }

  const narrowed = {
    tools: listed,
    families: { files: ["*_file"], web: ["web_*"] },
    intents: {
      WRITE: { tools: ["write_file"] },
      TALK: { tools: [] },
      FILES: { families: { allowedFamilies: ["files"] } },
      ANY: {},
    },
  };
  const under = {
    WRITE: ["write_file"],
    TALK: [],
    FILES: ["write_file", "read_file"],
    ANY: ["write_file", "read_file", "web_get"],
  };
  for (const [intent, offered] of Object.entries(under)) {
    it(`narrows the offer to what ${intent} names, and keeps the handshake`, async () => {
      const gate = await gateway({
        policy: narrowed,
        upstream: [says({ calls: [selects(intent)] }), says({ text: "done" })],
      });
      await ask(gate, { messages: hi, tools: all });
      expect(toolsOf(gate.sent[1])).toEqual([...offered, "select_intent"]);
    });
  }

  it("lets the model add an intent, and holds both", async () => {
    const gate = await gateway({
      policy: { ...narrowed, intents: { ...narrowed.intents, READ: { tools: ["read_file"] } } },
      upstream: [
        says({ calls: [selects("READ")] }),
        says({ calls: [selects("WRITE", "hs2")] }),
        says({ text: "done" }),
      ],
    });
    const { note } = await ask(gate, { messages: hi, tools: all });
    expect(gate.sent.map(toolsOf)).toEqual([
      ["read_file", "web_get", "select_intent"],
      ["read_file", "select_intent"],
      ["write_file", "read_file", "select_intent"],
    ]);
    expect(note).toMatchObject({ intent: "READ", intents: ["READ", "WRITE"] });
  });

  it.each([
    ["one call", [call("h1", "select_intent", { intents: ["TALK", "WRITE"] })]],
    ["two calls of one step", [selects("TALK", "h1"), selects("WRITE", "h2")]],
  ])("takes several intents in %s, and unites their tools", async (_, calls) => {
    const gate = await gateway({ policy: narrowed, upstream: [says({ calls }), says({ text: "done" })] });
    const { note } = await ask(gate, { messages: hi, tools: all });
    expect(note).toMatchObject({ intents: ["TALK", "WRITE"], decisions: [] });
    expect(toolsOf(gate.sent[1])).toEqual(["write_file", "select_intent"]);
  });

  it("asks for all that the task needs before anything is read", async () => {
    const gate = await gateway({ policy: narrowed, upstream: says({ text: "ok" }) });
    await ask(gate, { messages: hi, tools: all });
    expect(JSON.stringify(gate.sent[0]?.tools)).toMatch(
      /all that the task needs, in one call, before you read anything/,
    );
  });

  it("demands what each of the intents requires, those that the model added too", async () => {
    const required = { families: { requiredSuccessFamilies: ["files"], failTaskIfUnmet: true } };
    const gate = await gateway({
      policy: { ...narrowed, intents: { STRICT: required, TALK: { tools: [] } } },
      upstream: [says({ calls: [selects("STRICT")] }), says({ calls: [selects("TALK", "h2")] }), says({ text: "so" })],
    });
    const { note } = await ask(gate, { messages: hi, tools: all });
    expect(note.stop_reason).toBe("intent_execution_failed");
  });

  it("takes the same intent twice in one step for one choice", async () => {
    const gate = await gateway({
      policy: narrowed,
      upstream: [says({ calls: [selects("WRITE", "h1"), selects("WRITE", "h2")] }), says({ text: "done" })],
    });
    expect((await ask(gate, { messages: hi, tools: all })).note.intent).toBe("WRITE");
  });

  it("refuses an intent that was not in the handshake, and says which there are", async () => {
    for (const intent of ["__proto__", "nothing"]) {
      const gate = await gateway({
        policy: narrowed,
        upstream: [says({ calls: [selects(intent)] }), says({ text: "ok" })],
      });
      const { note } = await ask(gate, { messages: hi, tools: all });
      expect(note).toMatchObject({
        intent: null,
        decisions: [{ effect: "deny", reasons: [{ code: "intent_unknown" }] }],
      });
      expect(messagesOf(gate.sent[1])[2]?.content).toContain("`WRITE`, `TALK`, `FILES`, `ANY`");
    }
  });

  it("is renamed by `handshake.tool`", async () => {
    const gate = await gateway({
      policy: { tools: listed, handshake: { tool: "declare_goal" } },
      upstream: [says({ calls: [call("h", "declare_goal", { intent: "general" })] }), says({ text: "ok" })],
    });
    const { note } = await ask(gate, { messages: hi, tools: all });
    expect(toolsOf(gate.sent[0])).toEqual(["read_file", "web_get", "declare_goal"]);
    expect(note.intent).toBe("general");
  });

  it("refuses a client's tool of the handshake's name with 400, before the model is called", async () => {
    const gate = await gateway({ policy: { tools: listed }, upstream: says({ text: "ok" }) });
    const { status, error } = await ask(gate, { messages: hi, tools: [...all, tool("select_intent")] });
    expect([status, error?.code, error?.param]).toEqual([400, "reserved_tool_name", "tools"]);
    expect(gate.sent).toEqual([]);
  });

  it("leaves the name to the client where there is no handshake", async () => {
    const gate = await gateway({
      policy: { tools: { "*": { confirm: "auto" } }, handshake: { select: "off" } },
      upstream: says({ calls: [selects("x")] }),
    });
    const { calls } = await ask(gate, { messages: hi, tools: [tool("select_intent")] });
    expect(calls).toMatchObject([{ name: "select_intent" }]);
  });
});

describe("how long an intent is held", () => {
  it("a continuation keeps it, a new user message clears it", async () => {
    const gate = await gateway({
      policy: { tools: listed },
      upstream: [
        says({ calls: [selects("general")] }),
        says({ calls: [call("c1", "write_file")] }),
        says({ text: "written" }),
      ],
    });
    const session = { "x-toolgate-session": "s" };
    const first = await ask(gate, { messages: hi, tools: all }, session);
    const history = [...hi, first.message, result("c1")];
    const second = await ask(gate, { messages: history, tools: all }, session);
    expect(toolsOf(gate.sent[2])).toContain("write_file");
    expect([second.headers.get("x-toolgate-state"), second.headers.get("x-toolgate-intent")]).toEqual([
      "action",
      "general",
    ]);
    const third = await ask(
      gate,
      { messages: [...history, second.message, user("tell me of the tides")], tools: all },
      session,
    );
    expect(toolsOf(gate.sent[3])).toEqual(["read_file", "web_get", "select_intent"]);
    expect([third.headers.get("x-toolgate-state"), third.headers.get("x-toolgate-intent")]).toEqual(["request", null]);
  });

  it("`select: off` has no handshake and offers all from the start", async () => {
    const gate = await gateway({
      policy: { tools: listed, handshake: { select: "off" } },
      upstream: says({ text: "ok" }),
    });
    const { note } = await ask(gate, { messages: hi, tools: all });
    expect(toolsOf(gate.sent[0])).toEqual(["write_file", "read_file", "web_get"]);
    expect(note).toMatchObject({ state: "action", intent: null, withheld: [] });
  });
});

describe("`tool_choice`", () => {
  const named = (name: string) => ({ type: "function", function: { name } });
  const allowed = (mode: string, ...names: string[]) => ({
    type: "allowed_tools",
    allowed_tools: { mode, tools: names.map(named) },
  });
  const reasoning = () => gateway({ policy: { tools: listed }, upstream: says({ text: "ok" }) });
  const action = async () => {
    const gate = await gateway({
      policy: { tools: listed },
      upstream: [
        says({ calls: [selects("general")] }),
        says({ calls: [call("c1", "read_file")] }),
        says({ text: "ok" }),
      ],
    });
    const first = await ask(gate, { messages: hi, tools: all }, { "x-toolgate-session": "s" });
    return { gate, history: [...hi, first.message, result("c1")] };
  };

  it("that demands a call ends the turn where the intent selected leaves no tool", async () => {
    const gate = await gateway({
      policy: { tools: listed, intents: { TALK: { tools: [] } } },
      upstream: says({ calls: [selects("TALK")] }),
    });
    const { note, message } = await ask(gate, { messages: hi, tools: all, tool_choice: "required" });
    expect(gate.sent).toHaveLength(1);
    expect(note).toMatchObject({ stop_reason: "tool_policy_blocked", intent: "TALK" });
    expect(message.content).toContain("under the intent TALK no tool may be used");
  });

  it("is sent as the client wrote it where it demands nothing of one tool", async () => {
    for (const choice of ["auto", "required"]) {
      const gate = await reasoning();
      await ask(gate, { messages: hi, tools: all, tool_choice: choice });
      expect(gate.sent[0]?.tool_choice).toBe(choice);
      expect(toolsOf(gate.sent[0])).toEqual(["read_file", "web_get", "select_intent"]);
      const after = await action();
      await ask(
        after.gate,
        { messages: after.history, tools: all, tool_choice: choice },
        { "x-toolgate-session": "s" },
      );
      expect(after.gate.sent[2]?.tool_choice).toBe(choice);
    }
    const gate = await reasoning();
    await ask(gate, { messages: hi, tools: all });
    expect(gate.sent[0]).not.toHaveProperty("tool_choice");
  });

  it("`none`: no handshake is sent, and a call made all the same is refused", async () => {
    const gate = await gateway({
      policy: { tools: listed },
      upstream: [says({ calls: [call("c1", "read_file")] }), says({ text: "ok" })],
    });
    const { calls, note } = await ask(gate, { messages: hi, tools: all, tool_choice: "none" });
    expect(gate.sent[0]?.tool_choice).toBe("none");
    expect(toolsOf(gate.sent[0])).not.toContain("select_intent");
    expect(calls).toEqual([]);
    expect(note.decisions).toMatchObject([{ tool: "read_file", effect: "deny" }]);
  });

  it("a named tool needs no handshake: it is the application's choice", async () => {
    const gate = await gateway({ policy: { tools: listed }, upstream: says({ calls: [call("c1", "write_file")] }) });
    const { calls } = await ask(gate, { messages: hi, tools: all, tool_choice: named("write_file") });
    expect(gate.sent[0]?.tool_choice).toEqual(named("write_file"));
    expect(toolsOf(gate.sent[0])).not.toContain("select_intent");
    expect(calls).toMatchObject([{ name: "write_file" }]);
  });

  it("a named tool does not let another tool by", async () => {
    const gate = await gateway({
      policy: { tools: listed, execution: { maxCorrections: 0 } },
      upstream: says({ calls: [call("c1", "read_file")] }),
    });
    const { calls, finish } = await ask(gate, { messages: hi, tools: all, tool_choice: named("write_file") });
    expect([calls, finish]).toEqual([[], "stop"]);
  });

  it("a named tool is refused with 400 and the reasons where `handshake.forced` is `refuse`", async () => {
    const gate = await gateway({
      policy: { tools: listed, handshake: { forced: "refuse" } },
      upstream: says({ text: "ok" }),
    });
    const { status, error } = await ask(gate, { messages: hi, tools: all, tool_choice: named("write_file") });
    expect([status, error?.code, error?.param]).toEqual([400, "tool_policy_blocked", "tool_choice"]);
    expect(error?.message).toContain("no change was asked for yet");
    expect(gate.sent).toEqual([]);
    expect(await gate.turns()).toMatchObject([{ stop_reason: "request_refused", steps: 0 }]);
  });

  it("a named tool passes all other rules or is refused with 400 and the reasons", async () => {
    const gate = await gateway({ policy: { tools: { deploy: { roles: ["admin"] } } }, upstream: says({ text: "ok" }) });
    const { status, error } = await ask(gate, { messages: hi, tools: [tool("deploy")], tool_choice: named("deploy") });
    expect([status, error?.code]).toEqual([400, "tool_policy_blocked"]);
    expect(error?.message).toContain("only `admin` may");
  });

  it("`allowed_tools` is narrowed to what is offered, with the handshake added; other tools are refused", async () => {
    const gate = await gateway({
      policy: { tools: listed },
      upstream: [says({ calls: [call("c1", "web_get"), call("c2", "read_file")] })],
    });
    const choice = allowed("auto", "write_file", "read_file");
    const { calls } = await ask(gate, { messages: hi, tools: all, tool_choice: choice });
    expect(gate.sent[0]?.tool_choice).toEqual(allowed("auto", "read_file", "select_intent"));
    expect(calls).toMatchObject([{ name: "read_file" }]);
  });

  it("`required` with nothing to offer is 400 with the reasons", async () => {
    const policy = { tools: { read_file: { roles: ["admin"] } }, handshake: { select: "off" } };
    for (const choice of ["required", allowed("required", "read_file")]) {
      const gate = await gateway({ policy, upstream: says({ text: "ok" }) });
      const { status, error } = await ask(gate, { messages: hi, tools: [tool("read_file")], tool_choice: choice });
      expect([status, error?.code, error?.param]).toEqual([400, "tool_policy_blocked", "tool_choice"]);
      expect(error?.message).toContain("read_file");
      expect(gate.sent).toEqual([]);
    }
  });

  it("that names no tool of the request is 400", async () => {
    for (const choice of [named("nope"), allowed("auto", "nope"), allowed("auto"), "sometimes", { type: "custom" }]) {
      const gate = await reasoning();
      const { status, error } = await ask(gate, { messages: hi, tools: all, tool_choice: choice });
      expect([status, error?.param]).toEqual([400, "tool_choice"]);
    }
  });
});
