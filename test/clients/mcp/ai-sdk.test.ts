/** Loops of the AI SDK with the gateway's tools, by its own MCP client (`@ai-sdk/mcp`): the program's model is the program's. */
import { createMCPClient, ElicitationRequestSchema, type MCPClient } from "@ai-sdk/mcp";
import { generateText, isStepCount, streamText } from "ai";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { calls, says, scriptedModel, toolNames } from "../../packages/support/scripted-model.ts";
import { startToolService, type ToolService } from "../support/tool-servers.ts";
import { type Gateway, startGateway } from "../support/worker.ts";

let service: ToolService;
let gateway: Gateway;
const open: MCPClient[] = [];

beforeAll(async () => {
  service = await startToolService();
  gateway = await startGateway();
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});
afterAll(async () => {
  await gateway?.stop();
  await service?.stop();
});

const tool = (category: string, method: string, more: object = {}) => ({
  category,
  trusted: true,
  parameters: { type: "object", properties: { of: { type: "string" } }, required: ["of"] },
  run: { kind: "http", method, url: `${service.url}/${category}/{{arguments.of}}`, allowPrivate: true, retries: 0 },
  ...more,
});

const policy = () => ({
  handshake: { select: "model" },
  roles: ["user", "admin"],
  intents: { change: { description: "Change things", tools: ["look", "change"] } },
  tools: {
    look: tool("read_only", "GET"),
    change: tool("modification", "PUT"),
    purge: tool("external", "DELETE", { roles: ["admin"] }),
  },
});

/** @param answer what the person answers; absent: the client cannot ask. */
async function connect(discovers: boolean, answer?: string) {
  const asked: string[] = [];
  const client = await createMCPClient({
    transport: {
      type: "http",
      url: gateway.baseURL.replace(/v1$/, "mcp"),
      headers: { Authorization: `Bearer ${await gateway.key({ policy: policy() })}` },
    },
    protocolVersionDiscovery: discovers,
    ...(answer === undefined ? {} : { capabilities: { elicitation: {} } }),
  });
  if (answer !== undefined)
    client.onElicitationRequest(ElicitationRequestSchema, async ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: { answer } };
    });
  open.push(client);
  return { client, asked };
}

describe.each([true, false])("a program of the AI SDK (looks for the protocol first: %s)", (discovers) => {
  const selects = calls({ id: "h", tool: "select_intent", input: { intents: ["change"] } });
  const changes = (of: string) => calls({ id: "c", tool: "change", input: { of } });

  it("reads, selects, has the person asked, and changes", async () => {
    const { client, asked } = await connect(discovers, "yes");
    const { model, script, asked: sent } = scriptedModel();
    script(calls({ id: "l", tool: "look", input: { of: "bern" } }), selects, says("I may change it now."));
    const first = await generateText({
      model,
      tools: await client.tools(),
      stopWhen: isStepCount(5),
      prompt: "look at bern",
    });
    expect([first.text, sent.map(toolNames)[0]]).toEqual(["I may change it now.", ["look", "select_intent"]]);
    expect(JSON.stringify(sent[1]?.prompt)).toContain("/read_only/bern");
    // What may be called moved with the state: the program asks for it again.
    script(changes("bern"), says("It is changed."));
    const second = streamText({ model, tools: await client.tools(), stopWhen: isStepCount(5), prompt: "change bern" });
    expect(await second.text).toBe("It is changed.");
    expect(sent.map(toolNames)[0]).toEqual(["look", "change", "select_intent"]);
    expect([asked.length, service.asked.includes("/modification/bern")]).toEqual([1, true]);
    expect(asked[0]).toContain("bern");
  });

  it("hears a no, and what it may not have reads as what is not there", async () => {
    const { client } = await connect(discovers, "no");
    const { model, script, asked: sent } = scriptedModel();
    await client.callTool({ name: "select_intent", arguments: { intents: ["change"] } });
    script(changes("chur"), says("It is not changed."));
    await generateText({ model, tools: await client.tools(), stopWhen: isStepCount(5), prompt: "change chur" });
    expect(JSON.stringify(sent[1]?.prompt)).toContain("the user refused this use of `change`");
    expect(service.asked).not.toContain("/modification/chur");
    const [purge, nothing] = await Promise.all(
      ["purge", "nothing"].map((name) => client.callTool({ name, arguments: { of: "x" } })),
    );
    const textOf = (result: unknown) => JSON.stringify((result as { content: unknown }).content);
    expect(textOf(purge).replace("purge", "nothing")).toBe(textOf(nothing));
  });

  it("that cannot ask has a model that hears where the person answers", async () => {
    const { client } = await connect(discovers);
    const { model, script, asked: sent } = scriptedModel();
    await client.callTool({ name: "select_intent", arguments: { intents: ["change"] } });
    script(changes("basel"), says("Please answer in the inbox."));
    await generateText({ model, tools: await client.tools(), stopWhen: isStepCount(5), prompt: "change basel" });
    expect(JSON.stringify(sent[1]?.prompt)).toContain("a person must answer first");
    expect(service.asked).not.toContain("/modification/basel");
  });
});
