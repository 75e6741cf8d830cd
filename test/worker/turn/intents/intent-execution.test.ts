/** Preflight and completion: an intent that cannot be carried out, or was not, ends in `intent_execution_failed`. */
import { describe, expect, it } from "vitest";
import { type Gateway, gateway, tool } from "../../support/gateway.ts";
import {
  type Answer,
  ask,
  call,
  messagesOf,
  result,
  type ScriptedStep,
  says,
  selects,
  user,
} from "../../support/script.ts";

const families = {
  allowedFamilies: ["browser"],
  softAllowedFamilies: ["network"],
  requiredSuccessFamilies: ["browser"],
  noFallback: true,
  failTaskIfUnmet: true,
};
const document = (changes: Record<string, unknown> = {}, others: Record<string, unknown> = {}) => ({
  tools: {
    browser_open: { category: "read_only", families: ["browser"] },
    browser_pay: { category: "read_only", families: ["browser"], roles: ["admin"] },
    http_get: { category: "read_only", families: ["network"] },
  },
  intents: {
    browser_access: { keywords: ["browser"], families: { ...families, ...changes } },
    general: { keywords: ["anything"] },
    ...others,
  },
  detection: { layers: ["keywords"] },
  families: { notes: ["*_note"] },
  handshake: { mustMatchDetected: "never" },
});
const [browser, pay, get] = ["browser_open", "browser_pay", "http_get"].map((name) => tool(name));
const session = { "x-toolgate-session": "s" };
const asked = user("use the browser");

const open = (steps: readonly ScriptedStep[], policy = document()): Promise<Gateway> =>
  gateway({ policy, upstream: steps.map((step) => says(step)) });
const failed = { stop_reason: "intent_execution_failed", intent: "browser_access" };

describe("preflight", () => {
  for (const stream of [true, false]) {
    it(`stops before the model is called where no tool of the family is within reach (stream ${stream})`, async () => {
      const gate = await open([{ text: "never" }]);
      const answer = await ask(gate, { messages: [asked], tools: [get], stream }, session);
      expect(gate.sent).toEqual([]);
      expect([answer.status, answer.finish]).toEqual([200, "stop"]);
      expect(answer.note).toMatchObject({ ...failed, state: "action" });
      expect(answer.text).toMatch(/browser_access.*browser/);
      expect(await gate.turns()).toMatchObject([{ stop_reason: "intent_execution_failed", steps: 0 }]);
    });
  }

  it("looks at what the role may use, not at what is sent", async () => {
    const gate = await open([{ text: "never" }]);
    expect((await ask(gate, { messages: [asked], tools: [get, pay] }, session)).note).toMatchObject(failed);
    expect(gate.sent).toEqual([]);
  });

  it("looks at the intent's own tools", async () => {
    const policy = document();
    const narrowed = { ...policy.intents.browser_access, tools: ["http_get"] };
    const gate = await open([{ text: "never" }], {
      ...policy,
      intents: { ...policy.intents, browser_access: narrowed },
    });
    expect((await ask(gate, { messages: [asked], tools: [browser, get] }, session)).note).toMatchObject(failed);
    expect(gate.sent).toEqual([]);
  });

  it("lets by what is within reach, and asks nothing of an intent without `noFallback`", async () => {
    for (const [policy, tools] of [
      [document({ failTaskIfUnmet: false }), [browser]],
      [document({ noFallback: false, failTaskIfUnmet: false }), [get]],
    ] as const) {
      const gate = await open([{ text: "hi" }], policy);
      expect((await ask(gate, { messages: [asked], tools }, session)).text).toBe("hi");
    }
  });

  it("asks for the allowed families where none is required", async () => {
    const gate = await open([{ text: "never" }], document({ requiredSuccessFamilies: [] }));
    expect((await ask(gate, { messages: [asked], tools: [get] }, session)).note).toMatchObject(failed);
  });

  it("stops where the handshake selects such an intent", async () => {
    const policy = document();
    const narrowed = { ...policy.intents.browser_access, tools: ["http_get"] };
    const steps: ScriptedStep[] = [{ text: "let me see ", calls: [selects("browser_access")] }, { text: "never" }];
    const gate = await open(steps, { ...policy, intents: { ...policy.intents, browser_access: narrowed } });
    const answer = await ask(gate, { messages: [user("hello")], tools: [browser, get], stream: true }, session);
    expect(gate.sent.length).toBe(1);
    expect(answer.note).toMatchObject(failed);
    expect(answer.text).toMatch(/^let me see \n\n.*browser_access/);
  });

  it("is not asked again of a continuation, which may come without the tools that did their work", async () => {
    const gate = await open([{ calls: [call("c1", "browser_open")] }, { text: "seen" }]);
    const first = await ask(gate, { messages: [asked], tools: [browser] }, session);
    const last = await ask(gate, { messages: [asked, first.message, result("c1", "the page")] }, session);
    expect([last.text, last.note.stop_reason]).toEqual(["seen", "completed"]);
  });

  it("of several intents each is asked for its own", async () => {
    const others = {
      notes: {
        keywords: ["note"],
        families: { ...families, allowedFamilies: ["notes"], requiredSuccessFamilies: ["notes"] },
      },
    };
    const gate = await open([{ text: "never" }], document({}, others));
    const answer = await ask(gate, { messages: [user("note what the browser shows")], tools: [browser] }, session);
    expect(answer.note.stop_reason).toBe("intent_execution_failed");
    expect(answer.text).toContain("notes");
  });
});

describe("completion", () => {
  const tools = [browser, get];
  const lie: ScriptedStep = { text: "I looked.", usage: { total_tokens: 5 } };

  for (const stream of [true, false]) {
    it(`reminds the model once, and fails where it ends unmet again (stream ${stream})`, async () => {
      const gate = await open([lie, { text: "Really." }]);
      const answer = await ask(gate, { messages: [asked], tools, stream }, session);
      expect(gate.sent.length).toBe(2);
      expect(messagesOf(gate.sent[1]).slice(1)).toMatchObject([
        { role: "assistant", content: "I looked." },
        { role: "user", content: expect.stringMatching(/browser_access.*browser/) },
      ]);
      expect(answer.finish).toBe("stop");
      expect(answer.note).toMatchObject(failed);
      // What was streamed cannot be called back; what was not is not sent with words of ours in it.
      expect(answer.text).toMatch(
        stream ? /^I looked\.\n\nReally\.\n\nToolgate/ : /^Toolgate.*browser_access.*browser/,
      );
      expect(await gate.turns()).toMatchObject([{ stop_reason: "intent_execution_failed", steps: 2 }]);
    });
  }

  it("reminds the model of nothing that the person has refused: it would be asked for once more", async () => {
    const base = document();
    const browser_open = { category: "modification", families: ["browser"] };
    const policy = { ...base, tools: { ...base.tools, browser_open } };
    const gate = await open([{ calls: [call("c1", "browser_open")] }, { text: "Then not." }], policy);
    const first = await ask(gate, { messages: [asked], tools: [browser] }, session);
    const no = await ask(gate, { messages: [asked, first.message, user("no")], tools: [browser] }, session);
    expect([gate.sent.length, no.note.stop_reason]).toEqual([2, "intent_execution_failed"]);
  });

  for (const stream of [true, false]) {
    it(`mixes nothing into JSON mode: the failure is a refusal (stream ${stream})`, async () => {
      const json = { response_format: { type: "json_object" } };
      const gate = await open([{ text: '{"a":1}' }, { text: '{"a":2}' }]);
      const answer = await ask(gate, { messages: [asked], tools, stream, ...json }, session);
      expect([answer.text, answer.finish]).toEqual(["", "stop"]);
      expect(answer.refusal).toMatch(/browser_access/);
      const met = await open([{ text: '{"a":1}' }, { calls: [call("c1", "browser_open")] }, { text: '{"a":3}' }]);
      const first = await ask(met, { messages: [asked], tools, stream, ...json }, session);
      expect([first.text, first.calls.length]).toEqual(["", 1]);
      const last = await ask(met, { messages: [asked, first.message, result("c1")], tools, stream, ...json }, session);
      expect(last.text).toBe('{"a":3}');
    });
  }

  for (const stream of [true, false]) {
    it(`a reminded model that does its work is not reminded again in the task (stream ${stream})`, async () => {
      const gate = await open([lie, { calls: [call("c1", "browser_open")] }, { text: "It broke." }]);
      const first = await ask(gate, { messages: [asked], tools, stream }, session);
      expect(first.calls.length).toBe(1);
      const messages = [asked, first.message, result("c1", '{"error":"no network"}')];
      const last = await ask(gate, { messages, tools, stream }, session);
      expect(gate.sent.length).toBe(3);
      expect(last.note).toMatchObject(failed);
      // The model still sees that it was reminded; of what the client has, nothing twice.
      const seen = messagesOf(gate.sent[2]);
      expect(seen.filter(({ content }) => String(content).includes("browser_access")).length).toBe(1);
      expect(seen.filter(({ content }) => String(content).includes("I looked.")).length).toBe(1);
      for (const { role, content, tool_calls: calls } of seen) {
        if (role === "assistant") expect(content !== null || calls !== undefined).toBe(true);
      }
    });
  }

  it("is met by a call that succeeded, and only once its result has come back", async () => {
    const met: ScriptedStep[] = [{ calls: [call("c1", "browser_open")] }, { text: "seen" }];
    const gate = await open(met);
    const first = await ask(gate, { messages: [asked], tools }, session);
    const last = await ask(gate, { messages: [asked, first.message, result("c1", "the page")], tools }, session);
    expect([last.text, last.note.stop_reason]).toEqual(["seen", "completed"]);
  });

  it.each([
    ["a failed call", "c1", '{"error":"no"}'],
    ["a result of a call that was never released", "made_up", "the page"],
  ])("is not met by %s", async (_, id, content) => {
    const gate = await open([{ calls: [call("c1", "browser_open")] }, lie, lie]);
    const first = await ask(gate, { messages: [asked], tools }, session);
    const claimed = {
      ...first.message,
      tool_calls: ["c1", id].map((one) => ({
        id: one,
        type: "function",
        function: { name: "browser_open", arguments: "{}" },
      })),
    };
    const last = await ask(gate, { messages: [asked, claimed, result(id, content)], tools }, session);
    expect(last.note).toMatchObject(failed);
  });

  it("is not met by a call of a softly allowed family", async () => {
    const gate = await open([{ calls: [call("c1", "http_get")] }, lie, lie]);
    const first = await ask(gate, { messages: [asked], tools }, session);
    expect(first.calls.length).toBe(1);
    const last = await ask(gate, { messages: [asked, first.message, result("c1")], tools }, session);
    expect(last.note).toMatchObject(failed);
  });

  const seen = async (gate: Gateway): Promise<unknown[]> => {
    const first = await ask(gate, { messages: [asked], tools }, session);
    const messages = [asked, first.message, result("c1", "the page")];
    const { message } = await ask(gate, { messages, tools }, session);
    await gate.settle();
    return [...messages, message];
  };
  const say = (gate: Gateway, before: readonly unknown[], text: string): Promise<Answer> =>
    ask(gate, { messages: [...before, user(text)], tools }, session);

  it("a success counts through follow-ups, and no longer once the user asks for something else", async () => {
    const work: ScriptedStep[] = [{ calls: [call("c1", "browser_open")] }, { text: "seen" }];
    const gate = await open([...work, { text: "oui" }, { text: "again" }, { text: "sure" }, lie, lie]);
    const history = await seen(gate);
    const next = async (text: string) => {
      const answer = await say(gate, history, text);
      await gate.settle();
      history.push(user(text), answer.message);
      return answer;
    };
    expect((await next("and in French?")).text).toBe("oui");
    expect((await next("the browser, once more")).text).toBe("again");
    expect((await next("anything")).text).toBe("sure");
    expect((await next("the browser")).note).toMatchObject(failed);
  });

  it("a result that comes with the next message still counts, for what stood then", async () => {
    const gate = await open([{ calls: [call("c1", "browser_open")] }, { text: "oui" }]);
    const first = await ask(gate, { messages: [asked], tools }, session);
    const answer = await say(gate, [asked, first.message, result("c1", "the page")], "and in French?");
    expect(answer.text).toBe("oui");
  });

  it("reminds again in the next task", async () => {
    const gate = await open([lie, lie, lie, lie]);
    const { message } = await ask(gate, { messages: [asked], tools }, session);
    await gate.settle();
    await say(gate, [asked, message], "the browser again");
    expect(gate.sent.length).toBe(4);
  });

  it.each([
    ["where the policy does not want it", document({ remind: false }), {}],
    ["where the steps are used up", { ...document(), execution: { maxSteps: 1 } }, {}],
    ["where the client wants no call", document(), { tool_choice: "none" }],
  ])("does not remind %s", async (_, policy, body) => {
    const gate = await open([lie, lie], policy);
    const answer = await ask(gate, { messages: [asked], tools, ...body }, session);
    expect(gate.sent.length).toBe(1);
    expect(answer.note).toMatchObject(failed);
  });

  it("tells the usage of all steps", async () => {
    const gate = await open([lie, { ...lie, calls: [call("c1", "browser_open")] }]);
    const { usage } = await ask(gate, { messages: [asked], tools }, session);
    expect(usage).toMatchObject({ total_tokens: 10 });
  });
});

describe("the message after a task that failed", () => {
  it.each(["yes", "ok, go on", "continue"])("is not held to that task's intents: %s", async (text) => {
    const gate = await open([{ text: "What else?" }]);
    const first = await ask(gate, { messages: [asked], tools: [get] }, session);
    expect(first.note).toMatchObject(failed);
    await gate.settle();
    const messages = [asked, first.message, user(text)];
    const next = await ask(gate, { messages, tools: [get] }, session);
    expect([next.text, next.note.intent]).toEqual(["What else?", null]);
  });

  it("begins the task anew where it asks for the same again", async () => {
    const gate = await open([{ calls: [call("c1", "browser_open")] }, { text: "seen" }]);
    const first = await ask(gate, { messages: [asked], tools: [get] }, session);
    await gate.settle();
    const again = await ask(gate, { messages: [asked, first.message, user("the browser")], tools: [browser] }, session);
    expect(again.calls).toMatchObject([{ name: "browser_open" }]);
    expect(again.note.intent).toBe("browser_access");
  });
});
