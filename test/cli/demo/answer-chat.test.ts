import { compileSchema } from "json-schema-library";
import { describe, expect, test } from "vitest";
import { answerChat } from "../../../src/cli/demo/answer-chat.ts";
import type { ModelAnswer } from "../../../src/cli/write-answer.ts";
import fixture from "../../fixtures/coding-agent-tools.json" with { type: "json" };

interface ToolJson {
  readonly type: string;
  readonly function: { readonly name: string; readonly description?: string; readonly parameters?: object };
}

const codingTools: readonly ToolJson[] = fixture;
const offered = (...names: string[]) => codingTools.filter(({ function: { name } }) => names.includes(name));

const handshake = (properties: object): ToolJson => ({
  type: "function",
  function: {
    name: "select_intent",
    description: "Say what the user wants.\n- FILES: read, write and delete files\n- MAIL: send emails",
    parameters: { type: "object", properties },
  },
});
const select = handshake({ intent: { type: "string", enum: ["FILES", "MAIL"] }, reason: { type: "string" } });

const user = (content: unknown) => ({ role: "user", content });
const ask = (content: string, tools: readonly ToolJson[] = codingTools, more: object = {}) =>
  answerChat({ messages: [user(content)], tools, ...more });
const callsOf = ({ calls = [] }: ModelAnswer) => calls.map((call) => [call.name, JSON.parse(call.arguments)]);

/** The answer's calls, and a result for each. */
function answered({ calls = [] }: ModelAnswer, ...results: string[]) {
  const made = calls.map((call, index) => ({ id: `c${index}`, type: "function", function: call }));
  return [
    { role: "assistant", content: null, tool_calls: made },
    ...made.map(({ id }, index) => ({ role: "tool", tool_call_id: id, content: results[index] ?? "done" })),
  ];
}

describe("a message with a coding agent's tools", () => {
  test.each<[string, string, object]>([
    ["Read notes.txt and tell me what it says", "read_file", { path: "notes.txt" }],
    ["replace a by b in a.txt", "edit_file", { path: "a.txt", edits: [{ old_text: "a", new_text: "b" }] }],
    ["delete old.txt", "delete_file", { path: "old.txt" }],
    ["create a file a.txt with the text hello", "write_file", { path: "a.txt", content: "hello" }],
    ["rename src/a.ts to src/b.ts", "move_file", { from: "src/a.ts", to: "src/b.ts" }],
    ["fetch https://example.org.", "fetch_url", { url: "https://example.org" }],
    ["search the web for durable objects", "web_search", { query: "durable objects" }],
    ['create a note titled "Lunch" saying "at noon"', "create_note", { title: "Lunch", content: "at noon" }],
    ['use search_notes to find "lunch"', "search_notes", { query: "lunch" }],
    [
      "send an email to bob@example.com and eve@example.com about the budget saying I will be late",
      "send_email",
      { to: ["bob@example.com", "eve@example.com"], subject: "the budget", body: "I will be late" },
    ],
  ])("%s", (message, tool, args) => {
    expect(callsOf(ask(message))).toEqual([[tool, args]]);
  });

  test.each(["good morning", "What is the capital of France?", "tell me a joke"])("%s: words", (message) => {
    const { text, calls } = ask(message);
    expect(calls).toBeUndefined();
    expect(text).toMatch(/demo model.*: `read_file`, `list_files`,.*UPSTREAM_BASE_URL/);
  });
});

test.each(codingTools.map((tool) => [tool.function.name, tool] as const))(
  "%s: arguments fit its schema, whatever is said",
  (name, tool) => {
    const schema = compileSchema(tool.function.parameters as object);
    for (const text of ["do it", "of 3 things: a, b", 'say "q" in src/a.ts to a@b.org https://e.org', "{", "42"]) {
      const [[called, args] = []] = callsOf(
        ask(text, [tool], { tool_choice: { type: "function", function: { name } } }),
      );
      expect(called).toBe(name);
      expect(schema.validate(args).errors, `${text}: ${JSON.stringify(args)}`).toEqual([]);
    }
  },
);

test("an argument that is not required is given where the message gives it", () => {
  const parameters = { type: "object", properties: { path: { type: "string" }, query: { type: "string" } } };
  const read: ToolJson = { type: "function", function: { name: "read_file", parameters } };
  expect(callsOf(ask("Read notes.txt", [read]))).toEqual([["read_file", { path: "notes.txt" }]]);
});

describe("once tools were called", () => {
  test("their results are told, and nothing is called again", () => {
    const first = ask("read a.ts");
    const messages = [user("read a.ts"), ...answered(first, "no  such\nfile")];
    expect(answerChat({ messages, tools: codingTools, tool_choice: "required" })).toEqual({
      text: "The demo model called `read_file`, which returned: no such file",
    });
  });

  test("an answer to the gateway's question is followed by what came of the call", () => {
    const before = [user("demo: call delete_file {}"), ...answered(ask("demo: call delete_file {}"), "deleted")];
    const told = "The demo model called `delete_file`, which returned: deleted";
    expect(answerChat({ messages: [...before, user("yes")], tools: codingTools })).toEqual({ text: told });
    const later = [...before, { role: "assistant", content: told }, user("thanks")];
    expect(answerChat({ messages: later, tools: codingTools }).text).toContain("understands nothing");
  });
});

describe("the handshake", () => {
  const safe = [...offered("read_file", "grep"), select];

  test("is made where no tool fits and the message names a thing, with the intent whose words it has", () => {
    expect(callsOf(ask("delete old.log", safe))).toEqual([["select_intent", { intent: "FILES" }]]);
    expect(callsOf(ask("send it to a@b.org", safe))).toEqual([["select_intent", { intent: "MAIL" }]]);
    expect(callsOf(ask("read a.ts", safe))).toEqual([["read_file", { path: "a.ts" }]]);
    expect(ask("good morning", safe).calls).toBeUndefined();
  });

  test("may take a list of intents", () => {
    const intents = { type: "array", items: { enum: ["FILES", "MAIL"] } };
    expect(callsOf(ask("delete old.log", [handshake({ intents, intent: { type: "string" } })]))).toEqual([
      ["select_intent", { intents: ["FILES"] }],
    ]);
  });

  test("is made once: then the tool that fits is called, or one that takes what is named", () => {
    const messages = (content: string, result = "{}") => [
      user(content),
      ...answered({ calls: [{ name: "select_intent", arguments: '{"intent":"FILES"}' }] }, result),
    ];
    const tools = [...codingTools, select];
    expect(callsOf(answerChat({ messages: messages("delete old.log"), tools }))).toEqual([
      ["delete_file", { path: "old.log" }],
    ]);
    expect(callsOf(answerChat({ messages: messages("fix the bug in a.ts"), tools }))).toEqual([
      ["read_file", { path: "a.ts" }],
    ]);
    expect(answerChat({ messages: messages("delete old.log"), tools: [select] }).text).toMatch(/selected an intent/);
    const refused = messages("delete old.log", "tool_policy_blocked: no");
    expect(answerChat({ messages: refused, tools }).text).toContain("returned: tool_policy_blocked: no");
  });
});

test("tool_choice: none calls nothing, required something, a name that", () => {
  expect(ask("read a.ts", codingTools, { tool_choice: "none" }).calls).toBeUndefined();
  expect(ask("What is the capital of France?", codingTools, { tool_choice: "required" }).calls).toHaveLength(1);
  const named = { type: "function", function: { name: "grep" } };
  expect(callsOf(ask('read "x"', codingTools, { tool_choice: named }))).toMatchObject([["grep", { pattern: "x" }]]);
});

describe("directives", () => {
  test("make exact calls, offered or not, whatever their arguments are", () => {
    const message = 'please\ndemo: call rm_rf {"path": "/"}\ndemo: call read_file {"path":\ndemo: call ping';
    expect(ask(message).calls).toEqual([
      { name: "rm_rf", arguments: '{"path": "/"}' },
      { name: "read_file", arguments: '{"path":' },
      { name: "ping", arguments: "{}" },
    ]);
  });

  test("stand in backticks, with words, and in a fence", () => {
    expect(ask('do `demo: call a {"x":1}` and `demo: call b {}` now').calls).toEqual([
      { name: "a", arguments: '{"x":1}' },
      { name: "b", arguments: "{}" },
    ]);
    expect(ask("```\ndemo: say hello there\ndemo: call a {}\n```")).toEqual({
      text: "hello there",
      calls: [{ name: "a", arguments: "{}" }],
    });
  });

  test("make one step after the other, then tell what came of them", () => {
    const content = "demo: call a {}\ndemo: then call b {}";
    const messages: object[] = [user(content)];
    messages.push(...answered(answerChat({ messages }), "tool_policy_blocked: no"));
    const second = answerChat({ messages });
    expect(second.calls).toEqual([{ name: "b", arguments: "{}" }]);
    messages.push(...answered(second));
    expect(answerChat({ messages }).text).toMatch(/demo model called 2 tools/);
  });
});

describe("JSON", () => {
  test("has its schema's shape", () => {
    const properties = {
      title: { type: "string" },
      count: { type: "integer", minimum: 2 },
      kind: { enum: ["a", "b"] },
    };
    const schema = { type: "object", properties, required: ["title", "count", "kind"] };
    const response_format = { type: "json_schema", json_schema: { name: "x", schema } };
    const { text = "" } = ask('call it "Plan"', [], { response_format });
    expect(JSON.parse(text)).toEqual({ title: "Plan", count: 2, kind: "a" });
  });

  test("without a schema says who answers", () => {
    const { text = "" } = ask("hi", [], { response_format: { type: "json_object" } });
    expect(JSON.parse(text)).toMatchObject({ model: "toolgate-demo" });
  });
});
