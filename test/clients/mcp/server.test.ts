/** The gateway as an MCP server, for the official client of MCP in both revisions of the protocol. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startToolService, type ToolService } from "../support/tool-servers.ts";
import { type Gateway, startGateway } from "../support/worker.ts";

let service: ToolService;
let gateway: Gateway;

beforeAll(async () => {
  service = await startToolService();
  gateway = await startGateway();
});

const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

afterAll(async () => {
  await gateway?.stop();
  await service?.stop();
});

const text = { type: "string" };
const tool = (category: string, method: string) => ({
  category,
  trusted: true,
  parameters: { type: "object", properties: { of: text }, required: ["of"] },
  run: { kind: "http", method, url: `${service.url}/${category}/{{arguments.of}}`, allowPrivate: true, retries: 0 },
});

const policy = () => ({
  handshake: { select: "model" },
  intents: { change: { description: "Change things", tools: ["change"] } },
  tools: { look: tool("read_only", "GET"), change: tool("modification", "PUT") },
});

interface Connected {
  readonly client: Client;
  /** Lists that the client was told to have changed. */
  readonly changes: readonly (readonly string[])[];
  readonly key: string;
  /** Of the session, once the client listens on a stream of its own. */
  readonly listening: Promise<string>;
}

async function connect(mode: "legacy" | "auto", answer?: string): Promise<Connected> {
  const changes: (readonly string[])[] = [];
  const client = new Client(
    { name: "test", version: "1" },
    {
      versionNegotiation: { mode },
      ...(answer === undefined ? {} : { capabilities: { elicitation: { form: {} } } }),
      listChanged: {
        tools: { onChanged: (_, tools) => void changes.push((tools ?? []).map(({ name }) => name)), debounceMs: 0 },
      },
    },
  );
  if (answer !== undefined)
    client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { answer } }));
  const key = await gateway.key({ policy: policy() });
  const listening = Promise.withResolvers<string>();
  const transport = new StreamableHTTPClientTransport(new URL(gateway.baseURL.replace(/v1$/, "mcp")), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    async fetch(url, init) {
      const response = await fetch(url, init);
      if (init?.method === "GET" && response.ok) listening.resolve(transport.sessionId ?? "");
      return response;
    },
  });
  await client.connect(transport);
  open.push(client);
  return { client, changes, key, listening: listening.promise };
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
const textIn = ({ content }: { content?: unknown }) => (content as { text: string }[]).map((one) => one.text).join("");

describe.each(["legacy", "auto"] as const)("the official client (%s)", (mode) => {
  it("lists, selects an intent, is asked, and calls", async () => {
    const { client } = await connect(mode, "yes");
    expect(client.getProtocolEra()).toBe(mode === "legacy" ? "legacy" : "modern");
    expect(await namesOf(client)).toEqual(["look", "select_intent"]);
    expect(textIn(await client.callTool({ name: "look", arguments: { of: "bern" } }))).toContain("/read_only/bern");
    await client.callTool({ name: "select_intent", arguments: { intents: ["change"] } });
    expect(await namesOf(client)).toEqual(["change", "select_intent"]);
    const changed = await client.callTool({ name: "change", arguments: { of: "bern" } });
    expect(changed.isError).toBeFalsy();
    expect(service.asked).toContain("/modification/bern");
  });

  it("hears a no as a refusal", async () => {
    const { client } = await connect(mode, "no");
    await client.callTool({ name: "select_intent", arguments: { intents: ["change"] } });
    const refused = await client.callTool({ name: "change", arguments: { of: "chur" } });
    expect(refused.isError).toBe(true);
    expect(textIn(refused)).toContain("the user refused this use of `change`");
    expect(service.asked).not.toContain("/modification/chur");
  });

  it("that cannot ask gets an error that names the approval", async () => {
    const { client } = await connect(mode);
    await client.callTool({ name: "select_intent", arguments: { intents: ["change"] } });
    const waits = await client.callTool({ name: "change", arguments: { of: "basel" } });
    expect(waits.isError).toBe(true);
    expect(textIn(waits)).toMatch(/POST \/v1\/approvals\/appr_/);
  });
});

describe("a client of 2026", () => {
  it("hears on a stream of its own that the list is another", async () => {
    const { client, changes } = await connect("auto");
    await client.callTool({ name: "select_intent", arguments: { intents: ["change"] } });
    await expect.poll(() => changes, { timeout: 20_000 }).toEqual([["change", "select_intent"]]);
  });
});

describe("a session of 2025", () => {
  it("tells on the call's own stream that the list is another", async () => {
    const { client, changes } = await connect("legacy");
    await client.callTool({ name: "select_intent", arguments: { intents: ["change"] } });
    await expect.poll(() => changes).toEqual([["change", "select_intent"]]);
  });

  it("hears on a stream of its own what changed elsewhere", async () => {
    const { changes, key, listening } = await connect("legacy");
    const params = { name: "select_intent", arguments: { intents: ["change"] } };
    const selected = await fetch(gateway.baseURL.replace(/v1$/, "mcp"), {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-session-id": await listening,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: "other", method: "tools/call", params }),
    });
    expect(await selected.text()).toContain("change");
    await expect.poll(() => changes, { timeout: 20_000 }).toEqual([["change", "select_intent"]]);
  });
});
