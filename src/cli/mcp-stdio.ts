/**
 * `toolgate mcp --stdio`: a gateway's `/mcp` for clients that start their servers as programs. Each line on the input is a message that
 * is posted; each message that comes back, or that the gateway sends on its own, is a line on the output. Messages for the person go to
 * the error output.
 */
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { isObject, type JsonObject } from "../lib/json/json-value.ts";
import { splitSse } from "../wire/sse-split.ts";
import { connectionLines, DEFAULT_GATEWAY, type GatewayAddress, readGatewayAddress } from "./gateway-client.ts";
import { command, fail, runSubcommand } from "./subcommands.ts";

const bridge = command({
  usage: `mcp --stdio [--gateway URL] [--session mcp_NAME]
serves a gateway's tools to an MCP client that starts this program; the key is TOOLGATE_KEY`,
  options: {
    stdio: { type: "boolean", default: false },
    gateway: { type: "string", default: DEFAULT_GATEWAY },
    session: { type: "string" },
  },
  run: async ({ stdio, gateway: url, session }) => {
    if (!stdio) return "usage";
    const gateway = readGatewayAddress(url, process.env, "tg-dev-user");
    if (!gateway.ok) return fail(gateway.error);
    await pump(gateway.value, session);
    return 0;
  },
});

export const mcpCommand = (args: readonly string[]): Promise<number> =>
  runSubcommand("toolgate", { mcp: bridge }, ["mcp", ...args]);

interface Pump {
  readonly gateway: GatewayAddress;
  readonly headers: Headers;
  /** Running requests, by their ids as JSON. */
  readonly requests: Map<string, AbortController>;
  /** Fires when the client is done. */
  readonly closing: AbortSignal;
}

/** The pause before a stream that has ended is opened again. */
const AGAIN_MS = 1_000;

async function pump(gateway: GatewayAddress, session: string | undefined): Promise<void> {
  const headers = new Headers({
    authorization: `Bearer ${gateway.key}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(session === undefined ? {} : { "x-toolgate-session": session }),
  });
  const closing = new AbortController();
  const self: Pump = { gateway, headers, requests: new Map(), closing: closing.signal };
  const posted = new Set<Promise<void>>();
  let opened: Promise<void> | undefined;
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === "") continue;
    const message = readMessage(line);
    if (message?.method === "notifications/cancelled" && isObject(message.params))
      self.requests.get(JSON.stringify(message.params.requestId))?.abort();
    // The answer to the first message names the session that all others belong to.
    await opened;
    const work = post(self, line, message);
    if (message?.method === "initialize") opened = work;
    const isReady = message?.method === "notifications/initialized";
    const done: Promise<void> = (isReady ? work.then(() => listen(self)) : work).finally(() => posted.delete(done));
    posted.add(done);
  }
  closing.abort();
  for (const request of self.requests.values()) request.abort();
  await Promise.all(posted);
  await end(self);
}

function readMessage(line: string): JsonObject | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return isObject(message) ? message : undefined;
  } catch {
    // The gateway says what is wrong with it.
    return undefined;
  }
}

async function post(self: Pump, body: string, message: JsonObject | undefined): Promise<void> {
  const { gateway, requests } = self;
  const isRequest = message?.method !== undefined && message.id !== undefined;
  const key = JSON.stringify(message?.id);
  const controller = new AbortController();
  if (isRequest) requests.set(key, controller);
  const { signal } = controller;
  let answered = false;
  try {
    const init = { method: "POST", headers: headersFor(self, message), body, redirect: "error", signal } as const;
    const response = await fetch(`${gateway.url}/mcp`, init);
    const session = response.headers.get("mcp-session-id");
    if (session !== null) self.headers.set("mcp-session-id", session);
    for await (const data of messagesIn(response)) {
      const answer = readMessage(data);
      answered ||= isRequest && answer?.method === undefined;
      if (message?.method === "initialize") keepVersion(self, answer);
      // An error that is about no request of the client's would be of no use to it.
      const isFor = answer?.id !== null || !isRequest;
      tell(isFor ? data : JSON.stringify({ ...answer, id: message.id }));
    }
    if (isRequest && !answered) throw new Error("the gateway's answer broke off");
  } catch (error) {
    if (signal.aborted) return;
    const [why = "the gateway cannot be reached"] = connectionLines(gateway, error);
    console.error(why);
    if (isRequest && !answered)
      tell(JSON.stringify({ jsonrpc: "2.0", id: message.id, error: { code: -32000, message: why } }));
  } finally {
    requests.delete(key);
  }
}

/**
 * The gateway's own notifications to a client of 2025: a list or a resource may have changed. A stream that has ended is opened again,
 * from its last event on.
 */
async function listen({ gateway, headers, closing }: Pump): Promise<void> {
  const all = new Headers(headers);
  if (!all.has("mcp-session-id")) return;
  all.delete("content-type");
  all.set("accept", "text/event-stream");
  while (!closing.aborted) {
    try {
      const response = await fetch(`${gateway.url}/mcp`, { headers: all, redirect: "error", signal: closing });
      // It has none, or the session is over.
      if (!response.ok) return;
      const events = splitSse();
      for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
        for (const { raw, data = "" } of events.push(text)) {
          const id = /^id: ?(.+)$/m.exec(raw)?.[1];
          if (id !== undefined) all.set("last-event-id", id);
          if (data !== "") tell(data);
        }
    } catch (error) {
      if (!closing.aborted) console.error(connectionLines(gateway, error)[0]);
    }
    await pause(AGAIN_MS, undefined, { signal: closing }).catch(() => undefined);
  }
}

const tell = (line: string): void => void process.stdout.write(`${line}\n`);

async function* messagesIn(response: Response): AsyncGenerator<string, void> {
  if (!response.headers.get("content-type")?.includes("text/event-stream")) {
    const text = await response.text();
    // One line a message, whatever the gateway's body looks like.
    if (text.trim() !== "") yield JSON.stringify(JSON.parse(text));
    return;
  }
  if (!response.body) return;
  const events = splitSse();
  for await (const text of response.body.pipeThrough(new TextDecoderStream()))
    for (const { data = "" } of events.push(text)) if (data !== "") yield data;
}

/** Headers that the protocol of 2026 requires, so that a message can be routed without reading it. */
function headersFor({ headers }: Pump, message: JsonObject | undefined): Headers {
  const all = new Headers(headers);
  const params = isObject(message?.params) ? message.params : {};
  const version = isObject(params._meta) ? params._meta["io.modelcontextprotocol/protocolVersion"] : undefined;
  if (typeof version !== "string") return all;
  all.set("mcp-protocol-version", version);
  all.set("mcp-method", String(message?.method));
  const name = params.name ?? params.uri;
  if (typeof name === "string") all.set("mcp-name", name);
  return all;
}

/** Keeps the negotiated protocol version, which each message after the first names. */
function keepVersion({ headers }: Pump, answer: JsonObject | undefined): void {
  const version = isObject(answer?.result) ? answer.result.protocolVersion : undefined;
  if (typeof version === "string") headers.set("mcp-protocol-version", version);
}

async function end({ gateway, headers }: Pump): Promise<void> {
  if (!headers.has("mcp-session-id")) return;
  const signal = AbortSignal.timeout(2_000);
  await fetch(`${gateway.url}/mcp`, { method: "DELETE", headers, signal }).catch(() => undefined);
}
