/** Tools of a real MCP server, through the OpenAI client and the gateway in workerd: `@modelcontextprotocol/server-everything`. */
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EverythingServer, startEverything } from "../support/everything-server.ts";
import {
  callsTools,
  type ScriptedCall,
  type ScriptedUpstream,
  says,
  startUpstream,
  toolNames,
} from "../support/upstream.ts";
import { type Gateway, startGateway } from "../support/worker.ts";

let upstream: ScriptedUpstream;
let everything: EverythingServer;
let gateway: Gateway;

beforeAll(async () => {
  [upstream, everything] = await Promise.all([startUpstream(), startEverything()]);
  gateway = await startGateway({ upstream: upstream.url });
});

afterAll(async () => {
  await gateway?.stop();
  await Promise.all([upstream?.stop(), everything?.stop()]);
});

const policyOf = (settings: object, more: object = {}) => ({
  handshake: { select: "off" },
  mcpServers: { every: { url: everything.url, allowPrivate: true, ...settings } },
  ...more,
});

/** Answers of a turn that calls these tools in one step, and what the model was told of them. */
async function turnOf(policy: unknown, ...calls: readonly ScriptedCall[]) {
  const apiKey = await gateway.key({ policy });
  const client = new OpenAI({ baseURL: gateway.baseURL, apiKey, maxRetries: 0 });
  upstream.script(callsTools(...calls), says("Done"));
  const completion = await client.chat.completions.create(
    { model: "gpt", messages: [{ role: "user", content: "go on" }] },
    { headers: { "x-toolgate-runs": "tell" } },
  );
  const told = upstream.requests.at(1)?.body.messages.filter(({ role }) => role === "tool") ?? [];
  return {
    apiKey,
    client,
    said: completion.choices[0]?.message.content,
    toolgate: (completion as unknown as { toolgate: Record<string, unknown> }).toolgate,
    offered: upstream.requests[0] ? toolNames(upstream.requests[0]) : [],
    told: told.map(({ content }) => String(content)),
  };
}

describe("tools of a real MCP server", () => {
  it("are offered by its list, and several are run in one step", async () => {
    const trusting = policyOf({ trustAnnotations: true, tools: ["echo", "get-*"] });
    const { said, offered, told, toolgate } = await turnOf(
      trusting,
      { name: "mcp__every__echo", arguments: { message: "hello" } },
      { name: "mcp__every__get-sum", arguments: { a: 2, b: 40 } },
      { name: "mcp__every__get-structured-content", arguments: { location: "Chicago" } },
      { name: "mcp__every__get-tiny-image", arguments: {} },
    );
    expect(said).toBe("Done");
    expect(offered).toEqual(expect.arrayContaining(["mcp__every__echo", "mcp__every__get-sum"]));
    expect(offered.filter((name) => name.includes("trigger"))).toEqual([]);
    expect(toolgate.runs).toMatchObject([
      { tool: "mcp__every__echo", status: "succeeded", trusted: false },
      { tool: "mcp__every__get-sum", status: "succeeded" },
      { tool: "mcp__every__get-structured-content", status: "succeeded" },
      { tool: "mcp__every__get-tiny-image", status: "succeeded" },
    ]);
    const [echo, sum, weather, image] = told;
    expect(echo).toContain("Echo: hello");
    expect(sum).toContain("42");
    expect(weather).toMatch(/\{"temperature":\d+,"conditions":"[^"]+","humidity":\d+\}/);
    expect(image).toContain("[image, image/png]");
    await everything.said("Received session termination request");
  });

  it("ask a person where its hints are not believed", async () => {
    const { toolgate, told } = await turnOf(policyOf({}), {
      name: "mcp__every__echo",
      arguments: { message: "hello" },
    });
    expect(toolgate).toMatchObject({ stop_reason: "awaiting_approval", decisions: [{ effect: "confirm" }] });
    expect(told).toEqual([]);
  });

  it("are run under a name of the policy's, with what the gateway alone knows", async () => {
    const run = { kind: "mcp", server: "every", tool: "echo", system: { message: "user.id" } };
    const tools = { say_who: { category: "read_only", description: "Says who asks", run } };
    const { offered, told } = await turnOf(policyOf({ tools: [] }, { tools }), { name: "say_who", arguments: {} });
    expect(offered).toEqual(["say_who"]);
    expect(told[0]).toContain("Echo: ada");
  });

  it("tell the model of the server's own refusal, and end when their time is over", async () => {
    const settings = { trustAnnotations: true, timeout: "1s" };
    const nowhere = { name: "mcp__every__get-resource-reference", arguments: { resourceType: "Text", resourceId: -1 } };
    const refused = await turnOf(policyOf(settings), nowhere);
    expect(refused.toolgate.runs).toMatchObject([{ status: "failed", failure: "tool_failed" }]);
    expect(refused.told[0]).toContain("Invalid resourceId: -1");
    const slow = { name: "mcp__every__trigger-long-running-operation", arguments: { duration: 30, steps: 3 } };
    const { toolgate, said } = await turnOf(policyOf(settings), slow);
    expect(toolgate.runs).toMatchObject([{ status: "failed", failure: "timeout" }]);
    expect(said).toBe("Done");
  });

  it("are shown to operators as they are pinned", async () => {
    const apiKey = await gateway.key({ policy: policyOf({}), role: "admin" });
    const headers = { authorization: `Bearer ${apiKey}` };
    const origin = new URL(gateway.baseURL).origin;
    const refreshed = await fetch(`${origin}/admin/mcp/every/refresh`, { method: "POST", headers });
    expect(refreshed.status).toBe(200);
    const listed = (await (await fetch(`${origin}/admin/mcp`, { headers })).json()) as {
      data: { tools: { tool: string; state: string; accepted: unknown }[] }[];
    };
    const tools = listed.data[0]?.tools ?? [];
    expect(tools.length).toBeGreaterThan(8);
    expect(new Set(tools.map(({ state }) => state))).toEqual(new Set(["accepted"]));
    expect(tools.find(({ tool }) => tool === "echo")?.accepted).toMatchObject({
      description: "Echoes back the input string",
      annotations: { readOnlyHint: true },
    });
  });
});
