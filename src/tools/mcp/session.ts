/** A session with an MCP server, as the rest of Toolgate sees it. */
import type { Result } from "../../lib/result.ts";
import type { McpFault } from "./fault.ts";
import type { McpEra } from "./known-server.ts";
import type { McpResult } from "./result-text.ts";

export interface SessionRequest {
  readonly url: string;
  /** Guards where requests go, and fills in their headers. */
  readonly fetch: typeof fetch;
  /** Milliseconds since the epoch: nothing is waited for beyond it. */
  readonly deadline: number;
  /** Fires when the client goes away. */
  readonly signal?: AbortSignal;
  /** As it was found before: saves asking. */
  readonly era?: McpEra | undefined;
  /** Of the answer to a call. */
  readonly maxBytes: number;
  readonly now: () => number;
}

export interface McpSession {
  readonly era: McpEra;
  /** All that the server lists, unread. */
  list(): Promise<Result<readonly unknown[], McpFault>>;
  /** Asks once, whatever comes of it. @param inputSchema of the tool, which may have arguments sent in headers. */
  call(tool: CalledTool): Promise<Result<McpResult, McpFault>>;
  /** Ends it at the server too. Never rejects; need not be awaited. */
  end(): Promise<void>;
}

export interface CalledTool {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export type OpenSession = (order: SessionRequest) => Promise<Result<McpSession, McpFault>>;
