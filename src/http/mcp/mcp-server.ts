/** The MCP server of one request, by the official SDK. To be loaded with `import()`: chats do without it. */
import { createMcpHandler, ProtocolError, Server } from "@modelcontextprotocol/server";
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
  /** Fires when the client goes away, or cancels. */
  readonly signal: AbortSignal;
  /** The list of tools may be another now. */
  readonly listChanged: () => Promise<void>;
}

/** @param body the message, parsed strictly. */
export function serveMessage(request: Request, body: unknown, session: ServedSession): Promise<Response> {
  const onerror = (error: Error) => log("warn", "mcp_message_failed", describeError(error));
  const handler = createMcpHandler(() => serverFor(session), { onerror, keepAliveMs: session.keepAliveMs });
  return handler.fetch(request, { parsedBody: body });
}

function serverFor(session: ServedSession): Server {
  const server = new Server({ name: "toolgate", version: "1" }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler("tools/list", async () => ({ tools: orThrow(await session.list()) as never }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const answer = await session.call({
      name: params.name,
      arguments: JSON.stringify(params.arguments ?? {}),
      signal: mcpReq.signal,
      listChanged: () => mcpReq.notify({ method: "notifications/tools/list_changed" }),
    });
    return orThrow(answer) as never;
  });
  return server;
}

/** The SDK makes an error of the protocol of it. */
function orThrow<T>(result: Result<T, RpcFault>): T {
  if (result.ok) return result.value;
  const { code, message, data } = result.error;
  throw new ProtocolError(code, message, data);
}
