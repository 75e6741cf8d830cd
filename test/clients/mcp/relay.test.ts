/** A real MCP server (`@modelcontextprotocol/server-everything`) behind `/mcp`, for the official client. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type EverythingServer, startEverything } from "../support/everything-server.ts";
import { type Gateway, startGateway } from "../support/worker.ts";
import { type ReferenceServer, startReferenceServer } from "./support/reference-server.ts";

let everything: EverythingServer;
let reference: ReferenceServer;
let gateway: Gateway;
const open: Client[] = [];

beforeAll(async () => {
  [everything, reference] = await Promise.all([startEverything(), startReferenceServer()]);
  gateway = await startGateway();
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});
afterAll(async () => {
  await gateway?.stop();
  await Promise.all([everything?.stop(), reference?.stop()]);
});

const policy = (settings: object = {}, more: object = {}) => ({
  handshake: { select: "off" },
  mcpServers: {
    every: { url: everything.url, allowPrivate: true, timeout: "30s", relay: ["resources", "prompts"], ...settings },
  },
  tools: Object.fromEntries(
    ["get-tiny-image", "get-resource-links", "trigger-long-running-operation"].map((name) => [
      `mcp__every__${name}`,
      { category: "read_only" },
    ]),
  ),
  ...more,
});

async function connect(mode: "legacy" | "auto", document: unknown = policy(), capabilities = {}): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode }, capabilities });
  const headers = { authorization: `Bearer ${await gateway.key({ policy: document })}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(gateway.baseURL.replace(/v1$/, "mcp")), { requestInit: { headers } }),
  );
  open.push(client);
  return client;
}

describe.each(["legacy", "auto"] as const)("a server that is relayed (%s)", (mode) => {
  it("has its resources and templates listed and read", async () => {
    const client = await connect(mode);
    const { resources } = await client.listResources();
    expect(resources.length).toBeGreaterThan(3);
    expect(resources.every(({ uri }) => uri.startsWith("toolgate://every/"))).toBe(true);
    const uri = resources[0]?.uri ?? "";
    const read = await client.readResource({ uri });
    expect(read.contents[0]?.uri).toBe(uri);
    expect(JSON.stringify(read.contents).length).toBeGreaterThan(50);
    const { resourceTemplates } = await client.listResourceTemplates();
    const template = resourceTemplates.find(({ uriTemplate }) => uriTemplate.includes("text")) ?? resourceTemplates[0];
    expect(template?.uriTemplate).toContain("toolgate://every/");
    const expanded = template?.uriTemplate.replace(/\{[^}]*\}/, "1") ?? "";
    expect((await client.readResource({ uri: expanded })).contents).toHaveLength(1);
    await expect(client.readResource({ uri: "demo://resource/static/document/architecture.md" })).rejects.toThrow();
    await expect(client.readResource({ uri: "toolgate://other/x" })).rejects.toThrow();
  });

  it("has its prompts listed, completed and got", async () => {
    const client = await connect(mode);
    const { prompts } = await client.listPrompts();
    const names = prompts.map(({ name }) => name);
    expect(names).toContain("mcp__every__simple-prompt");
    const got = await client.getPrompt({ name: "mcp__every__args-prompt", arguments: { city: "Bern" } });
    expect(JSON.stringify(got.messages)).toContain("Bern");
    const completed = await client.complete({
      ref: { type: "ref/prompt", name: "mcp__every__completable-prompt" },
      argument: { name: "department", value: "E" },
    });
    expect(completed.completion.values).toContain("Engineering");
    await expect(client.getPrompt({ name: "mcp__every__no-such" })).rejects.toThrow();
  });

  it("has its tools' images and links, and tells of progress", async () => {
    const client = await connect(mode);
    const image = await client.callTool({ name: "mcp__every__get-tiny-image", arguments: {} });
    expect(image.content).toEqual(expect.arrayContaining([expect.objectContaining({ type: "image" })]));
    const links = await client.callTool({ name: "mcp__every__get-resource-links", arguments: { count: 2 } });
    const [link] = (links.content as { type: string; uri: string }[]).filter(({ type }) => type === "resource_link");
    expect((await client.readResource({ uri: link?.uri ?? "" })).contents).toHaveLength(1);
    const told: number[] = [];
    await client.callTool(
      { name: "mcp__every__trigger-long-running-operation", arguments: { duration: 1, steps: 2 } },
      { onprogress: ({ progress }) => void told.push(progress) },
    );
    expect(told).toEqual([1, 2]);
  });

  it("ends a call that the client cancels", async () => {
    const client = await connect(mode);
    const cancel = new AbortController();
    const call = client.callTool(
      { name: "mcp__every__trigger-long-running-operation", arguments: { duration: 20, steps: 20 } },
      { signal: cancel.signal, onprogress: () => cancel.abort() },
    );
    await expect(call).rejects.toThrow();
    await everything.said("Received session termination request");
  });
});

describe("what a server asks while its tool runs", () => {
  const asking = (relay: readonly string[]) =>
    policy(
      { relay },
      {
        tools: Object.fromEntries(
          ["trigger-elicitation-request", "trigger-sampling-request"].map((name) => [
            `mcp__every__${name}`,
            { category: "read_only", trusted: true },
          ]),
        ),
      },
    );

  it("reaches the client, whose answer reaches the server", async () => {
    const client = await connect("legacy", asking(["elicitation", "sampling"]), { elicitation: {}, sampling: {} });
    const asked: unknown[] = [];
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: { name: "Ada", check: true } };
    });
    client.setRequestHandler("sampling/createMessage", async ({ params }) => {
      asked.push(params);
      return { role: "assistant", content: { type: "text", text: "my model says so" }, model: "m" };
    });
    const form = await client.callTool({ name: "mcp__every__trigger-elicitation-request", arguments: {} });
    expect(JSON.stringify(form.content)).toContain("Ada");
    const words = await client.callTool({
      name: "mcp__every__trigger-sampling-request",
      arguments: { prompt: "why", maxTokens: 20 },
    });
    expect(JSON.stringify(words.content)).toContain("my model says so");
    expect(asked[0]).toMatch(/^The MCP server `every` asks: /);
    expect(asked[1]).toMatchObject({ maxTokens: 20 });
    // What the client knows of others is not this server's.
    expect(asked[1]).not.toHaveProperty("includeContext");
  });

  it("is cancelled where the client cannot be asked", async () => {
    const client = await connect("legacy", asking(["elicitation"]));
    const form = await client.callTool({ name: "mcp__every__trigger-elicitation-request", arguments: {} });
    expect(JSON.stringify(form.content)).toMatch(/cancel/i);
  });

  it("is nothing unless the policy relays it", async () => {
    const client = await connect("legacy", asking([]), { elicitation: {}, sampling: {} });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names.filter((name) => /elicitation|sampling/.test(name))).toEqual([]);
  });
});

describe("a server that asks on a stream of its own, as those of the official SDK do", () => {
  const names = ["test_elicitation", "test_sampling"].map((name) => `mcp__ref__${name}`);
  const asking = () => ({
    handshake: { select: "off" },
    mcpServers: {
      ref: { url: reference.url, allowPrivate: true, timeout: "10s", relay: ["elicitation", "sampling"] },
    },
    tools: Object.fromEntries(names.map((name) => [name, { category: "read_only", trusted: true }])),
  });

  it("is heard, and gets the client's answer", async () => {
    const client = await connect("legacy", asking(), { elicitation: {}, sampling: {} });
    client.setRequestHandler("elicitation/create", async ({ params }) => ({
      action: "accept",
      content: { username: String(params.message), email: "a@b.example" },
    }));
    client.setRequestHandler("sampling/createMessage", async () => ({
      role: "assistant",
      content: { type: "text", text: "my model says so" },
      model: "m",
    }));
    const form = await client.callTool({ name: "mcp__ref__test_elicitation", arguments: { message: "who?" } });
    expect(JSON.stringify(form.content)).toContain("The MCP server `ref` asks: who?");
    const words = await client.callTool({ name: "mcp__ref__test_sampling", arguments: { prompt: "why?" } });
    expect(JSON.stringify(words.content)).toContain("my model says so");
  });

  it("is told at once that a client cannot be asked", async () => {
    const client = await connect("legacy", asking());
    const form = await client.callTool({ name: "mcp__ref__test_elicitation", arguments: { message: "who?" } });
    expect(JSON.stringify(form.content)).toContain("action=cancel");
    const words = await client.callTool({ name: "mcp__ref__test_sampling", arguments: { prompt: "why?" } });
    expect(words.isError).toBe(true);
  });
});

describe("the rules", () => {
  it("hold for what is read: whom nothing is offered to, nothing is listed or read", async () => {
    const client = await connect("legacy", policy({}, { tools: { "mcp__every__*": { roles: ["admin"] } } }));
    expect((await client.listResources()).resources).toEqual([]);
    expect((await client.listPrompts()).prompts).toEqual([]);
    expect((await client.listTools()).tools).toEqual([]);
    await expect(client.readResource({ uri: "toolgate://every/demo://resource/dynamic/text/1" })).rejects.toThrow(
      "tool_policy_blocked",
    );
  });

  it("relay nothing but tools unless the policy says so", async () => {
    const client = await connect("legacy", policy({ relay: [] }));
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
  });

  it("list no read as a tool", async () => {
    const client = await connect("legacy");
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names.filter((name) => /resources_read|prompts_get/.test(name))).toEqual([]);
  });
});
