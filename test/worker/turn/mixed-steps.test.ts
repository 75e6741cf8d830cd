import { describe, expect, it } from "vitest";
import { type Gateway, gateway, tool, type Upstream } from "../support/gateway.ts";
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
} from "../support/script.ts";

const policy = {
  results: { mark: false },
  tools: {
    read_file: { category: "read_only" },
    list_files: { category: "read_only" },
    write_file: { category: "modification", confirm: "auto" },
    deploy: { category: "read_only", roles: ["admin"] },
  },
};
const tools = [tool("read_file"), tool("list_files"), tool("write_file"), tool("deploy")];
const hi = [user("please do")];
const session = { "x-toolgate-session": "s" };
const started = (upstream: readonly Upstream[], more: object = {}): Promise<Gateway> =>
  gateway({ policy: { ...policy, ...more }, upstream });

describe("a step that mixes kinds of calls", () => {
  const mixed = says({
    text: "Let me see.",
    calls: [selects("general"), call("c1", "read_file"), call("c2", "deploy"), call("c3", "write_file")],
  });

  it("applies the handshake, releases what was offered, refuses the rest, and ends the turn", async () => {
    const gate = await started([mixed]);
    const { calls, note, finish } = await ask(gate, { messages: hi, tools });
    expect(calls).toMatchObject([{ id: "c1", name: "read_file" }]);
    expect([finish, note.intent, gate.sent.length]).toEqual(["tool_calls", "general", 1]);
    expect(await gate.decisions()).toMatchObject([
      { tool: "select_intent", effect: "allow", disposition: "hidden", ordinal: 0 },
      { tool: "read_file", effect: "allow", disposition: "released", ordinal: 1 },
      { tool: "deploy", effect: "deny", disposition: "refused", ordinal: 2 },
      // Vetted against the offer as it was sent, which the handshake beside it does not change.
      { tool: "write_file", effect: "deny", disposition: "refused", ordinal: 3 },
    ]);
  });

  for (const stream of [true, false]) {
    it(`puts the hidden part back before the released part, its words once (stream ${stream})`, async () => {
      const gate = await started([mixed, says({ text: "done" })]);
      const first = await ask(gate, { messages: hi, tools, stream }, session);
      expect(first.text).toBe("Let me see.");
      await ask(gate, { messages: [...hi, first.message, result("c1")], tools, stream }, session);
      expect(outlineOf(gate.sent[1])).toEqual([
        "user",
        "assistant(call_hs,c2,c3)",
        "tool(call_hs)",
        "tool(c2)",
        "tool(c3)",
        "assistant(c1)",
        "tool(c1)",
      ]);
      expect(messagesOf(gate.sent[1]).filter(({ content }) => content === "Let me see.").length).toBe(1);
      expect(toolsOf(gate.sent[1])).toContain("write_file");
    });
  }

  it("decides a parallel batch call by call: one refusal does not cancel its siblings", async () => {
    const batch = [call("a", "read_file"), call("b", "deploy"), call("c", "list_files"), call("d", "read_file", "{")];
    const gate = await started([says({ calls: batch })]);
    const { calls } = await ask(gate, { messages: hi, tools, stream: true });
    expect(calls.map(({ id }) => id)).toEqual(["a", "c"]);
  });
});

describe("exchanges that the client never saw", () => {
  it("return once, before the message whose call they came with, also where a provider repeats ids", async () => {
    const gate = await started([
      says({ calls: [call("call_0", "read_file")] }),
      says({ calls: [call("x", "deploy")] }),
      says({ calls: [call("call_0", "list_files")] }),
      says({ calls: [call("call_0", "read_file")] }),
      says({ text: "done" }),
    ]);
    const history: unknown[] = [...hi];
    for (let turn = 0; turn < 3; turn++) {
      const { message } = await ask(gate, { messages: history, tools }, session);
      history.push(message, result("call_0"));
    }
    await ask(gate, { messages: history, tools }, session);
    expect(outlineOf(gate.sent[4])).toEqual([
      "user",
      "assistant(call_0)",
      "tool(call_0)",
      "assistant(x)",
      "tool(x)",
      "assistant(call_0)",
      "tool(call_0)",
      "assistant(call_0)",
      "tool(call_0)",
    ]);
  });

  it("find their message where the client has dropped earlier ones", async () => {
    const gate = await started([
      says({ calls: [call("c1", "read_file")] }),
      says({ calls: [call("x", "deploy")] }),
      says({ calls: [call("c2", "read_file")] }),
      says({ text: "done" }),
    ]);
    const first = await ask(gate, { messages: hi, tools }, session);
    const second = await ask(gate, { messages: [...hi, first.message, result("c1")], tools }, session);
    await ask(gate, { messages: [...hi, second.message, result("c2")], tools }, session);
    expect(outlineOf(gate.sent[3])).toEqual(["user", "assistant(x)", "tool(x)", "assistant(c2)", "tool(c2)"]);
  });

  it("are gone when the task is", async () => {
    const gate = await started([
      says({ calls: [selects("general")] }),
      says({ calls: [call("call_0", "read_file")] }),
      says({ text: "done" }),
    ]);
    const first = await ask(gate, { messages: hi, tools }, session);
    const history = [...hi, first.message, result("call_0")];
    const second = await ask(gate, { messages: history, tools }, session);
    expect(outlineOf(gate.sent[2]).length).toBe(5);
    await ask(gate, { messages: [...history, second.message, user("next")], tools }, session);
    expect(outlineOf(gate.sent[3])).toEqual(["user", "assistant(call_0)", "tool(call_0)", "assistant", "user"]);
  });

  it("survive a request that the upstream failed: its retry has them again", async () => {
    const gate = await started([
      says({ calls: [selects("general")] }),
      says({ calls: [call("c1", "write_file")] }),
      () => Response.json({ error: { message: "busy" } }, { status: 429 }),
      says({ text: "done" }),
    ]);
    const first = await ask(gate, { messages: hi, tools }, session);
    const next = { messages: [...hi, first.message, result("c1")], tools };
    expect((await ask(gate, next, session)).status).toBe(429);
    await ask(gate, next, session);
    expect(outlineOf(gate.sent[3])).toEqual(outlineOf(gate.sent[2]));
    expect(outlineOf(gate.sent[3])[1]).toBe("assistant(call_hs)");
  });
});

describe("JSON mode", () => {
  const json = { tools, messages: hi, response_format: { type: "json_object" } };
  const steps = [
    says({ text: "I will look.", calls: [call("x", "deploy")], id: "one" }),
    says({ text: '{"ok":true}', calls: [], id: "two" }),
  ];
  for (const stream of [true, false]) {
    it(`holds words back: those of hidden steps are not mixed in (stream ${stream})`, async () => {
      const gate = await started(steps);
      const { text, note } = await ask(gate, { ...json, stream });
      expect(text).toBe('{"ok":true}');
      expect(note.decisions).toMatchObject([{ tool: "deploy", effect: "deny" }]);
    });

    it(`tells a stop as a refusal, not as text (stream ${stream})`, async () => {
      const gate = await started(steps, { execution: { maxCorrections: 0 } });
      const { text, refusal, finish } = await ask(gate, { ...json, stream });
      expect([text, finish]).toEqual(["", "stop"]);
      expect(refusal).toContain("deploy");
    });
  }

  it("sends the role once", async () => {
    const gate = await started([steps[0] as Upstream, says({ text: "{}", calls: [call("c", "read_file")] })]);
    const { events } = await ask(gate, { ...json, stream: true });
    expect(events.filter(({ raw }) => raw.includes('"role"')).length).toBe(1);
  });
});

describe("several steps in one reply", () => {
  const first = { calls: [selects("general")], id: "one", created: 1, usage: { prompt_tokens: 10, total_tokens: 12 } };
  const usage = { prompt_tokens: 20, total_tokens: 25, prompt_tokens_details: { cached_tokens: 4 } };
  const second = { text: "Hello", calls: [call("c", "write_file")], id: "two", created: 2, usage };

  it("carry the first one's id and created, and one role", async () => {
    for (const more of [{}, { usage: undefined }]) {
      const gate = await started([says({ ...first, ...more }), says({ ...second, ...more })]);
      const { events } = await ask(gate, { messages: hi, tools, stream: true });
      const chunks = events.flatMap(({ json: one }) => (one ? [one as { id: string; created: number }] : []));
      expect(new Set(chunks.map(({ id, created }) => `${id} ${created}`))).toEqual(new Set(["one 1"]));
      expect(events.filter(({ raw }) => raw.includes('"role"')).length).toBe(1);
    }
  });

  it("sum their usage, told once", async () => {
    const gate = await started([says(first), says(second)]);
    const answer = await ask(gate, { messages: hi, tools, stream: true, stream_options: { include_usage: true } });
    const summed = { prompt_tokens: 30, total_tokens: 37, prompt_tokens_details: { cached_tokens: 4 } };
    expect(answer.usage).toEqual(summed);
    expect(answer.events.filter(({ raw }) => raw.includes("total_tokens")).length).toBe(1);
    expect(await gate.turns()).toMatchObject([{ usage: summed }]);
    const whole = await started([says(first), says(second)]);
    expect((await ask(whole, { messages: hi, tools })).usage).toEqual(summed);
  });

  it("tell the usage of a turn that the gateway stopped, only where it is asked for", async () => {
    const blocked = { calls: [call("x", "deploy")], usage };
    for (const steps of [0, 1]) {
      const more = { execution: { maxCorrections: steps } };
      for (const asked of [true, false]) {
        const gate = await started([says(blocked)], more);
        const options = { stream_options: { include_usage: asked } };
        const answer = await ask(gate, { messages: hi, tools, stream: true, ...options });
        expect((answer.usage as typeof usage | undefined)?.total_tokens).toBe(asked ? 25 * (steps + 1) : undefined);
      }
      const gate = await started([says(blocked)], more);
      expect((await ask(gate, { messages: hi, tools })).usage).toMatchObject({ total_tokens: 25 * (steps + 1) });
    }
  });
});

describe("corrections", () => {
  const deploy = says({ text: "Trying.", calls: [call("x", "deploy")] });

  for (const stream of [true, false]) {
    it(`after \`maxCorrections\` the turn stops, and says why (stream ${stream})`, async () => {
      const gate = await started([deploy]);
      const { finish, text, note, calls, message } = await ask(gate, { messages: hi, tools, stream });
      expect([gate.sent.length, finish, note.stop_reason, calls]).toEqual([3, "stop", "tool_policy_blocked", []]);
      expect(text).toContain("- the role `user` may not use `deploy`, only `admin` may.");
      expect(text.startsWith("Trying.")).toBe(stream);
      const [turn] = await gate.turns();
      expect(turn).toMatchObject({ stop_reason: "tool_policy_blocked", finish_reason: "stop", steps: 3 });
      const next = await ask(gate, { messages: [...hi, message, user("well?")], tools, stream });
      expect(next.note.session_id).toBe(note.session_id);
    });
  }

  it("a refusal that the model heeds does not stop the turn", async () => {
    const gate = await started([deploy, deploy, says({ text: "Then not." })]);
    const { finish, text, note } = await ask(gate, { messages: hi, tools });
    expect([finish, text, note.stop_reason]).toEqual(["stop", "Then not.", "completed"]);
  });

  it("the limit of steps ends the turn with `length`", async () => {
    const gate = await started([says({ calls: [selects("general")] })], { execution: { maxSteps: 3 } });
    const { finish, note, text } = await ask(gate, { messages: hi, tools });
    expect([gate.sent.length, finish, note.stop_reason]).toEqual([3, "length", "step_limit"]);
    expect(text).toContain("3 model calls");
  });

  it("what the gateway says of a stop begins a paragraph only where the model has spoken", async () => {
    const one = { execution: { maxCorrections: 0 } };
    const silent = await started([says({ calls: [call("d", "deploy")] })], one);
    expect((await ask(silent, { messages: hi, tools, stream: true })).text).toMatch(/^Toolgate stopped here/);
    const spoken = await started([says({ text: "I deploy.", calls: [call("d", "deploy")] })], one);
    const { text } = await ask(spoken, { messages: hi, tools, stream: true });
    expect(text).toMatch(/^I deploy\.\n\nToolgate stopped here/);
  });

  it("a tool that does not exist and one that was not offered read the same to the model", async () => {
    const answers: unknown[] = [];
    for (const name of ["deploy", "write_file", "made_up"]) {
      const gate = await started([says({ calls: [call("x", name)] }), says({ text: "ok" })]);
      const answer = await ask(gate, { messages: hi, tools });
      expect(JSON.stringify(choicesOf(answer))).not.toContain(name);
      answers.push(String(messagesOf(gate.sent[1])[2]?.content).replace(name, "TOOL"));
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^tool_policy_blocked: /);
  });
});
