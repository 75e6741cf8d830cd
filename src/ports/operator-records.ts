/** Audit records of operators' acts: for a user, or for the whole tenant. A part of `AuditRecord`, whose file says what holds for all. */
import type { Owner } from "../session/principal.ts";

/** What every record has: its owner, and when it was written. */
export interface RecordBase extends Owner {
  readonly id: string;
  readonly at: number;
}

/** What an operator has linked for the user, or removed, written in the same transaction. Never with the token. */
export interface ConnectionRecord extends RecordBase {
  readonly kind: "connection";
  readonly event: "set" | "removed";
  readonly provider: string;
  /** Hosts that its token may be sent to. */
  readonly hosts: readonly string[];
  readonly hasToken: boolean;
  readonly expiresAt: number | null;
  readonly by: string;
}

/** What an operator has withdrawn from the user, written in the same transaction. */
export interface ResetRecord extends RecordBase {
  readonly kind: "reset";
  readonly event: "grant_withdrawn" | "consent_withdrawn" | "user_reset";
  /** The grant's id, or the tool; null if all were withdrawn. */
  readonly subject: string | null;
  /** How many of each. */
  readonly sessions: number;
  readonly grants: number;
  readonly consents: number;
  readonly by: string;
}

/** What an admin has changed for the whole tenant, written into the admin's chain once it is done. */
export interface ChangeRecord extends RecordBase {
  readonly kind: "change";
  readonly event:
    | "policy_put"
    | "policy_rolled_back"
    | "policy_deleted"
    | "candidate_set"
    | "candidate_removed"
    | "key_made"
    | "key_rotated"
    | "key_ended"
    | "mcp_server_refreshed"
    | "mcp_server_forgotten"
    | "mcp_tool_accepted"
    | "mcp_tool_forgotten"
    | "settings_put"
    | "settings_deleted"
    /** `subject` names the erasure. */
    | "user_erased"
    /** The last record of a chain whose user was erased: `user` names the erasure too. */
    | "chain_closed";
  /** With `@tenant` appended for an operator of another tenant. */
  readonly user: string;
  /** The digest of a document, the id of a key, a server, or a server and its tool; null if there is nothing to name. */
  readonly subject: string | null;
  readonly by: string;
}
