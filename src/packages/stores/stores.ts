/** The stores of a toolgate in a process: sessions, limits, approvals, the audit trail. */
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { StoredRecord } from "../../ports/audit-record.ts";
import type { DetectorPort } from "../../ports/detector-port.ts";
import type { UserGuardPort } from "../../ports/guard-port.ts";
import type { Owner } from "../../session/principal.ts";
import type { BytesKv } from "../../stores/semantic/compiled-models.ts";
import type { Readiness } from "../../stores/semantic/semantic-layer.ts";
import type { McpPinsPort } from "../../tools/mcp/known-server.ts";

export interface Stores {
  /** Everything of one user. Exact counts need one place, shared by every process that serves the user. */
  readonly guardOf: (owner: Owner) => UserGuardPort;
  /** Definitions of MCP tools that the tenant has accepted. */
  readonly pinsOf: (tenant: string) => McpPinsPort;
  /** The built-in tools' storage: a D1 database. Absent: the tools that store something are not available. */
  readonly toolsDb?: object | undefined;
  /** Trained models of the layer `semantic`. */
  readonly models: BytesKv;
  /** The detection of intents. Absent: by the layers that need no service, from the files of the package. */
  readonly detection?: Detection | undefined;
  /** A user's audit records, oldest first. Waiting records are delivered before. */
  readonly audit: (owner: Owner) => Promise<readonly StoredRecord[]>;
}

export interface Detection {
  readonly detector: DetectorPort;
  /** Trains the model of the policy's layer `semantic`, if there is none yet. */
  readonly prepare: (policy: CompiledPolicy) => Promise<Readiness>;
}
