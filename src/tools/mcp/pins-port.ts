/**
 * The port to the definitions that a tenant has accepted; kept in TenantLedger. Of two lists the later one counts.
 * Throws where the object cannot be reached.
 */
import type { McpServer } from "../../policy/document/run-parts.ts";
import type { KnownServer, ListFailure, McpList } from "./known-server.ts";

export interface NotedList {
  readonly server: string;
  readonly list: McpList;
  /** What becomes of a tool that the tenant has not seen before. */
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
  /** Where the policy has the server: the list of another address says nothing of it. */
  readonly url: string;
  readonly tool: string;
}

export interface McpPinsPort {
  /** All servers that were ever asked. */
  servers(): Promise<readonly KnownServer[]>;
  /** What is seen for the first time is accepted, unless it is suspicious or new tools wait. */
  noteList(noted: NotedList): Promise<KnownServer>;
  /** The list that was known stays. */
  noteFailure(noted: NotedFailure): Promise<KnownServer>;
  /** `changed`: what is seen now is another definition, or none. */
  accept(acceptance: McpAcceptance): Promise<"accepted" | "changed" | "unknown">;
  /** The tool is as if it had never been seen. `listed`: the server's last list has it, or none was read at this address. */
  forgetTool(forgetting: McpForgetting): Promise<"forgotten" | "listed" | "unknown">;
  /** With all its tools. @returns false where it was never asked. */
  forgetServer(server: string): Promise<boolean>;
}
