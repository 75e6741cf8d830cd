/** What somebody meets who starts the gateway with nothing set: the default policy, the demo model, a coding agent's tools. */
import { readFileSync } from "node:fs";
import OpenAI from "openai";
import type { ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources/chat/completions";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, startGateway } from "./support/worker.ts";

const fixture = new URL("../fixtures/coding-agent-tools.json", import.meta.url);
const tools = JSON.parse(readFileSync(fixture, "utf8")) as ChatCompletionTool[];
const allNames = tools.map((tool) => (tool.type === "function" ? tool.function.name : ""));
const safeNames = [
  ...["read_file", "list_files", "search_files", "grep"],
  ...["git_status", "git_diff", "git_log", "search_notes"],
];

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway();
});

afterAll(() => gateway?.stop());

interface Reason {
  readonly code: string;
  readonly message: string;
  readonly retry_after?: number;
}

interface Note {
  readonly session_id: string;
  readonly state: string;
  readonly intent: string | null;
  readonly stop_reason: string;
  readonly offered: readonly string[];
  readonly withheld: readonly { readonly name: string; readonly reasons: readonly string[] }[];
  readonly decisions: readonly {
    readonly tool: string;
    readonly effect: string;
    readonly reasons: readonly Reason[];
  }[];
}

interface Reply {
  readonly message: OpenAI.ChatCompletionMessage;
  readonly note: Note;
}

let users = 0;

/** Somebody new, with the development key that the greeting prints. */
class Newcomer {
  readonly name = `newcomer-${++users}`;
  readonly client = new OpenAI({
    baseURL: gateway.baseURL,
    apiKey: "tg-dev-user",
    defaultHeaders: { "x-toolgate-user": this.name },
    maxRetries: 0,
  });

  async says(...lines: readonly string[]): Promise<Reply> {
    return this.sends([{ role: "user", content: lines.join("\n") }]);
  }

  async sends(messages: ChatCompletionMessageParam[]): Promise<Reply> {
    const completion = await this.client.chat.completions.create({ model: "demo", messages, tools });
    const message = completion.choices[0]?.message;
    if (!message) throw new Error("no message");
    return { message, note: (completion as unknown as { toolgate: Note }).toolgate };
  }

  gate(tool: string, method: "POST" | "DELETE"): Promise<Response> {
    const headers = { authorization: "Bearer tg-dev-user", "x-toolgate-user": this.name };
    return fetch(`${gateway.baseURL}/gates/${tool}`, { method, headers });
  }
}

const callsOf = ({ message }: Reply): string[] =>
  (message.tool_calls ?? []).map((call) => (call.type === "function" ? call.function.name : call.type));

const told = ({ note }: Reply) =>
  note.decisions.map(({ tool, effect, reasons }) => [tool, effect, ...reasons.map(({ code }) => code)]);

/** By the model alone: the name is written in escapes, or the user's words would name the intent, and so select it. */
const select = (intent: string): string => `demo: call select_intent {"intent":"${escaped(intent)}"}`;
const escaped = (name: string): string =>
  name.replace(/./g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
const note = 'create_note {"title":"t","content":"c"}';
const search = 'demo: then call web_search {"query":"workers"}';

describe("what the model is offered", () => {
  it("is the safe tools and the handshake before an intent stands", async () => {
    const reply = await new Newcomer().says("demo: say good morning");
    expect(reply.note).toMatchObject({ state: "reasoning", intent: null, stop_reason: "completed" });
    expect(reply.note.offered).toEqual(safeNames);
    expect(reply.note.withheld).toEqual(
      allNames.filter((name) => !safeNames.includes(name)).map((name) => ({ name, reasons: ["state_forbids"] })),
    );
    // The demo model tells what reached it.
    const { message } = await new Newcomer().says("good morning");
    expect(message.content).toContain(
      `offered in this step: ${[...safeNames, "select_intent"].map((name) => `\`${name}\``).join(", ")}.`,
    );
  });

  it("is all of them once an intent stands that names no tools", async () => {
    const reply = await new Newcomer().says(select("CODE"));
    expect(reply.note).toMatchObject({ state: "action", intent: "CODE", withheld: [] });
    expect(new Set(reply.note.offered)).toEqual(new Set(allNames));
    expect(callsOf(reply)).toEqual([]);
  });

  it("is the same where somebody's own words name the intent, and the model selects nothing", async () => {
    const { note } = await new Newcomer().says("demo: say done", "refactor the parser");
    expect(note).toMatchObject({ state: "action", intent: "CODE", withheld: [], decisions: [] });
    expect(new Set(note.offered)).toEqual(new Set(allNames));
    const research = await new Newcomer().says("demo: say done", "search the web for parsers");
    expect(research.note).toMatchObject({ state: "action", intent: "RESEARCH", decisions: [] });
    expect(research.note.withheld).toContainEqual({ name: "edit_file", reasons: ["intent_forbids"] });
  });

  it("is narrowed to the tools of an intent that names some", async () => {
    const { note } = await new Newcomer().says(select("RESEARCH"));
    expect(new Set(note.offered)).toEqual(new Set([...safeNames, "web_search", "fetch_url", "create_note"]));
    expect(note.withheld).toContainEqual({ name: "edit_file", reasons: ["intent_forbids"] });
  });

  it("is the same on the next turn of the task, and begins anew with the next message", async () => {
    const somebody = new Newcomer();
    const content = `${select("CODE")}\ndemo: then call read_file {"path":"a.ts"}`;
    const first = await somebody.says(content);
    expect(callsOf(first)).toEqual(["read_file"]);
    const result = { role: "tool" as const, tool_call_id: first.message.tool_calls?.[0]?.id ?? "", content: "one" };
    const sofar: ChatCompletionMessageParam[] = [{ role: "user", content }, first.message, result];
    const second = await somebody.sends(sofar);
    expect(second.note).toMatchObject({ session_id: first.note.session_id, state: "action", withheld: [] });
    expect(second.message.content).toContain("returned: one");
    const third = await somebody.sends([
      ...sofar,
      second.message,
      { role: "user", content: "what a lovely day\ndemo: say bye" },
    ]);
    expect(third.note).toMatchObject({ session_id: first.note.session_id, state: "reasoning", offered: safeNames });
  });
});

describe("what the client gets", () => {
  it("is never a call that the model made up", async () => {
    const reply = await new Newcomer().says("demo: call rm_rf {}");
    expect(callsOf(reply)).toEqual([]);
    expect(told(reply)).toEqual([["rm_rf", "deny", "unknown_tool"]]);
    expect(reply.message.content).toContain("`rm_rf` is not available");
  });

  it("is never a tool that was withheld, and the model cannot tell it from one that is not there", async () => {
    const reply = await new Newcomer().says("demo: call send_email {}");
    expect(callsOf(reply)).toEqual([]);
    expect(told(reply)).toEqual([["send_email", "deny", "not_offered", "state_forbids"]]);
    const madeUp = await new Newcomer().says("demo: call no_such_tool {}");
    expect(reply.message.content?.replaceAll("send_email", "X")).toBe(
      madeUp.message.content?.replaceAll("no_such_tool", "X"),
    );
  });

  it("is ten calls of a tool that is limited to ten a minute, over all of a user's conversations", async () => {
    const somebody = new Newcomer();
    const create = (count: number) => [
      select("TAKE_NOTE"),
      ...Array.from({ length: count }, (_, i) => `demo: ${i === 0 ? "then " : ""}call ${note}`),
    ];
    const first = await somebody.says(...create(7));
    expect(callsOf(first)).toHaveLength(7);
    const second = await somebody.says(...create(4));
    expect(second.note.session_id).not.toBe(first.note.session_id);
    expect(callsOf(second)).toHaveLength(3);
    expect(told(second).at(-1)).toEqual(["create_note", "deny", "rate_limited"]);
    const wait = second.note.decisions.at(-1)?.reasons[0]?.retry_after ?? 0;
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(callsOf(await new Newcomer().says(...create(1)))).toEqual(["create_note"]);
  });

  it("is an external tool's call only after the user's consent", async () => {
    const somebody = new Newcomer();
    const asking = [select("RESEARCH"), search];
    const first = await somebody.says(...asking);
    expect(callsOf(first)).toEqual([]);
    expect(told(first)).toEqual([["web_search", "confirm", "first_use"]]);
    const opened = await somebody.gate("web_search", "POST");
    expect(await opened.json()).toMatchObject({
      open: true,
      tool: "web_search",
      destination: "the web search service",
    });
    expect(callsOf(await somebody.says(...asking))).toEqual(["web_search"]);
    expect(callsOf(await new Newcomer().says(...asking))).toEqual([]);
    expect(await (await somebody.gate("web_search", "DELETE")).json()).toMatchObject({ open: false });
    expect(callsOf(await somebody.says(...asking))).toEqual([]);
  });

  it("is what the quickstart says of messages in plain words", async () => {
    const fix = await new Newcomer().says("fix the bug in parser.ts");
    expect(fix.note).toMatchObject({ state: "action", intent: "CODE", withheld: [] });
    expect(callsOf(fix)).toEqual(["read_file"]);
    const replace = await new Newcomer().says("replace a by b in a.txt");
    expect(replace.note).toMatchObject({ state: "action", intent: "CODE" });
    expect(told(replace)).toEqual([["edit_file", "allow"]]);
    const [call] = replace.message.tool_calls ?? [];
    const edits = [{ old_text: "a", new_text: "b" }];
    expect(call?.type === "function" && JSON.parse(call.function.arguments)).toEqual({ path: "a.txt", edits });
    const write = await new Newcomer().says("create a file a.txt with the text hello");
    expect(told(write)).toEqual([["write_file", "confirm", "confirmation_required"]]);
    expect(told(await new Newcomer().says("fetch https://example.org"))).toEqual([
      ["fetch_url", "confirm", "first_use"],
    ]);
  });

  it("streams as it comes in one body", async () => {
    const { client } = new Newcomer();
    const content = ["demo: call rm_rf {}", 'demo: call read_file {"path":"a.ts"}', "demo: say reading"].join("\n");
    const stream = client.chat.completions.stream({ model: "demo", messages: [{ role: "user", content }], tools });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]?.message.content).toBe("reading");
    expect(choices[0]?.message.tool_calls).toMatchObject([
      { function: { name: "read_file", arguments: '{"path":"a.ts"}' } },
    ]);
  });
});

describe("the audit trail", () => {
  const audit = async (list: "decisions" | "turns", user: string, key = "tg-dev-admin") => {
    const query = new URLSearchParams({ user, order: "asc", limit: "100" });
    const headers = { authorization: `Bearer ${key}` };
    return fetch(`${gateway.baseURL}/audit/${list}?${query}`, { headers });
  };
  const rows = async (list: "decisions" | "turns", user: string) =>
    ((await (await audit(list, user)).json()) as { data: Record<string, unknown>[] }).data;

  it("has a row for every decision, signed in one chain with the turns", async () => {
    const somebody = new Newcomer();
    const reply = await somebody.says(
      select("RESEARCH"),
      "demo: then call rm_rf {}",
      "demo: then call send_email {}",
      'demo: then call read_file {"path":"a.ts"}',
    );
    expect(callsOf(reply)).toEqual(["read_file"]);
    // Delivered together, a moment after the turn: the turn is the last of them.
    await expect.poll(() => rows("turns", somebody.name), { timeout: 10_000 }).toHaveLength(1);
    const decisions = await rows("decisions", somebody.name);
    expect(decisions.map(({ tool, effect, disposition }) => [tool, effect, disposition])).toEqual([
      ["select_intent", "allow", "hidden"],
      ["rm_rf", "deny", "refused"],
      ["send_email", "deny", "refused"],
      ["read_file", "allow", "released"],
    ]);
    expect(decisions[3]).toMatchObject({
      arguments: { path: "a.ts" },
      intents: expect.arrayContaining(["RESEARCH"]),
      state: "action",
    });
    const [turn] = await rows("turns", somebody.name);
    expect(turn).toMatchObject({ steps: 4, stop_reason: "completed", state_closed: "action" });
    const chain = [...decisions, turn ?? {}];
    expect(chain.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(chain.slice(1).map(({ previous }) => previous)).toEqual(chain.slice(0, -1).map(({ hash }) => hash));
  });

  it("is for operators alone", async () => {
    const response = await audit("decisions", "anybody", "tg-dev-user");
    expect(response.status).toBe(403);
  });
});
