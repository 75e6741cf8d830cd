/** Where a toolgate in a process keeps what it must remember: sessions, limits, approvals, the audit trail. */
import type { UserGuardPort } from "../../ports/guard-port.ts";
import type { Owner } from "../../session/principal.ts";
import type { BytesKv } from "../../stores/semantic/compiled-models.ts";
import type { McpPinsPort } from "../../tools/mcp/known-server.ts";

export interface Stores {
  /** All of one user: exact counts need one place that every process which serves the user shares. */
  readonly guardOf: (owner: Owner) => UserGuardPort;
  /** Definitions of MCP tools that the tenant has accepted. */
  readonly pinsOf: (tenant: string) => McpPinsPort;
  /** What the built-in tools keep. Absent: those that keep something are not available. */
  readonly toolsDb?: D1Database | undefined;
  /** Trained models of the layer `semantic`. */
  readonly models: BytesKv;
  /** A user's audit records, oldest first, after what still waits was delivered. */
  readonly audit: (owner: Owner) => Promise<readonly StoredRecord[]>;
}

/** An audit record as it is stored: `kind` says which. */
export type StoredRecord = Readonly<Record<string, unknown>> & { readonly kind: string; readonly at: number };
