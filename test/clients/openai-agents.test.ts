/** The Agents SDK with its default model, which speaks the Responses API: nothing is changed but its base URL. */
import { Agent, OpenAIProvider, Runner, type run, setTracingDisabled, tool } from "@openai/agents";
import OpenAI from "openai";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { scriptedGateway } from "./support/scripted-gateway.ts";
import { answers, callsTools, says } from "./support/upstream.ts";

const policy = {
  handshake: { select: "off" },
  tools: {
    read_note: { category: "read_only", trusted: true },
    edit_note: { category: "modification", description: "Change a note", trusted: true },
    drop_all: { category: "read_only", roles: ["admin"] },
  },
};

const scripted = scriptedGateway();
beforeAll(() => setTracingDisabled(true));

async function world() {
  const ran: string[] = [];
  const noteTool = (name: string) =>
    tool({
      name,
      description: `Does ${name}`,
      parameters: z.object({ title: z.string() }),
      execute: async ({ title }) => {
        ran.push(`${name} ${title}`);
        return "done";
      },
    });
  const agent = new Agent({
    name: "Notes",
    instructions: "You keep notes.",
    model: "gpt",
    tools: ["read_note", "edit_note", "drop_all"].map(noteTool),
  });
  const openAIClient = new OpenAI({
    baseURL: scripted.gateway.baseURL,
    apiKey: await scripted.gateway.key({ policy }),
    maxRetries: 0,
  });
  const runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient }) });
  return { ran, agent, runner };
}

const note = { title: "plan" };

describe("an agent", () => {
  for (const stream of [false, true])
    it(`runs its tools, asks, and goes on with the answer (stream ${stream})`, async () => {
      const { ran, agent, runner } = await world();
      scripted.upstream.script(
        answers({ text: "Reading.", calls: [{ name: "read_note", arguments: note }] }),
        callsTools({ name: "edit_note", arguments: note }),
        says("It is changed."),
      );
      const ask = async (input: Parameters<typeof run>[1]) => {
        if (!stream) return runner.run(agent, input);
        const result = await runner.run(agent, input, { stream: true });
        await result.completed;
        return result;
      };
      const first = await ask("please read and change my note");
      expect(ran).toEqual(["read_note plan"]);
      expect(first.finalOutput).toContain("Change a note");
      const second = await ask([...first.history, { role: "user", content: "yes" }]);
      expect([ran, second.finalOutput]).toEqual([["read_note plan", "edit_note plan"], "It is changed."]);
      expect(scripted.upstream.requests.length).toBe(3);
    });

  it("never sees, and never runs, what is withheld", async () => {
    const { ran, agent, runner } = await world();
    scripted.upstream.script(callsTools({ name: "drop_all", arguments: note }), says("I cannot."));
    const result = await runner.run(agent, "please drop all");
    expect(ran).toEqual([]);
    expect(result.finalOutput).toMatch(/^I cannot\.\n\nToolgate: .*`drop_all`/);
    expect(JSON.stringify(scripted.upstream.requests[0]?.body.tools)).not.toContain("drop_all");
  });

  it("goes on from the response before, where it is told to send no history", async () => {
    const { ran, agent, runner } = await world();
    scripted.upstream.script(callsTools({ name: "read_note", arguments: note }), says("Read."), says("Again."));
    const first = await runner.run(agent, "please read my note");
    const second = await runner.run(agent, "and?", { previousResponseId: first.lastResponseId });
    expect([ran, second.finalOutput]).toEqual([["read_note plan"], "Again."]);
    expect(scripted.upstream.requests[2]?.body.messages.map(({ role }) => role)).toEqual([
      ...["system", "user", "assistant", "tool", "assistant", "user"],
    ]);
  });
});
