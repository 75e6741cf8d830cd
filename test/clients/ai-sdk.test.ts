/** The AI SDK with its OpenAI provider, pointed at the gateway. */
import { createOpenAI } from "@ai-sdk/openai";
import { generateObject, generateText, isStepCount, Output, streamText, tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { modelSelects } from "./support/policies.ts";
import { scriptedGateway } from "./support/scripted-gateway.ts";
import { callsTools, failsWith, says, toolNames } from "./support/upstream.ts";

const scripted = scriptedGateway();

async function newModel(policy?: unknown) {
  return createOpenAI({ baseURL: scripted.gateway.baseURL, apiKey: await scripted.gateway.key({ policy }) }).chat(
    "gpt",
  );
}

/** Tools that note what ran. */
function newTools(ran: [string, unknown][]) {
  const run = (name: string) => async (input: unknown) => {
    ran.push([name, input]);
    return `result of ${name}`;
  };
  return {
    read_file: tool({
      description: "Read a file",
      inputSchema: z.object({ path: z.string() }),
      execute: run("read_file"),
    }),
    edit_file: tool({
      description: "Edit a file",
      inputSchema: z.object({ path: z.string(), text: z.string() }),
      execute: run("edit_file"),
    }),
    create_note: tool({
      description: "Create a note",
      inputSchema: z.object({ title: z.string() }),
      execute: run("create_note"),
    }),
  };
}

const loop = () =>
  scripted.upstream.script(
    callsTools({ name: "read_file", arguments: { path: "a.ts" } }),
    callsTools({ name: "select_intent", arguments: { intent: "CODE" } }),
    callsTools(
      { name: "edit_file", arguments: { path: "a.ts", text: "two" } },
      { name: "create_note", arguments: { title: "edited" } },
    ),
    says("All is done."),
  );

const whatRan = [
  ["read_file", { path: "a.ts" }],
  ["edit_file", { path: "a.ts", text: "two" }],
  ["create_note", { title: "edited" }],
];

function expectGoverned(): void {
  const [before, , after, last] = scripted.upstream.requests.map(toolNames);
  expect(before).toEqual(["read_file", "select_intent"]);
  expect(after).toEqual(["read_file", "edit_file", "create_note", "select_intent"]);
  expect(last).toEqual(after);
}

describe("a loop of tools over several steps", () => {
  it("runs with generateText", async () => {
    const ran: [string, unknown][] = [];
    loop();
    const result = await generateText({
      model: await newModel(modelSelects),
      tools: newTools(ran),
      stopWhen: isStepCount(5),
      prompt: "edit the file a.ts",
    });
    expect(result.text).toBe("All is done.");
    expect(ran).toEqual(whatRan);
    expect(result.steps.map((step) => step.toolCalls.map((call) => call.toolName))).toEqual([
      ["read_file"],
      ["edit_file", "create_note"],
      [],
    ]);
    expectGoverned();
  });

  it("runs with streamText", async () => {
    const ran: [string, unknown][] = [];
    loop();
    const result = streamText({
      model: await newModel(modelSelects),
      tools: newTools(ran),
      stopWhen: isStepCount(5),
      prompt: "edit the file a.ts",
    });
    const words = await Array.fromAsync(result.textStream);
    expect(words.join("")).toBe("All is done.");
    expect(ran).toEqual(whatRan);
    expect((await result.steps).map((step) => step.finishReason)).toEqual(["tool-calls", "tool-calls", "stop"]);
    // Two steps of the model were one of the client's: their usage is told as one.
    expect((await result.steps)[1]?.usage).toMatchObject({ inputTokens: 80, outputTokens: 4 });
    expectGoverned();
  });

  it("takes no hidden step where the prompt names the intent", async () => {
    const ran: [string, unknown][] = [];
    scripted.upstream.script(
      callsTools({ name: "edit_file", arguments: { path: "a.ts", text: "two" } }),
      callsTools({ name: "create_note", arguments: { title: "edited" } }),
      says("All is done."),
    );
    const result = await generateText({
      model: await newModel(),
      tools: newTools(ran),
      stopWhen: isStepCount(5),
      prompt: "edit the file a.ts",
    });
    expect(result.text).toBe("All is done.");
    expect(ran).toEqual(whatRan.slice(1));
    expect(result.steps).toHaveLength(3);
    const everything = ["read_file", "edit_file", "create_note", "select_intent"];
    expect(scripted.upstream.requests.map(toolNames)).toEqual([everything, everything, everything]);
  });

  it("gives the model a refusal, and the client no call", async () => {
    const ran: [string, unknown][] = [];
    scripted.upstream.script(
      callsTools({ name: "edit_file", arguments: { path: "a.ts", text: "two" } }),
      callsTools({ name: "read_file", arguments: { path: "a.ts" } }),
      says("I only looked."),
    );
    const { text } = await generateText({
      model: await newModel(),
      tools: newTools(ran),
      stopWhen: isStepCount(5),
      prompt: "what does the word gouge mean?",
    });
    expect(text).toBe("I only looked.");
    expect(ran).toEqual([["read_file", { path: "a.ts" }]]);
    expect(scripted.upstream.requests).toHaveLength(3);
  });

  it("asks before an edit where the prompt only asks to look, and runs nothing", async () => {
    const ran: [string, unknown][] = [];
    scripted.upstream.script(callsTools({ name: "edit_file", arguments: { path: "a.ts", text: "two" } }));
    const { text } = await generateText({
      model: await newModel(),
      tools: newTools(ran),
      stopWhen: isStepCount(5),
      prompt: "look at the code in a.ts",
    });
    expect(text).toMatch(/^\*\*Change `a\.ts`\?\*\* ⟦\w{4}⟧/);
    expect(ran).toEqual([]);
    expect(scripted.upstream.requests).toHaveLength(1);
  });
});

describe("structured output", () => {
  const schema = z.object({ city: z.string(), degrees: z.number() });
  const weather = { city: "Turin", degrees: 21 };

  it("comes from generateObject", async () => {
    scripted.upstream.script(says(JSON.stringify(weather)));
    const { object } = await generateObject({ model: await newModel(), schema, prompt: "the weather in Turin" });
    expect(object).toEqual(weather);
    expect(scripted.upstream.requests[0]?.body.response_format).toMatchObject({ type: "json_schema" });
  });

  it("comes from generateText after a call of a tool", async () => {
    const ran: [string, unknown][] = [];
    scripted.upstream.script(
      callsTools({ name: "read_file", arguments: { path: "w.txt" } }),
      says(JSON.stringify(weather)),
    );
    const { output } = await generateText({
      model: await newModel(),
      tools: newTools(ran),
      stopWhen: isStepCount(3),
      output: Output.object({ schema }),
      prompt: "the weather in w.txt",
    });
    expect(output).toEqual(weather);
    expect(ran).toEqual([["read_file", { path: "w.txt" }]]);
  });

  it("streams, with nothing of the gateway's in it after a hidden step", async () => {
    scripted.upstream.script(
      callsTools({ name: "select_intent", arguments: { intent: "CODE" } }),
      says(JSON.stringify(weather, null, 1)),
    );
    const result = streamText({
      model: await newModel(),
      tools: newTools([]),
      output: Output.object({ schema }),
      prompt: "the weather in Turin",
    });
    expect(await result.output).toEqual(weather);
    expect(await result.text).toBe(JSON.stringify(weather, null, 1));
  });
});

it("an error of the upstream is the SDK's APICallError with its status", async () => {
  scripted.upstream.script(failsWith(429, { message: "slow down" }, { "retry-after": "17" }));
  const reply = generateText({ model: await newModel(), prompt: "hi", maxRetries: 0 });
  await expect(reply).rejects.toMatchObject({
    statusCode: 429,
    message: "slow down",
    responseHeaders: { "retry-after": "17" },
  });
});
