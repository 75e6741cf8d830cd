/** The AI SDK and LangChain where they speak the Responses API: the AI SDK refers to the items of the reply before by their ids. */
import { createOpenAI } from "@ai-sdk/openai";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool as chainTool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, isStepCount, type ModelMessage, streamText, tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { scriptedGateway } from "./support/scripted-gateway.ts";
import { answers, begins, callsTools, says } from "./support/upstream.ts";

const policy = {
  handshake: { select: "off" },
  tools: {
    read_note: { category: "read_only", trusted: true },
    edit_note: { category: "modification", description: "Change a note", trusted: true },
  },
};
const note = { title: "plan" };
const schema = z.object({ title: z.string() });

const scripted = scriptedGateway();

const script = () =>
  scripted.upstream.script(
    answers({ text: "Reading.", calls: [{ name: "read_note", arguments: note }] }),
    callsTools({ name: "edit_note", arguments: note }),
    says("It is changed."),
  );
const rolesSent = () => scripted.upstream.requests.map(({ body }) => body.messages.map(({ role }) => role).join());

describe("the AI SDK", () => {
  const world = async () => {
    const ran: string[] = [];
    const noteTool = (name: string) =>
      tool({
        description: `Does ${name}`,
        inputSchema: schema,
        execute: async ({ title }) => {
          ran.push(`${name} ${title}`);
          return "done";
        },
      });
    const tools = { read_note: noteTool("read_note"), edit_note: noteTool("edit_note") };
    const model = createOpenAI({
      baseURL: scripted.gateway.baseURL,
      apiKey: await scripted.gateway.key({ policy }),
    }).responses("gpt");
    return { ran, tools, model };
  };

  for (const store of [true, false])
    it(`goes through a loop and a question, in streams and in bodies (store ${store})`, async () => {
      const { ran, tools, model } = await world();
      script();
      const common = { model, tools, stopWhen: isStepCount(5), providerOptions: { openai: { store } } };
      const history: ModelMessage[] = [{ role: "user", content: "please read and change my note" }];
      const first = streamText({ ...common, messages: history });
      const words = (await Array.fromAsync(first.textStream)).join("");
      expect([ran, words]).toEqual([["read_note plan"], expect.stringContaining("Change a note")]);
      history.push(...(await first.steps).flatMap(({ response }) => response.messages), {
        role: "user",
        content: "yes",
      });
      const second = await generateText({ ...common, messages: history });
      expect([ran, second.text]).toEqual([["read_note plan", "edit_note plan"], "It is changed."]);
      expect(rolesSent()).toEqual(["user", "user,assistant,tool", "user,assistant,tool,assistant,user,assistant,tool"]);
    });

  it("tells of a stream that broke off", async () => {
    const { model } = await world();
    scripted.upstream.script(begins([{ role: "assistant", content: "Once" }], (response) => response.destroy()));
    const errors: unknown[] = [];
    const result = streamText({ model, prompt: "hi", maxRetries: 0, onError: ({ error }) => void errors.push(error) });
    await Array.fromAsync(result.fullStream);
    expect(errors.length).toBeGreaterThan(0);
    expect(await Promise.resolve(result.finishReason).catch(() => "error")).toBe("error");
  });
});

describe("LangChain", () => {
  it("goes through a loop and a question", async () => {
    const apiKey = await scripted.gateway.key({ policy });
    const tools = ["read_note", "edit_note"].map((name) =>
      chainTool(() => "done", { name, description: `Does ${name}`, schema }),
    );
    const settings = {
      model: "gpt",
      apiKey,
      maxRetries: 0,
      useResponsesApi: true,
      configuration: { baseURL: scripted.gateway.baseURL },
    };
    const model = new ChatOpenAI(settings).bindTools(tools);
    script();
    const history: Parameters<typeof model.invoke>[0] & unknown[] = [
      new HumanMessage("please read and change my note"),
    ];
    const ask = async () => {
      const reply = await model.invoke(history);
      history.push(reply);
      for (const { id = "", name } of reply.tool_calls ?? [])
        history.push(new ToolMessage({ tool_call_id: id, content: `${name} is done` }));
      return reply;
    };
    expect((await ask()).tool_calls).toMatchObject([{ name: "read_note", args: note }]);
    const question = await ask();
    expect([question.tool_calls, question.text]).toEqual([[], expect.stringContaining("Change a note")]);
    history.push(new HumanMessage("yes"));
    expect((await ask()).tool_calls).toMatchObject([{ name: "edit_note" }]);
    expect((await ask()).text).toBe("It is changed.");
  });
});
