/** The object of one tenant, as the rest of the gateway reaches it: a small port for each thing that it stores. */
import type { McpPinsPort } from "../tools/mcp/known-server.ts";
import type { KeyLedgerPort } from "./key-ledger-port.ts";
import type { PolicyLedgerPort } from "./policy-ledger-port.ts";

export interface TenantLedgerPort {
  readonly policies: PolicyLedgerPort;
  readonly keys: KeyLedgerPort;
  readonly mcp: McpPinsPort;
  readonly retention: RetentionWalkPort;
}

export interface RetentionWalkPort {
  /** Wakes the object of each user once every object can read the new policy. Resolves once that is stored. */
  shortened(tenant: string): Promise<void>;
}
