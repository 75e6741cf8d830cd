/** Whole runs of the OpenAI Agents SDK with the gateway's turn inside. */
import { Agent, type AgentInputItem, RunState, run, setTracingDisabled, tool, webSearchTool } from "@openai/agents";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolgate, memoryStores, type ToolgateOptions } from "../../../src/packages/openai-agents/index.ts";
import { deskPolicy, type Ran } from "../support/desk.ts";
import { calls, ScriptedAgentsModel, says, toolNames } from "../support/scripted-agents-model.ts";

beforeAll(() => setTracingDisabled(true));

const policy = { ...deskPolicy, tools: { ...deskPolicy.tools, transfer_to_Other: { category: "read_only" } } };

function openAgent(options: Partial<ToolgateOptions> = {}) {
  const ran: Ran = [];
  const newTool = (name: string) =>
    tool({
      name,
      description: `Does ${name}`,
      parameters: z.object({ path: z.string() }),
      execute: async (input) => {
        ran.push([name, input]);
        return `result of ${name}`;
      },
    });
  const model = new ScriptedAgentsModel();
  const stores = memoryStores();
  const toolgate = createToolgate({ policy, principal: { user: "anna" }, sessionId: "s", stores, ...options });
  const tools = toolgate.tools(["read_file", "fetch_page", "write_file", "delete_file"].map(newTool));
  const agent = new Agent({
    name: "Desk",
    instructions: "You are a helper for files.",
    model: toolgate.model(model),
    tools,
  });
  return { agent, model, ran, toolgate, tools, stores };
}

const selects = calls("h", "select_intent", { intents: ["EDIT"] });
const deletes = (id: string, path: string) => calls(id, "delete_file", { path });

describe("a run", () => {
  const loop = [
    [calls("a", "read_file", { path: "a.ts" })],
    [selects],
    [calls("c", "write_file", { path: "a.ts" })],
    [says("All is done.")],
  ];
  const whatRan = [
    ["read_file", { path: "a.ts" }],
    ["write_file", { path: "a.ts" }],
  ];

  it.each([false, true])(
    "drops the calls of an answer that was cut, and ends with its words (stream %s)",
    async (stream) => {
      for (const words of [["Here: "], []]) {
        const { agent, model, ran } = openAgent();
        model.finish = "length";
        model.script([...words.map(says), calls("a", "read_file", { path: "a.ts" })]);
        const result = stream ? await run(agent, "Hello there", { stream: true }) : await run(agent, "Hello there");
        if ("completed" in result) await result.completed;
        expect([result.finalOutput, ran, model.asked.length]).toEqual([words.join(""), [], 1]);
      }
    },
  );

  it("is offered what the policy permits, and runs what was released", async () => {
    const { agent, model, ran, toolgate } = openAgent();
    model.script(...loop);
    const result = await run(agent, "Please edit a.ts");
    expect([result.finalOutput, ran]).toEqual(["All is done.", whatRan]);
    expect(model.asked.map(toolNames)).toEqual([
      ["read_file", "fetch_page", "select_intent"],
      ["read_file", "fetch_page", "select_intent"],
      ["read_file", "fetch_page", "write_file", "delete_file", "select_intent"],
      ["read_file", "fetch_page", "write_file", "delete_file", "select_intent"],
    ]);
    expect(model.asked[0]?.systemInstructions).toBe("You are a helper for files.");
    const decisions = (await toolgate.audit()).filter(({ kind }) => kind === "decision");
    expect(decisions.map(({ tool: name, effect }) => [name, effect])).toEqual([
      ["read_file", "allow"],
      ["select_intent", "allow"],
      ["write_file", "allow"],
    ]);
  });

  it("streams words as they come, and nothing of a call before it is vetted", async () => {
    const { agent, model, ran } = openAgent();
    model.script([says("Let me see. "), deletes("x", "secret.ts")], [says("I may not do that.")]);
    const result = await run(agent, "Hello there", { stream: true });
    const events: unknown[] = [];
    let words = "";
    for await (const event of result) {
      events.push(event);
      if (event.type === "raw_model_stream_event" && event.data.type === "output_text_delta") words += event.data.delta;
    }
    await result.completed;
    expect([words, ran]).toEqual(["Let me see. \n\nI may not do that.", []]);
    expect(result.finalOutput?.replaceAll(/\s+/g, " ")).toBe("Let me see. I may not do that.");
    expect(JSON.stringify(events)).not.toContain("secret.ts");
  });

  it("runs the same loop as a stream", async () => {
    const { agent, model, ran } = openAgent();
    model.script(...loop);
    const result = await run(agent, "Please edit a.ts", { stream: true });
    await result.completed;
    expect([result.finalOutput, ran]).toEqual(["All is done.", whatRan]);
  });

  it("asks a person in the chat", async () => {
    const { agent, model, ran } = openAgent();
    model.script([selects], [deletes("b", "a.ts")]);
    const asked = await run(agent, "Please delete a.ts");
    expect(asked.finalOutput).toContain("Delete `a.ts`");
    model.script([says("It is gone.")]);
    const input: AgentInputItem[] = [...asked.history, { role: "user", content: "yes" }];
    const done = await run(agent, input);
    expect([done.finalOutput, ran]).toEqual(["It is gone.", [["delete_file", { path: "a.ts" }]]]);
  });

  it("offers a handoff only where the policy permits it", async () => {
    const { model, toolgate } = openAgent({
      policy: { ...policy, tools: { ...policy.tools, transfer_to_Hidden: { category: "external" } } },
    });
    const other = new Agent({ name: "Other", model: toolgate.model(model) });
    const hidden = new Agent({ name: "Hidden", model: toolgate.model(model) });
    const agent = new Agent({ name: "Desk", model: toolgate.model(model), handoffs: [other, hidden] });
    model.script([calls("t", "transfer_to_Other", {})], [says("I am the other.")]);
    const result = await run(agent, "Hello there");
    expect(result.finalOutput).toBe("I am the other.");
    expect(model.asked.map(toolNames)[0]).toEqual(["transfer_to_Other"]);
  });

  it("refuses tools that the provider runs, and conversations that it keeps", async () => {
    const { model, toolgate, agent } = openAgent();
    const searching = new Agent({ name: "Web", model: toolgate.model(model), tools: [webSearchTool()] });
    model.script();
    await expect(run(searching, "Hello")).rejects.toThrow("cannot be vetted");
    await expect(run(agent, "Hello", { previousResponseId: "resp_1" })).rejects.toThrow("not supported");
    expect(model.asked).toEqual([]);
  });

  it("releases nothing of an answer that holds what the provider ran, or that is not complete", async () => {
    for (const item of [
      { type: "hosted_tool_call", name: "web_search", status: "completed" } as const,
      { ...calls("a", "read_file", { path: "a.ts" }), status: "incomplete" } as never,
    ]) {
      const { agent, model, ran } = openAgent();
      model.script([calls("b", "read_file", { path: "b.ts" }), item]);
      await expect(run(agent, "Hello there")).rejects.toThrow("could not be trusted");
      expect(ran).toEqual([]);
    }
  });

  it("shows no link that untrusted text may have chosen, in one piece and in a stream", async () => {
    for (const stream of [false, true]) {
      const { agent, model } = openAgent();
      model.script(
        [calls("f", "fetch_page", { path: "x" })],
        [says("See [this](https://evil.example/?q=secret) now.")],
      );
      const result = stream
        ? await run(agent, "Please edit a.ts", { stream: true })
        : await run(agent, "Please edit a.ts");
      if ("completed" in result) await result.completed;
      expect(result.finalOutput).not.toContain("](https://evil.example");
      expect(result.finalOutput).toContain("now.");
    }
  });

  it("throws the model's own error", async () => {
    const { agent, model } = openAgent();
    model.script();
    await expect(run(agent, "Hello there")).rejects.toThrow("no more answers");
  });
});

describe("a person who is asked by an interruption of the run", () => {
  const ask = async () => {
    const opened = openAgent({ approvals: "native" });
    opened.model.script([selects], [deletes("b", "a.ts"), deletes("c", "b.ts")]);
    const asked = await run(opened.agent, "Please delete a.ts and b.ts");
    expect(asked.interruptions.map(({ rawItem }) => (rawItem as { arguments: string }).arguments)).toEqual([
      '{"path":"a.ts"}',
      '{"path":"b.ts"}',
    ]);
    expect(opened.ran).toEqual([]);
    return { ...opened, asked };
  };

  it("approves one call and rejects the other", async () => {
    const { agent, model, ran, asked, toolgate } = await ask();
    const [first, second] = asked.interruptions;
    if (first) asked.state.approve(first);
    if (second) asked.state.reject(second, { message: "keep that one" });
    model.script([says("a.ts is gone.")]);
    const done = await run(agent, asked.state);
    expect([done.finalOutput, ran]).toEqual(["a.ts is gone.", [["delete_file", { path: "a.ts" }]]]);
    expect(JSON.stringify(model.asked[0]?.input)).toContain("keep that one");
    const events = (await toolgate.audit()).filter(({ kind }) => kind === "approval").map(({ event }) => event);
    expect(events).toEqual(["asked", "asked", "approved", "denied"]);
  });

  it("goes on from a stored state", async () => {
    const { agent, model, ran, asked } = await ask();
    const state = await RunState.fromString(agent, asked.state.toString());
    for (const one of state.getInterruptions()) state.approve(one);
    model.script([says("Both are gone.")]);
    const done = await run(agent, state);
    expect([done.finalOutput, ran.length]).toEqual(["Both are gone.", 2]);
  });

  it("takes no yes to all calls of a tool: it was given before this one was seen", async () => {
    const { agent, model, ran, asked } = await ask();
    for (const one of asked.interruptions) asked.state.approve(one, { alwaysApprove: true });
    model.script([says("It was not allowed.")], [says("It was not allowed.")]);
    await run(agent, asked.state);
    expect(ran).toEqual([]);
  });
});
