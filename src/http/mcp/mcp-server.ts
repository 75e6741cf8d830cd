/** The MCP server of one request, by the official SDK. Load it with `import()`: chats do not need it. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  type LoggingLevel,
  ProtocolError,
  Server,
  type ServerContext,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { describeError, log } from "../../lib/log.ts";
import type { Result } from "../../lib/result.ts";
import type { ListMethod } from "./relay.ts";
import type { RpcFault } from "./rpc-error.ts";

/** What the gateway answers with. */
export interface ServedSession {
  /** For the client's model: how to call tools here. */
  readonly instructions: string;
  /** `tools/list`. */
  list(): Promise<Result<readonly JsonObject[], RpcFault>>;
  /** `tools/call`. */
  call(call: CalledTool): Promise<Result<JsonObject, RpcFault>>;
  /** The current version of the lists; undefined if it cannot be read. */
  version(): Promise<string | undefined>;
  /**
   * @param changed called with the new version when a list changes.
   * @param known the version that the client has.
   * @returns to be called when the client stops listening.
   */
  watch(changed: (version: string) => void, known?: string): () => void;
  /** Absent: the policy relays only tools. */
  readonly relay?: RelayedSession | undefined;
  /** Milliseconds after which a silent stream sends a keep-alive. */
  readonly keepAliveMs: number;
}

/** What clients may read of the policy's MCP servers. */
export interface RelayedSession {
  list(method: ListMethod, signal: AbortSignal): Promise<Result<JsonObject, RpcFault>>;
  readResource(uri: string, call: CalledTool): Promise<Result<JsonObject, RpcFault>>;
  getPrompt(name: string, values: unknown, call: CalledTool): Promise<Result<JsonObject, RpcFault>>;
  complete(params: JsonObject, signal: AbortSignal): Promise<Result<JsonObject, RpcFault>>;
  /** For a client of 2025: the resources that its session subscribes to. */
  subscribe(uri: string, signal: AbortSignal): Promise<Result<object, RpcFault>>;
  unsubscribe(uri: string): Promise<Result<object, RpcFault>>;
  /**
   * @param uris absent: those of the session.
   * @returns to be called when the client stops listening.
   */
  follow(updated: (uri: string) => void, uris?: readonly string[]): () => void;
  /** The lowest level of messages that a client of 2025 wants. */
  level: string | undefined;
}

export interface CalledTool {
  /** The request's id, as the client counts. */
  readonly id: string | number;
  readonly name: string;
  /** JSON. */
  readonly arguments: string;
  readonly client: CallingClient;
  /** Fires when the client goes away, or cancels. */
  readonly signal: AbortSignal;
  /** The list of tools may have changed. */
  readonly listChanged: () => Promise<void>;
  /** Sends a message on the call's own stream. Never throws. @param id of a request, which the client answers in a message of its own. */
  readonly request: (id: string, method: string, params: JsonObject) => void;
  readonly notify: (method: string, params: JsonObject) => void;
  /** Does nothing if the client does not want progress. */
  readonly progress: (progress: number, message: string) => void;
  readonly relayProgress: (params: JsonObject) => void;
  /** A line of a server's log, if the client wants it. */
  readonly message: (params: JsonObject) => void;
}

interface CallingClient {
  /**
   * `legacy`: the protocol of 2025, in which the session says what the client can do. `modern`: that of 2026, in which each request
   * does.
   */
  readonly era: "legacy" | "modern";
  readonly capabilities: unknown;
  /** The client's answers to the questions that its last try of the call ended with, and the state that came with them. */
  readonly responses: Readonly<Record<string, unknown>> | undefined;
  readonly state: string | undefined;
}

/** @param body the message, parsed strictly. */
export function serveMessage(request: Request, body: unknown, session: ServedSession): Promise<Response> {
  const onerror = (error: Error) => log("warn", "mcp_message_failed", describeError(error));
  // No state is passed from one request to another: a stream that listens reads for itself.
  const { relay } = session;
  const bus: ServerEventBus = {
    publish() {},
    subscribe(tell) {
      const unwatch = session.watch(() => {
        tell({ kind: "tools_list_changed" });
        if (!relay) return;
        tell({ kind: "resources_list_changed" });
        tell({ kind: "prompts_list_changed" });
      });
      const uris = subscribedIn(body);
      const unfollow =
        relay && uris.length > 0 ? relay.follow((uri) => tell({ kind: "resource_updated", uri }), uris) : undefined;
      return () => {
        unwatch();
        unfollow?.();
      };
    },
  };
  const { keepAliveMs } = session;
  const handler = createMcpHandler(({ era }) => serverFor(session, era), { onerror, keepAliveMs, bus });
  return handler.fetch(request, { parsedBody: body });
}

/** For a client of 2026. The SDK has checked the form of the answers. */
function subscribedIn(body: unknown): readonly string[] {
  const params = isObject(body) && isObject(body.params) ? body.params : {};
  const { resourceSubscriptions: uris } = isObject(params.notifications) ? params.notifications : {};
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string").slice(0, MAX_SUBSCRIPTIONS) : [];
}

/** Per stream. */
const MAX_SUBSCRIPTIONS = 64;

export function serverFor(session: ServedSession, era: CallingClient["era"]): Server {
  const { relay } = session;
  const listed = { listChanged: true };
  const relayed = relay
    ? { resources: { ...listed, subscribe: true }, prompts: listed, completions: {}, logging: {} }
    : {};
  const capabilities = { tools: listed, ...relayed };
  const server = new Server({ name: "toolgate", version: "1" }, { capabilities, instructions: session.instructions });
  const called = (name: string, args: unknown, mcpReq: ServerContext["mcpReq"]) =>
    calledTool({ server, era, relay }, name, args, mcpReq);
  server.setRequestHandler("tools/list", async () => ({ tools: orThrow(await session.list()) as never }));
  server.setRequestHandler(
    "tools/call",
    async ({ params }, { mcpReq }) =>
      orThrow(await session.call(called(params.name, params.arguments, mcpReq))) as never,
  );
  if (relay) relayFor(server, relay, called);
  return server;
}

type MakeToolCall = (name: string, args: unknown, mcpReq: ServerContext["mcpReq"]) => CalledTool;

function relayFor(server: Server, relay: RelayedSession, called: MakeToolCall): void {
  for (const method of ["resources/list", "resources/templates/list", "prompts/list"] as const)
    server.setRequestHandler(
      method,
      async (_, { mcpReq }) => orThrow(await relay.list(method, mcpReq.signal)) as never,
    );
  server.setRequestHandler(
    "resources/read",
    async ({ params }, { mcpReq }) => orThrow(await relay.readResource(params.uri, called("", {}, mcpReq))) as never,
  );
  server.setRequestHandler(
    "prompts/get",
    async ({ params }, { mcpReq }) =>
      orThrow(await relay.getPrompt(params.name, params.arguments, called("", {}, mcpReq))) as never,
  );
  server.setRequestHandler(
    "completion/complete",
    async ({ params }, { mcpReq }) => orThrow(await relay.complete({ ...params }, mcpReq.signal)) as never,
  );
  server.setRequestHandler(
    "resources/subscribe",
    async ({ params }, { mcpReq }) => orThrow(await relay.subscribe(params.uri, mcpReq.signal)) as never,
  );
  server.setRequestHandler(
    "resources/unsubscribe",
    async ({ params }) => orThrow(await relay.unsubscribe(params.uri)) as never,
  );
  server.setRequestHandler("logging/setLevel", ({ params }) => {
    relay.level = params.level;
    return {};
  });
}

interface ClientConnection {
  readonly server: Server;
  readonly era: CallingClient["era"];
  readonly relay: RelayedSession | undefined;
}

function calledTool(
  { server, era, relay }: ClientConnection,
  name: string,
  args: unknown,
  mcpReq: ServerContext["mcpReq"],
): CalledTool {
  // A stream that is gone needs no message: its signal ends the call.
  const sent = (sending: Promise<unknown> | undefined) =>
    void sending?.catch((error: unknown) => log("info", "mcp_message_not_sent", describeError(error)));
  const send = (message: object) =>
    sent(server.transport?.send({ jsonrpc: "2.0", ...message } as never, { relatedRequestId: mcpReq.id }));
  const token = mcpReq._meta?.progressToken;
  const relayProgress = (params: JsonObject) =>
    token !== undefined && send({ method: "notifications/progress", params: { ...params, progressToken: token } });
  return {
    id: mcpReq.id,
    name,
    arguments: JSON.stringify(args ?? {}),
    client: {
      era,
      capabilities: (mcpReq.envelope as JsonObject | undefined)?.[CLIENT_CAPABILITIES_META_KEY],
      responses: mcpReq.inputResponses,
      state: mcpReq.requestState(),
    },
    signal: mcpReq.signal,
    listChanged: () => mcpReq.notify({ method: "notifications/tools/list_changed" }),
    request: (id, method, params) => send({ id, method, params }),
    notify: (method, params) => send({ method, params }),
    progress: (progress, message) => relayProgress({ progress, message }),
    relayProgress,
    message(params) {
      if (!relay) return;
      const { level, data, logger } = params as { level: LoggingLevel; data: unknown; logger?: string };
      if (era === "modern") sent(mcpReq.log(level, data, logger));
      else if (isHeard(level, relay.level)) send({ method: "notifications/message", params });
    },
  };
}

/** From the lowest level up. */
const LEVELS: readonly string[] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

const isHeard = (level: string, least: string | undefined): boolean =>
  least === undefined || LEVELS.indexOf(level) >= LEVELS.indexOf(least);

/** The SDK turns it into a protocol error. */
function orThrow<T>(result: Result<T, RpcFault>): T {
  if (result.ok) return result.value;
  const { code, message, data } = result.error;
  throw new ProtocolError(code, message, data);
}
