/** LangChain's ChatOpenAI, pointed at the gateway. */
import {
  AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  type ToolMessage,
} from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { modelSelects } from "./support/policies.ts";
import { scriptedGateway } from "./support/scripted-gateway.ts";
import { callsTools, says, toolNames } from "./support/upstream.ts";

const scripted = scriptedGateway();

async function newModel(policy?: unknown): Promise<ChatOpenAI> {
  const apiKey = await scripted.gateway.key({ policy });
  return new ChatOpenAI({ model: "gpt", apiKey, maxRetries: 0, configuration: { baseURL: scripted.gateway.baseURL } });
}

const run = (name: string) => (input: unknown) => `${name} got ${JSON.stringify(input)}`;
const path = z.object({ path: z.string() });
const tools = [
  tool(run("read_file"), { name: "read_file", description: "Read a file", schema: path }),
  tool(run("grep"), { name: "grep", description: "Search", schema: z.object({ pattern: z.string() }) }),
  tool(run("edit_file"), { name: "edit_file", description: "Edit a file", schema: path }),
];

type Ask = (model: Awaited<ReturnType<typeof bound>>, messages: BaseMessage[]) => Promise<AIMessage>;
const bound = async (policy?: unknown) => (await newModel(policy)).bindTools(tools);

const invoked: Ask = (model, messages) => model.invoke(messages);

const streamed: Ask = async (model, messages) => {
  let whole: AIMessageChunk | undefined;
  for await (const chunk of await model.stream(messages)) whole = whole ? whole.concat(chunk) : chunk;
  if (!whole) throw new Error("nothing was streamed");
  return new AIMessage({ content: whole.content, tool_calls: whole.tool_calls });
};

describe("structured output", () => {
  it("by a tool that the library demands arrives unasked, under the policy that `npm start` uses", async () => {
    scripted.upstream.script(callsTools({ name: "Person", arguments: { name: "Ada", age: 36 } }));
    const person = z.object({ name: z.string(), age: z.number() });
    const model = (await newModel()).withStructuredOutput(person, { name: "Person", method: "functionCalling" });
    expect(await model.invoke("Ada is 36")).toEqual({ name: "Ada", age: 36 });
  });
});

/** Runs every call there and then, until the model has none. */
async function loop(ask: Ask, text: string, policy?: unknown) {
  const model = await bound(policy);
  const messages: BaseMessage[] = [new HumanMessage(text)];
  const called: string[] = [];
  for (;;) {
    const reply = await ask(model, messages);
    messages.push(reply);
    if (!reply.tool_calls?.length) return { called, answer: reply.text };
    for (const call of reply.tool_calls) {
      called.push(call.name);
      const found = tools.find(({ name }) => name === call.name);
      if (!found) throw new Error(`\`${call.name}\` was never given`);
      messages.push(await (found.invoke as (input: typeof call) => Promise<ToolMessage>)(call));
    }
  }
}

describe.each([
  ["invoke", invoked],
  ["stream", streamed],
])("a loop of bound tools, by %s", (_, ask) => {
  it("runs safe tools, passes the handshake unseen, and runs the others", async () => {
    scripted.upstream.script(
      callsTools({ name: "read_file", arguments: { path: "a.ts" } }, { name: "grep", arguments: { pattern: "one" } }),
      callsTools({ name: "select_intent", arguments: { intent: "CODE" } }),
      callsTools({ name: "edit_file", arguments: { path: "a.ts" } }),
      says("All is done."),
    );
    const { called, answer } = await loop(ask, "edit the file a.ts", modelSelects);
    expect(called).toEqual(["read_file", "grep", "edit_file"]);
    expect(answer).toBe("All is done.");
    expect(scripted.upstream.requests.map(toolNames)).toEqual([
      ["read_file", "grep", "select_intent"],
      ["read_file", "grep", "select_intent"],
      ["read_file", "grep", "edit_file", "select_intent"],
      ["read_file", "grep", "edit_file", "select_intent"],
    ]);
    const results = scripted.upstream.requests[3]?.body.messages.filter(({ role }) => role === "tool");
    expect(results?.map(({ content }) => content)).toEqual([
      'read_file got {"path":"a.ts"}',
      'grep got {"pattern":"one"}',
      expect.stringContaining("selected"),
      'edit_file got {"path":"a.ts"}',
    ]);
  });

  it("runs all of them, and asks the model no more often, where the user's words name the intent", async () => {
    scripted.upstream.script(
      callsTools({ name: "read_file", arguments: { path: "a.ts" } }),
      callsTools({ name: "edit_file", arguments: { path: "a.ts" } }),
      says("All is done."),
    );
    const { called, answer } = await loop(ask, "edit the file a.ts");
    expect(called).toEqual(["read_file", "edit_file"]);
    expect(answer).toBe("All is done.");
    const everything = ["read_file", "grep", "edit_file", "select_intent"];
    expect(scripted.upstream.requests.map(toolNames)).toEqual([everything, everything, everything]);
  });
});

describe("withStructuredOutput", () => {
  const schema = z.object({ city: z.string(), degrees: z.number() });
  const weather = { city: "Turin", degrees: 21 };
  const name = "weather_report";

  it("by jsonSchema asks for a response format", async () => {
    scripted.upstream.script(says(JSON.stringify(weather)));
    const model = (await newModel()).withStructuredOutput(schema, { name, method: "jsonSchema" });
    expect(await model.invoke("the weather in Turin")).toEqual(weather);
    expect(scripted.upstream.requests[0]?.body.response_format).toMatchObject({
      type: "json_schema",
      json_schema: { name },
    });
  });

  it("by functionCalling forces a tool, which needs no handshake but the policy's leave", async () => {
    scripted.upstream.script(callsTools({ name, arguments: weather }));
    const policy = { tools: { [name]: { category: "modification", confirm: "auto" } } };
    const model = (await newModel(policy)).withStructuredOutput(schema, { name, method: "functionCalling" });
    expect(await model.invoke("the weather in Turin")).toEqual(weather);
    expect(toolNames(scripted.upstream.requests[0] ?? fail())).toEqual([name]);
    expect(scripted.upstream.requests[0]?.body.tool_choice).toEqual({ type: "function", function: { name } });
  });

  it("by functionCalling is a 400 that says why, where the policy forbids the tool", async () => {
    scripted.upstream.script();
    const policy = { modes: { default: { allow: ["*"], deny: [name] } } };
    const model = (await newModel(policy)).withStructuredOutput(schema, { name, method: "functionCalling" });
    await expect(model.invoke("the weather in Turin")).rejects.toMatchObject({
      status: 400,
      code: "tool_policy_blocked",
    });
    expect(scripted.upstream.requests).toEqual([]);
  });
});

function fail(): never {
  throw new Error("no request reached the upstream");
}
