/** What a scripted MCP server answers over Streamable HTTP: each message by itself, without a session. Pure. */
import type { ScriptedServers } from "./case-managed-schema.ts";

export interface McpAnswer {
  readonly status: number;
  readonly body?: unknown;
  /** What nothing is scripted for. */
  readonly fault?: string;
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly protocolVersion?: string };
}

export function answerMcp(name: string, server: ScriptedServers[string], method: string, body: string): McpAnswer {
  if (method !== "POST") return { status: 405 };
  const { id, method: asked, params } = JSON.parse(body) as Message;
  if (id === undefined) return { status: 202 };
  const answer = (more: object): McpAnswer => ({ status: 200, body: { jsonrpc: "2.0", id, ...more } });
  switch (asked) {
    case "initialize":
      return answer({
        result: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name, version: "1" },
        },
      });
    case "ping":
      return answer({ result: {} });
    case "tools/list":
      return answer({ result: { tools: server.tools.map((tool) => ({ inputSchema: { type: "object" }, ...tool })) } });
    case "tools/call": {
      const tool = params?.name ?? "";
      if (Object.hasOwn(server.results, tool)) return answer({ result: resultOf(server.results[tool]) });
      const fault = `nothing is scripted for the tool \`${tool}\` of the MCP server \`${name}\``;
      return { ...answer({ error: { code: -32_602, message: fault } }), fault };
    }
    default:
      return answer({ error: { code: -32_601, message: "there is no such method" } });
  }
}

function resultOf(value: unknown): unknown {
  if (typeof value === "object" && value !== null && "content" in value) return value;
  return { content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }] };
}
