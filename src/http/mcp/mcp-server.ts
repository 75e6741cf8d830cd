/** The MCP server of one request, by the official SDK. To be loaded with `import()`: chats do without it. */
import {
  type CallToolRequest,
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  ProtocolError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { describeError, log } from "../../lib/log.ts";
import type { Result } from "../../lib/result.ts";
import type { RpcFault } from "./rpc-error.ts";

/** What the gateway answers with. */
export interface ServedSession {
  /** `tools/list`. */
  list(): Promise<Result<readonly JsonObject[], RpcFault>>;
  /** `tools/call`. */
  call(call: CalledTool): Promise<Result<JsonObject, RpcFault>>;
  /** Milliseconds after which a silent stream says that it goes on. */
  readonly keepAliveMs: number;
}

export interface CalledTool {
  readonly name: string;
  /** JSON. */
  readonly arguments: string;
  readonly client: CallingClient;
  /** Fires when the client goes away, or cancels. */
  readonly signal: AbortSignal;
  /** The list of tools may be another now. */
  readonly listChanged: () => Promise<void>;
  /** Sends a message on the call's own stream. Never throws. @param id of a request, which the client answers in a message of its own. */
  readonly request: (id: string, method: string, params: JsonObject) => void;
  readonly notify: (method: string, params: JsonObject) => void;
  /** Nothing where the client wants to hear none. */
  readonly progress: (progress: number, message: string) => void;
}

export interface CallingClient {
  /** `legacy`: the protocol of 2025, in which the session says what the client can. `modern`: that of 2026, in which each request does. */
  readonly era: "legacy" | "modern";
  readonly capabilities: unknown;
  /** What the client answers to the questions that its last try of the call ended with, and what came with them. */
  readonly responses: Readonly<Record<string, unknown>> | undefined;
  readonly state: string | undefined;
}

/** @param body the message, parsed strictly. */
export function serveMessage(request: Request, body: unknown, session: ServedSession): Promise<Response> {
  const onerror = (error: Error) => log("warn", "mcp_message_failed", describeError(error));
  const handler = createMcpHandler(({ era }) => serverFor(session, era), { onerror, keepAliveMs: session.keepAliveMs });
  return handler.fetch(request, { parsedBody: body });
}

function serverFor(session: ServedSession, era: CallingClient["era"]): Server {
  const server = new Server({ name: "toolgate", version: "1" }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler("tools/list", async () => ({ tools: orThrow(await session.list()) as never }));
  server.setRequestHandler(
    "tools/call",
    async ({ params }, { mcpReq }) => orThrow(await session.call(calledTool(server, era, params, mcpReq))) as never,
  );
  return server;
}

function calledTool(
  server: Server,
  era: CallingClient["era"],
  { name, arguments: args = {} }: CallToolRequest["params"],
  mcpReq: ServerContext["mcpReq"],
): CalledTool {
  // A stream that is gone needs no message: the call hears of it by its signal.
  const send = (message: object) =>
    void server.transport
      ?.send({ jsonrpc: "2.0", ...message } as never, { relatedRequestId: mcpReq.id })
      .catch((error: unknown) => log("info", "mcp_message_not_sent", describeError(error)));
  const token = mcpReq._meta?.progressToken;
  return {
    name,
    arguments: JSON.stringify(args),
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
    progress: (progress, message) =>
      token !== undefined &&
      send({ method: "notifications/progress", params: { progressToken: token, progress, message } }),
  };
}

/** The SDK makes an error of the protocol of it. */
function orThrow<T>(result: Result<T, RpcFault>): T {
  if (result.ok) return result.value;
  const { code, message, data } = result.error;
  throw new ProtocolError(code, message, data);
}
