import { once } from "node:events";
import { get } from "node:http";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoUpstream, startDemo } from "../../../src/cli/demo/demo-upstream.ts";
import { toolsOf } from "../../plan/reference-tools.ts";
import { planWith } from "../../plan/scripted-planner.ts";

let demo: DemoUpstream;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.stop());

const model = () => {
  const { UPSTREAM_BASE_URL: baseURL, UPSTREAM_API_KEY: apiKey, UPSTREAM_MODEL: name } = demo.settings;
  return createOpenAICompatible({ name: "demo", baseURL, apiKey, supportsStructuredOutputs: true })(name);
};
const ask = (path: string, headers: Record<string, string> = {}, body?: string) =>
  fetch(`${demo.settings.UPSTREAM_BASE_URL}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${demo.settings.UPSTREAM_API_KEY}`, ...headers },
    body,
  });

/** `fetch` sends no other host than the URL's. */
async function statusAt(host: string): Promise<number | undefined> {
  const { UPSTREAM_BASE_URL: url, UPSTREAM_API_KEY: key } = demo.settings;
  const [response] = await once(
    get(`${url}/models`, { headers: { host, authorization: `Bearer ${key}` } }),
    "response",
  );
  response.resume();
  return response.statusCode;
}

const readFile = tool({
  description: "Read the contents of a file",
  inputSchema: jsonSchema<{ path: string }>({
    type: "object",
    properties: { path: { type: "string" } },
    required: ["path"],
  }),
  execute: async ({ path }) => `contents of ${path}`,
});
const asking = { tools: { readFile }, prompt: "please read notes.md", stopWhen: stepCountIs(5) };

test("the AI SDK's client runs the tool and gets its result, in one body and streamed", async () => {
  const whole = await generateText({ model: model(), ...asking });
  expect(whole.steps.map(({ toolCalls }) => toolCalls.map(({ input }) => input))).toEqual([[{ path: "notes.md" }], []]);
  expect(whole.text).toBe("The demo model called `readFile`, which returned: contents of notes.md");
  const streamed = streamText({ model: model(), ...asking });
  expect(await streamed.text).toBe(whole.text);
  expect(await streamed.finishReason).toBe("stop");
});

test("the ids of calls do not repeat", async () => {
  const ids = async () => (await generateText({ model: model(), ...asking })).steps[0]?.toolCalls[0]?.toolCallId;
  expect(await ids()).not.toBe(await ids());
});

test("it is in the list of models, and has no other routes", async () => {
  expect(await (await ask("/models")).json()).toMatchObject({ data: [{ id: "toolgate-demo", object: "model" }] });
  expect(await (await ask("/models/toolgate-demo")).json()).toMatchObject({ id: "toolgate-demo" });
  expect((await ask("/models/other")).status).toBe(404);
  const none = await ask("/embeddings", {}, "{}");
  expect([none.status, await none.json()]).toMatchObject([
    404,
    { error: { message: expect.stringContaining("UPSTREAM_BASE_URL") } },
  ]);
});

test("it answers its own key at its own address alone, and JSON alone", async () => {
  expect((await ask("/models", { authorization: "Bearer other" })).status).toBe(401);
  expect(await statusAt("evil.test")).toBe(403);
  expect((await ask("/chat/completions", {}, "{")).status).toBe(400);
});

test("it plans a step for each clause, and leaves what is not said to the user", async () => {
  const fields = (...names: string[]) => ({
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    required: names,
  });
  const tools = toolsOf(
    { name: "create_note", description: "Create a note", parameters: fields("title", "content") },
    { name: "search_notes", description: "Search the notes", parameters: fields("query") },
  );
  const input = 'create a note titled "Salt and pepper" and search my notes for "lunch"';
  const { steps, fault, placeholders } = await planWith(model(), { input, tools });
  expect(fault).toBeNull();
  expect(steps.map(({ tool, arguments: { input } }) => [tool, input])).toEqual([
    ["create_note", { title: "Salt and pepper", content: "{{PLACEHOLDER_content}}" }],
    ["search_notes", { query: "lunch" }],
  ]);
  expect(placeholders.map(({ name }) => name)).toEqual(["content"]);
  const nothing = await planWith(model(), { input: "What is the weather in Paris?", tools });
  expect(nothing.fault?.code).toBe("nothing_to_do");
});

test("a plan follows what the wish dictates, an invented tool included", async () => {
  const invented = await planWith(model(), { input: "`demo: call get_emails {}`" });
  expect(invented).toMatchObject({ steps: [], fault: { code: "tool_unknown" }, modelCalls: 2 });
  expect(await planWith(model(), { input: "demo: say no plan" })).toMatchObject({ fault: { code: "not_understood" } });
});
