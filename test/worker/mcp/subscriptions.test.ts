/** Resources that clients of `/mcp` subscribe to, on servers of both families of the protocol. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Gateway, gateway } from "../support/gateway.ts";
import { type Message, protocolError, reply, scriptedServer } from "../tools/mcp-server.ts";
import { mcpClient } from "./mcp-client.ts";

const URI = "toolgate://crm/crm://lead/7";

interface RelayedServer {
  fetch(request: Request): Promise<Response>;
  /** Says that a resource has changed, to whoever listens. */
  change(uri: string): void;
  /** Resolves once somebody has subscribed. */
  subscribed(): Promise<void>;
  readonly sessions: Sessions;
}

interface Sessions {
  opened: number;
  ended: number;
  /** Resolves once as many have ended as the test says. */
  until(isEnough: (sessions: Sessions) => boolean): Promise<void>;
  end(): void;
}

function countSessions(): Sessions {
  let told = () => {};
  const sessions: Sessions = {
    opened: 0,
    ended: 0,
    until: (isEnough) =>
      new Promise((resolve) => {
        told = () => isEnough(sessions) && resolve();
        told();
      }),
    end() {
      sessions.ended += 1;
      told();
    },
  };
  return sessions;
}

/** Of 2025: who subscribes hears on the session's own stream. */
function legacyServer({ streams = true } = {}): RelayedServer {
  const server = scriptedServer();
  const listeners = new Map<string, ReadableStreamDefaultController<Uint8Array>>();
  const wanted = new Map<string, string[]>();
  const sessions = countSessions();
  server.answer = async (message: Message, request: Request) => {
    const session = request.headers.get("mcp-session-id") ?? "";
    if (message.method === "initialize") {
      sessions.opened += 1;
      const capabilities = { tools: {}, resources: { subscribe: true } };
      const result = { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "crm", version: "1" } };
      return Response.json(
        { jsonrpc: "2.0", id: message.id, result },
        { headers: { "mcp-session-id": `s${sessions.opened}` } },
      );
    }
    if (message.method === "DELETE") {
      sessions.end();
      listeners.delete(session);
    }
    if (message.method === "GET" && streams) {
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void listeners.set(session, controller) });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    }
    if (message.method !== "resources/subscribe") return undefined as never;
    const { uri } = message.params as { uri: string };
    if (!uri.startsWith("crm://")) return protocolError(message, -32002, "no such \u200bresource");
    wanted.set(session, [...(wanted.get(session) ?? []), uri]);
    return reply(message, {});
  };
  return {
    fetch: (request) => server.fetch(request),
    change(uri) {
      const data = JSON.stringify({ jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri } });
      for (const [session, controller] of listeners)
        if (wanted.has(session)) controller.enqueue(new TextEncoder().encode(`data: ${data}\n\n`));
    },
    subscribed: () => server.once("resources/subscribe"),
    sessions,
  };
}

/** Of 2026, by the official SDK. */
function modernServer(): RelayedServer {
  const handler = createMcpHandler(() => {
    const capabilities = { resources: { subscribe: true } };
    const server = new Server({ name: "crm", version: "1" }, { capabilities });
    server.setRequestHandler("resources/list", () => ({ resources: [] }));
    return server;
  });
  const listening = Promise.withResolvers<void>();
  const sessions = countSessions();
  return {
    async fetch(request) {
      const text = await request.clone().text();
      const response = await handler.fetch(request);
      if (text.includes("subscriptions/listen")) listening.resolve();
      return response;
    },
    change: (uri) => handler.notify.resourceUpdated(uri),
    subscribed: () => listening.promise,
    sessions,
  };
}

const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

const gate = (server: RelayedServer, settings: object = {}): Promise<Gateway> =>
  gateway({
    policy: {
      handshake: { select: "off" },
      mcpServers: { crm: { url: "https://crm.test/mcp", relay: ["resources"], ...settings } },
    },
    elsewhere: (request) => server.fetch(request),
    pace: { keepAliveMs: 20 },
  });

interface Listener {
  readonly client: Client;
  /** Resolves when so many updates have come. */
  heard(count: number): Promise<readonly string[]>;
}

async function listener({ fetch }: Gateway, mode: "legacy" | "auto"): Promise<Listener> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const uris: string[] = [];
  let told = () => {};
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    uris.push(params.uri);
    told();
  });
  // As over a network, a stream ends with its client: one that nobody ends is looked after every 20 ms, for as long as the runtime is there.
  const asked = async (_: string | URL, init?: RequestInit) => {
    const response = await fetch("/mcp", init);
    const signal = init?.signal ?? undefined;
    return new Response(response.body?.pipeThrough(new TransformStream(), { signal }), response);
  };
  await client.connect(new StreamableHTTPClientTransport(new URL("https://gateway.test/mcp"), { fetch: asked }));
  open.push(client);
  return {
    client,
    heard: (count) =>
      new Promise((resolve) => {
        told = () => uris.length >= count && resolve(uris);
        told();
      }),
  };
}

const servers = { 2025: legacyServer, 2026: modernServer };

describe.each(Object.entries(servers))("a server of %s", (_, made) => {
  it("says to a client of 2025 what it subscribed to: once that it may have changed, then each change", async () => {
    const server = made();
    const { client, heard } = await listener(await gate(server), "legacy");
    await client.subscribeResource({ uri: URI });
    expect(await heard(1)).toEqual([URI]);
    server.change("crm://lead/8");
    server.change("crm://lead/7");
    expect(await heard(2)).toEqual([URI, URI]);
  });

  it("says it to a client of 2026 too", async () => {
    const server = made();
    const { client, heard } = await listener(await gate(server), "auto");
    const subscription = await client.listen({ resourceSubscriptions: [URI] });
    await server.subscribed();
    expect(await heard(1)).toEqual([URI]);
    server.change("crm://lead/7");
    expect(await heard(2)).toEqual([URI, URI]);
    await subscription.close();
  });
});

describe("a subscription", () => {
  it("outlives the stream, until it is taken back or the session ends", async () => {
    const server = legacyServer();
    const own = await gate(server);
    const { client } = await listener(own, "legacy");
    const { guard } = own;
    await client.subscribeResource({ uri: URI });
    const session = (client.transport as StreamableHTTPClientTransport).sessionId ?? "";
    expect(await guard.mcpSessions.subscriptions(session)).toEqual([URI]);
    await client.unsubscribeResource({ uri: URI });
    expect(await guard.mcpSessions.subscriptions(session)).toEqual([]);
    await client.subscribeResource({ uri: URI });
    await (client.transport as StreamableHTTPClientTransport).terminateSession();
    expect(await guard.mcpSessions.subscriptions(session)).toEqual([]);
  });

  it("is refused where the server has no such resource, none that says when it changes, or is not relayed", async () => {
    const { client } = await listener(await gate(legacyServer()), "legacy");
    await expect(client.subscribeResource({ uri: "toolgate://crm/other://1" })).rejects.toThrow("no such resource");
    await expect(client.subscribeResource({ uri: "toolgate://other/crm://1" })).rejects.toThrow("relays none");
    await expect(client.subscribeResource({ uri: "crm://lead/7" })).rejects.toThrow("relays none");
    const silent: RelayedServer = { ...legacyServer(), fetch: scriptedServer().fetch };
    const other = await listener(await gate(silent), "legacy");
    await expect(other.client.subscribeResource({ uri: URI })).rejects.toThrow("does not say when resources change");
  });

  it("is refused beyond 64 in a session", async () => {
    const own = await gate(legacyServer());
    const { client } = await listener(own, "legacy");
    const session = (client.transport as StreamableHTTPClientTransport).sessionId ?? "";
    for (let at = 0; at < 64; at += 1) await own.guard.mcpSessions.subscribe(session, `toolgate://crm/crm://${at}`);
    await expect(client.subscribeResource({ uri: URI })).rejects.toThrow("more resources than are kept");
  });

  it("is not asked for without end of a server that has no stream", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const server = legacyServer({ streams: false });
    const own = await gate(server);
    const { client } = await listener(own, "legacy");
    await client.subscribeResource({ uri: URI });
    // One for the list of tools, one that tries, and one that listens.
    await server.sessions.until(({ ended }) => ended >= 3);
    for (let look = 0; look < 10; look += 1) await client.ping();
    expect(server.sessions.opened).toBe(3);
  });

  it("ends at the server with the stream", async () => {
    const server = legacyServer();
    const own = await gate(server);
    const client = mcpClient(own);
    await client.open();
    await client.rpc("resources/subscribe", { uri: URI });
    const headers = { accept: "text/event-stream", "mcp-session-id": client.session ?? "" };
    const stream = (await own.fetch("/mcp", { headers })).body?.getReader();
    await stream?.read();
    expect(server.sessions.ended).toBeLessThan(server.sessions.opened);
    await stream?.cancel();
    await server.sessions.until(({ opened, ended }) => ended === opened);
  });
});

describe("a session that its client has ended", () => {
  it("is unknown from then on, to this user alone", async () => {
    const own = await gate(legacyServer());
    const client = mcpClient(own);
    await client.open();
    const named = { "mcp-session-id": client.session ?? "", accept: "text/event-stream" };
    expect((await own.fetch("/mcp", { method: "DELETE", headers: named })).status).toBe(204);
    const statuses = [(await client.rpc("ping")).status, (await own.fetch("/mcp", { headers: named })).status];
    expect(statuses).toEqual([404, 404]);
    const other = mcpClient(own, await own.keyFor("eve", "user"));
    other.session = client.session;
    expect((await other.rpc("ping")).status).toBe(200);
    client.session = undefined;
    await client.open();
    expect((await client.rpc("ping")).status).toBe(200);
  });

  it("is the client's own: the one that all of a user's share goes on", async () => {
    const own = await gate(legacyServer());
    expect((await own.fetch("/mcp", { method: "DELETE" })).status).toBe(204);
    expect((await mcpClient(own).rpc("ping")).status).toBe(200);
  });
});
