/** Where a toolgate in a process keeps what it must remember: sessions, limits, approvals, the audit trail. */
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { StoredRecord } from "../../ports/audit-record.ts";
import type { DetectorPort } from "../../ports/detector-port.ts";
import type { UserGuardPort } from "../../ports/guard-port.ts";
import type { Owner } from "../../session/principal.ts";
import type { BytesKv } from "../../stores/semantic/compiled-models.ts";
import type { Readiness } from "../../stores/semantic/semantic-layer.ts";
import type { McpPinsPort } from "../../tools/mcp/known-server.ts";

export interface Stores {
  /** All of one user: exact counts need one place that every process which serves the user shares. */
  readonly guardOf: (owner: Owner) => UserGuardPort;
  /** Definitions of MCP tools that the tenant has accepted. */
  readonly pinsOf: (tenant: string) => McpPinsPort;
  /** What the built-in tools keep: a D1 database. Absent: those that keep something are not available. */
  readonly toolsDb?: object | undefined;
  /** Trained models of the layer `semantic`. */
  readonly models: BytesKv;
  /** What detects intents. Absent: the layers that need no service, from the files of the package. */
  readonly detection?: Detection | undefined;
  /** A user's audit records, oldest first, after what still waits was delivered. */
  readonly audit: (owner: Owner) => Promise<readonly StoredRecord[]>;
}

export interface Detection {
  readonly detector: DetectorPort;
  /** Trains what the policy's layer `semantic` needs, where that is not there yet. */
  readonly prepare: (policy: CompiledPolicy) => Promise<Readiness>;
}
