/** A tenant's record of an MCP server: its list of tools as last seen, and the accepted definitions. */
import type { McpServer } from "../../policy/document/run-parts.ts";
import type { RunFailure } from "../run.ts";

/** A tool as its server defines it: all that its digest covers. */
export interface McpDefinition {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
}

export interface SeenTool {
  readonly digest: string;
  readonly definition: McpDefinition;
  /** Whether it holds text that reads like an instruction to the model. */
  readonly suspicious: boolean;
}

export interface AcceptedTool {
  readonly digest: string;
  readonly definition: McpDefinition;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Null: accepted automatically, when it was first seen. */
  readonly by: string | null;
}

export interface KnownTool {
  /** The server's name of it. At least one of `seen` and `accepted` is there. */
  readonly tool: string;
  readonly accepted: AcceptedTool | null;
  /** Null if the last list does not have it. */
  readonly seen: SeenTool | null;
}

export interface LeftOut {
  readonly tool: string;
  /** For an operator. */
  readonly reason: string;
}

/** Which of the protocol's two families a server speaks: by `initialize`, or without it (2026-07-28 and later). */
export type McpEra = "legacy" | "modern";

export interface McpList {
  readonly url: string;
  readonly era: McpEra;
  readonly tools: readonly SeenTool[];
  readonly leftOut: readonly LeftOut[];
}

export interface KnownServer {
  /** Its name in the policy. */
  readonly server: string;
  /** The address that the list is of: a policy may have given the name to another server since. */
  readonly url: string;
  readonly era: McpEra | null;
  /** Milliseconds since the epoch; null: never. */
  readonly listedAt: number | null;
  /** The last attempt, whatever its outcome. */
  readonly triedAt: number;
  /** Why the last attempt failed; null if it did not. */
  readonly error: ListFailure | null;
  /** In the server's order. */
  readonly tools: readonly KnownTool[];
  readonly leftOut: readonly LeftOut[];
}

export interface ListFailure {
  readonly failure: RunFailure;
  readonly detail: string;
}

type ToolState = "accepted" | "changed" | "waiting" | "left_out" | "gone";

export function stateOf({ leftOut }: KnownServer, { tool, accepted, seen }: KnownTool): ToolState {
  if (seen === null) return leftOut.some((one) => one.tool === tool) ? "left_out" : "gone";
  if (accepted === null) return "waiting";
  return accepted.digest === seen.digest ? "accepted" : "changed";
}

export interface NotedList {
  readonly server: string;
  readonly list: McpList;
  /** What is done with a tool that the tenant has not seen before. */
  readonly newTools: McpServer["newTools"];
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface NotedFailure {
  readonly server: string;
  readonly url: string;
  readonly error: ListFailure;
  readonly at: number;
}

export interface McpAcceptance {
  readonly server: string;
  readonly tool: string;
  readonly digest: string;
  readonly by: string;
  readonly at: number;
}

export interface McpForgetting {
  readonly server: string;
  /** The server's address in the policy: a list of another address does not count. */
  readonly url: string;
  readonly tool: string;
}

export interface McpPinsPort {
  /** All servers that were ever reached. */
  servers(): Promise<readonly KnownServer[]>;
  /** A tool that is seen for the first time is accepted, unless it is suspicious or the policy lets new tools wait. */
  noteList(noted: NotedList): Promise<KnownServer>;
  /** The known list stays. */
  noteFailure(noted: NotedFailure): Promise<KnownServer>;
  /** `changed`: the current definition is another one, or there is none. */
  accept(acceptance: McpAcceptance): Promise<"accepted" | "changed" | "unknown">;
  /** The tool is as if it had never been seen. `listed`: the server's last list has it, or none was read at this address. */
  forgetTool(forgetting: McpForgetting): Promise<"forgotten" | "listed" | "unknown">;
  /** With all its tools. @returns false if it was never reached. */
  forgetServer(server: string): Promise<boolean>;
}
