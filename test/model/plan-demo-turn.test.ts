import type { LanguageModelV4Prompt, LanguageModelV4ToolChoice } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { type DemoPlan, planDemoTurn } from "../../src/model/demo/plan-demo-turn.ts";
import type { DemoTool } from "../../src/model/demo/tool-schema.ts";
import { codingTools } from "./coding-tools.ts";

const user = (text: string): LanguageModelV4Prompt[number] => ({ role: "user", content: [{ type: "text", text }] });

/** A round of the loop: the plan's calls, and a result for each. */
function answered(plan: DemoPlan, ...results: unknown[]): LanguageModelV4Prompt {
  const named = plan.calls.map(({ tool }, index) => ({ toolCallId: `c${index}`, toolName: tool }));
  return [
    { role: "assistant", content: named.map((call) => ({ type: "tool-call", ...call, input: {} })) },
    {
      role: "tool",
      content: named.map((call, index) => ({
        type: "tool-result",
        ...call,
        output: { type: "json", value: (results[index] ?? "done") as string },
      })),
    },
  ];
}

const plan = (message: string, tools: readonly DemoTool[] = codingTools, choice?: LanguageModelV4ToolChoice) =>
  planDemoTurn([user(message)], tools, choice);
const callsOf = ({ calls }: DemoPlan) => calls.map((call) => [call.tool, JSON.parse(call.arguments)]);
const offered = (...names: string[]) => codingTools.filter(({ name }) => names.includes(name));

const handshake: DemoTool = {
  name: "select_intent",
  description:
    "Say what the user wants.\n- FILES: read, write and delete files\n- `MAIL` - send emails\nGENERAL: anything else",
  schema: {
    type: "object",
    properties: { intent: { type: "string", enum: ["MAIL", "FILES", "GENERAL"] }, reason: { type: "string" } },
    required: ["intent"],
  },
};

describe("a message with a coding agent's tools", () => {
  test.each<[string, string, object]>([
    ["Please read src/app.ts", "read_file", { path: "src/app.ts" }],
    ["What's in package.json?", "read_file", { path: "package.json" }],
    ["delete the file tmp/old.log", "delete_file", { path: "tmp/old.log" }],
    ['save "hello world" to notes/hello.txt', "write_file", { path: "notes/hello.txt", content: "hello world" }],
    [
      "write a file hello.md that says buy milk and eggs",
      "write_file",
      { path: "hello.md", content: "buy milk and eggs" },
    ],
    ['replace "foo" with "bar" in src/a.ts', "edit_file", { path: "src/a.ts", old_string: "foo", new_string: "bar" }],
    ["replace a by b in a.txt", "edit_file", { path: "a.txt", old_string: "a", new_string: "b" }],
    [
      "Change the old name to `bar` in x.py.",
      "edit_file",
      { path: "x.py", old_string: "the old name", new_string: "bar" },
    ],
    // What is to be replaced is not said: the file must be read first.
    ["fix the bug in parser.ts", "read_file", { path: "parser.ts" }],
    ["rename src/a.ts to src/b.ts", "move_file", { source: "src/a.ts", destination: "src/b.ts" }],
    ["list the files in src recursively", "list_directory", { path: "src", recursive: true }],
    ["search for TODO comments in src/", "search_files", { query: "TODO comments", path: "src/" }],
    ["use the `glob` tool with pattern=**/*.test.ts", "glob", { pattern: "**/*.test.ts" }],
    ["execute `ls -la`", "run_command", { command: "ls -la" }],
    ["run the tests", "run_tests", {}],
    ['grep "foo" in src', "search_files", { query: "foo" }],
    ['commit the changes with the message "fix: typo"', "git_commit", { message: "fix: typo" }],
    ["show the last 5 commits", "git_log", { max_count: 5 }],
    ["open https://example.com/docs and summarise it", "fetch_url", { url: "https://example.com/docs" }],
    ["search the web for durable object limits", "web_search", { query: "durable object limits" }],
    ["add a todo: write the docs", "update_todo", { items: [{ content: "write the docs", status: "pending" }] }],
    [
      "create an issue called Login broken, labels: bug, urgent",
      "create_issue",
      { title: "Login broken", labels: ["bug", "urgent"] },
    ],
    ["create an issue: the login page is broken", "create_issue", { title: "the login page is broken" }],
    [
      "send an email to bob@example.com about the budget saying I will be late",
      "send_email",
      { to: "bob@example.com", subject: "the budget", body: "I will be late" },
    ],
    ['use create_issue {"title":"x","bogus":1}', "create_issue", { title: "x" }],
  ])("%s", (message, tool, args) => {
    expect(callsOf(plan(message))).toEqual([[tool, args]]);
  });

  test("several tools named, or several values for one that reads, are parallel calls", () => {
    expect(callsOf(plan('use read_file on a.ts and search_files for "foo"'))).toEqual([
      ["read_file", { path: "a.ts" }],
      ["search_files", { query: "foo" }],
    ]);
    expect(callsOf(plan("read a.ts and b.ts"))).toEqual([
      ["read_file", { path: "a.ts" }],
      ["read_file", { path: "b.ts" }],
    ]);
    const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const weather = { name: "get_weather", description: "Current weather", schema: city };
    expect(callsOf(plan("What's the weather in Paris and Berlin?", [weather]))).toEqual([
      ["get_weather", { city: "Paris" }],
      ["get_weather", { city: "Berlin" }],
    ]);
  });

  test.each([
    "hello",
    "thanks for deleting the file",
    "What is the capital of France?",
    "tell me a joke",
    "use drop_database now",
  ])("%s: words, and whose they are", (message) => {
    const { text, calls } = plan(message);
    expect(calls).toEqual([]);
    expect(text).toMatch(/demo model.*20 tools: `read_file`.*UPSTREAM_BASE_URL/);
  });
});

describe("several steps", () => {
  test("first … then …: one tool after the other, then what they said", () => {
    const prompt: LanguageModelV4Prompt = [user("first read notes.txt then delete it")];
    const first = planDemoTurn(prompt, codingTools);
    expect(callsOf(first)).toEqual([["read_file", { path: "notes.txt" }]]);
    prompt.push(...answered(first, "buy milk"));
    const second = planDemoTurn(prompt, codingTools);
    expect(callsOf(second)).toEqual([["delete_file", { path: "notes.txt" }]]);
    prompt.push(...answered(second));
    const last = planDemoTurn(prompt, codingTools);
    expect(last.calls).toEqual([]);
    expect(last.text).toMatch(/demo model called 2 tools[\s\S]*buy milk/);
  });

  test("a refusal ends the sequence and is told", () => {
    const prompt: LanguageModelV4Prompt = [user("first delete a.txt then delete_file b.txt")];
    prompt.push(...answered(planDemoTurn(prompt, codingTools), "tool_policy_blocked: not now"));
    expect(planDemoTurn(prompt, codingTools)).toEqual({
      text: "The demo model called `delete_file`, which failed: tool_policy_blocked: not now",
      calls: [],
    });
  });

  test("one round a message: results are told, nothing is called again", () => {
    const prompt: LanguageModelV4Prompt = [user("read a.ts")];
    prompt.push(...answered(planDemoTurn(prompt, codingTools), { error: "no such file" }));
    expect(planDemoTurn(prompt, codingTools, { type: "required" }).text).toMatch(/failed: .*no such file/);
  });

  test("an id that an earlier result gave", () => {
    const id = { type: "object", properties: { note_id: { type: "string" } }, required: ["note_id"] };
    const tools: DemoTool[] = [
      {
        name: "search_notes",
        schema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
      },
      { name: "delete_note", schema: id },
    ];
    const prompt: LanguageModelV4Prompt = [user("search my notes about cats, then delete the note")];
    prompt.push(...answered(planDemoTurn(prompt, tools), { notes: [{ note_id: "n7", title: "cats" }] }));
    expect(callsOf(planDemoTurn(prompt, tools))).toEqual([["delete_note", { note_id: "n7" }]]);
  });
});

describe("an answer to the gateway's question", () => {
  const asked = (value: string): LanguageModelV4Prompt => [
    user("demo: call delete_file {}"),
    ...answered({ calls: [{ tool: "delete_file", arguments: "{}" }] }, value),
  ];

  test.each([
    ["yes", "deleted", "The demo model called `delete_file`, which returned: deleted"],
    ["はい", "deleted", "The demo model called `delete_file`, which returned: deleted"],
    [
      "no",
      "tool_policy_blocked: refused",
      "The demo model called `delete_file`, which failed: tool_policy_blocked: refused",
    ],
    ["yes", "[not done: no secret]", "The demo model called `delete_file`, which failed: [not done: no secret]"],
  ])("is followed by what came of the call: %s, %s", (answer, value, text) => {
    expect(planDemoTurn([...asked(value), user(answer)], codingTools)).toEqual({ calls: [], text });
  });

  test("is forgotten once something was said of it", () => {
    const told: LanguageModelV4Prompt[number] = { role: "assistant", content: [{ type: "text", text: "it is gone" }] };
    expect(planDemoTurn([...asked("deleted"), told, user("thanks")], codingTools).text).toContain(
      "understands nothing",
    );
  });
});

describe("the handshake", () => {
  const safe = [...offered("read_file", "search_files"), handshake];

  test("where no other tool fits, with the intent that does", () => {
    expect(callsOf(plan("delete old.log", safe))).toEqual([["select_intent", { intent: "FILES" }]]);
    expect(callsOf(plan("send an email to a@b.org", safe))).toEqual([["select_intent", { intent: "MAIL" }]]);
    expect(callsOf(plan("run the tests", safe))).toEqual([["select_intent", { intent: "GENERAL" }]]);
    expect(callsOf(plan("use delete_file on read.me", safe))).toEqual([["select_intent", { intent: "FILES" }]]);
  });

  test("a tool that fits needs none, a question neither", () => {
    expect(callsOf(plan("read a.ts", safe))).toEqual([["read_file", { path: "a.ts" }]]);
    expect(plan("What is the capital of France?", safe).calls).toEqual([]);
  });

  test("first, where it is all there is, but for plain chat", () => {
    expect(callsOf(plan("What is the capital of France?", [handshake]))).toEqual([
      ["select_intent", { intent: "GENERAL" }],
    ]);
    expect(plan("good morning!", [handshake]).calls).toEqual([]);
    expect(plan("good morning!", [handshake], { type: "required" }).calls).toHaveLength(1);
  });

  test("once it succeeded, what is offered now is used, and it is not called again", () => {
    const prompt: LanguageModelV4Prompt = [user("delete old.log")];
    prompt.push(...answered(planDemoTurn(prompt, safe), { ok: true }));
    expect(callsOf(planDemoTurn(prompt, [...codingTools, handshake]))).toEqual([["delete_file", { path: "old.log" }]]);
    const without = planDemoTurn(prompt, safe);
    expect(without.calls).toEqual([]);
    expect(without.text).toMatch(/demo model selected an intent, and none of the tools/);
  });

  test("each intent described beside its constant", () => {
    const intent = {
      oneOf: [
        { const: "A", description: "calendar events" },
        { const: "B", description: "parcels" },
      ],
    };
    const tool = { name: "choose", schema: { type: "object", properties: { intent }, required: ["intent"] } };
    expect(callsOf(plan("choose B please", [tool]))).toEqual([["choose", { intent: "B" }]]);
  });
});

describe("tool_choice", () => {
  test("none calls nothing, required something, a name that", () => {
    expect(plan("read a.ts", codingTools, { type: "none" }).calls).toEqual([]);
    expect(plan("What is the capital of France?", codingTools, { type: "required" }).calls).toHaveLength(1);
    const named = plan("read a.ts", codingTools, { type: "tool", toolName: "search_files" });
    expect(callsOf(named)).toMatchObject([["search_files", { path: "a.ts" }]]);
  });
});

describe("directives", () => {
  test("exact calls, offered or not, whatever their arguments are", () => {
    const message = 'please\ndemo: call rm_rf {"path": "/"}\ndemo: call read_file {"path":\ndemo: call ping';
    expect(plan(message).calls).toEqual([
      { tool: "rm_rf", arguments: '{"path": "/"}' },
      { tool: "read_file", arguments: '{"path":' },
      { tool: "ping", arguments: "{}" },
    ]);
  });

  test("in backticks, with words, and in a fence", () => {
    expect(plan('do `demo: call a {"x":1}` and `demo: call b {}` now').calls).toEqual([
      { tool: "a", arguments: '{"x":1}' },
      { tool: "b", arguments: "{}" },
    ]);
    expect(plan("```\ndemo: say hello there\ndemo: call a {}\n```")).toEqual({
      text: "hello there",
      calls: [{ tool: "a", arguments: "{}" }],
    });
  });

  test("one step after the other, then what came of it", () => {
    const prompt: LanguageModelV4Prompt = [user("demo: call a {}\ndemo: then call a {}")];
    prompt.push(...answered(planDemoTurn(prompt, []), "tool_policy_blocked: no"));
    const second = planDemoTurn(prompt, []);
    expect(second.calls).toEqual([{ tool: "a", arguments: "{}" }]);
    prompt.push(...answered(second));
    expect(planDemoTurn(prompt, []).text).toMatch(/demo model called 2 tools/);
  });
});
