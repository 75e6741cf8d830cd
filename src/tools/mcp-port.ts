/** The port to tools of MCP servers. */
import type { CompiledPolicy, DiscoveredTool } from "../policy/compile.ts";
import type { Principal } from "../session/principal.ts";
import type { ExecutionResult } from "./execution-result.ts";
import type { PreparedCall } from "./tool-runner.ts";

/** A server's tool in its accepted definition. */
export interface McpTool {
  /** What it is called unless a tool of the policy runs it: `mcp__<server>__<tool>`. */
  readonly name: string;
  /** A name in `mcpServers`, and the server's own name of the tool. */
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly traits: DiscoveredTool;
  /** The server offers another definition than the accepted one, or none was accepted yet. */
  readonly changed: boolean;
}

export interface McpCatalogue {
  /** In the order of the policy's servers, then the server's. */
  readonly tools: readonly McpTool[];
}

/** Where a call goes. */
export interface McpTarget {
  readonly server: string;
  readonly tool: string;
}

export interface McpPort {
  /**
   * The tools of all servers of the policy. At once where they are known. The same object as long as nothing changed: what is
   * made of it is kept with it. Never rejects.
   */
  catalogue(policy: CompiledPolicy, principal: Principal): McpCatalogue | Promise<McpCatalogue>;
  /** Within `call.deadline`. What it throws is told as `unavailable`, without its message. */
  run(call: PreparedCall, target: McpTarget): Promise<ExecutionResult>;
}
