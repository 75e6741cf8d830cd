/** `toolgate mcp --stdio`, started by the official client as it starts local servers. */
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type EverythingServer, startEverything } from "../support/everything-server.ts";
import { startToolService, type ToolService } from "../support/tool-servers.ts";
import { type Gateway, startGateway } from "../support/worker.ts";

const program = fileURLToPath(new URL("../../../src/cli/toolgate.ts", import.meta.url));
let service: ToolService;
let everything: EverythingServer;
let gateway: Gateway;
const open: Client[] = [];

beforeAll(async () => {
  service = await startToolService();
  everything = await startEverything();
  gateway = await startGateway();
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});
afterAll(async () => {
  await gateway?.stop();
  await service?.stop();
  await everything?.stop();
});

const tool = (category: string, method: string) => ({
  category,
  parameters: { type: "object", properties: { of: { type: "string" } }, required: ["of"] },
  run: { kind: "http", method, url: `${service.url}/${category}/{{arguments.of}}`, allowPrivate: true, retries: 0 },
});

async function connect(mode: "legacy" | "auto", url = gateway.baseURL): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode }, capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { answer: "yes" } }));
  const policy = {
    handshake: { select: "off" },
    mcpServers: { every: { url: everything.url, allowPrivate: true, tools: [], relay: ["resources"] } },
    tools: { look: tool("read_only", "GET"), change: tool("modification", "PUT") },
  };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, "mcp", "--stdio", "--gateway", url],
    env: { ...(process.env as Record<string, string>), TOOLGATE_KEY: await gateway.key({ policy }) },
    stderr: "ignore",
  });
  open.push(client);
  await client.connect(transport);
  return client;
}

describe.each(["legacy", "auto"] as const)("a local client (%s)", (mode) => {
  it("lists, calls and is asked through the bridge", async () => {
    const client = await connect(mode);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["look", "change"]);
    const changed = await client.callTool({ name: "change", arguments: { of: mode } });
    expect(changed.isError).toBeFalsy();
    expect(service.asked).toContain(`/modification/${mode}`);
    // Several at once: each answer finds its request.
    const calls = ["a", "b", "c"].map((of) => client.callTool({ name: "look", arguments: { of } }));
    const texts = (await Promise.all(calls)).map(({ content }) => JSON.stringify(content));
    for (const [index, of] of ["a", "b", "c"].entries()) expect(texts[index]).toContain(`/read_only/${of}`);
  });
});

describe("the bridge", () => {
  it("passes on what the gateway says besides the answers", async () => {
    const client = await connect("legacy");
    const { promise, resolve } = Promise.withResolvers<string>();
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => resolve(params.uri));
    const uri = (await client.listResources()).resources[0]?.uri ?? "";
    await client.subscribeResource({ uri });
    expect(await promise).toBe(uri);
  });

  it("tells the client where there is no gateway", async () => {
    await expect(connect("legacy", "http://127.0.0.1:9")).rejects.toThrow("127.0.0.1:9 cannot be reached");
  });
});
