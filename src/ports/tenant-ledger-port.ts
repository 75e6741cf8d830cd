/** The object of one tenant, as the rest of the gateway reaches it: a small port for each thing that it stores. */

import type { Result } from "../lib/result.ts";
import type { McpPinsPort } from "../tools/mcp/known-server.ts";
import type { ApiKey } from "./api-key.ts";
import type { PolicyCondition, TenantDirectoryPort } from "./tenant-directory-port.ts";

export interface TenantLedgerPort {
  readonly policies: PolicyLedgerPort;
  readonly keys: KeyLedgerPort;
  readonly mcp: McpPinsPort;
  readonly retention: RetentionWalkPort;
  readonly trail: TrailHomePort;
  /** Used only in the directory's object. */
  readonly tenants: TenantDirectoryPort;
}

export interface RetentionWalkPort {
  /** Wakes the object of each user once every object can read the new policy. Resolves once that order is stored. */
  shortened(tenant: string): Promise<void>;
}

/** The databases of a tenant's hot index, by name. */
export interface TrailPlace {
  readonly read: string;
  /** Two while the tenant is moved from one to the other. */
  readonly write: readonly string[];
  /** Nothing of it may be removed. */
  readonly isMoving: boolean;
}

interface TrailHomeState {
  readonly shard: string;
  readonly pin: string | null;
  /** The other database while the tenant is moved, and the phase of the move. */
  readonly other: string | null;
  readonly phase: string | null;
}

/** `pin` or `check` begins the move of a tenant; the ledger's alarm does it. */
export interface TrailHomePort {
  /** Valid for a minute. Rejects if no database was chosen before, and one fails. */
  place(tenant: string): Promise<TrailPlace>;
  /** @param shard null: the one that the tenant's name maps to. */
  pin(tenant: string, shard: string | null): Promise<void>;
  /** @param found the databases that have records of the tenant. */
  check(tenant: string, found: readonly string[]): Promise<void>;
  /** Undefined if the tenant's place was never needed. */
  state(): Promise<TrailHomeState | undefined>;
}

/** What put a version into force; `adopted`: it was written into KV past the ledger. */
export type PolicyAction = "put" | "rollback" | "delete" | "adopted";

export interface PolicyVersion {
  /** Names this entry, `pver_<number>`: one digest may have come into force several times. */
  readonly id: string;
  /** Digest of the document; null: the embedded policy. */
  readonly digest: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Null if it is not known. */
  readonly by: string | null;
  readonly action: PolicyAction;
}

export interface PolicyInForce {
  /** Absent if the tenant never had a policy of its own. */
  readonly version: PolicyVersion | null;
  /** The document's text; null for the embedded one, and if KV lacks the document of its pointer. */
  readonly text: string | null;
}

export interface PolicyWrite {
  readonly tenant: string;
  /** The document, found valid; null: back to the embedded one. */
  readonly text: string | null;
  readonly action: Exclude<PolicyAction, "adopted">;
  readonly by: string;
  readonly condition: PolicyCondition;
  /** Returns what the write would return, and writes nothing. */
  readonly dryRun: boolean;
}

export type PolicyWriteResult =
  | {
      readonly kind: "written";
      readonly digest: string | null;
      /** When it came into force; the later of two pointers is the newer. */
      readonly at: number;
      readonly previous: PolicyInForce;
    }
  | { readonly kind: "changed"; readonly digest: string | null }
  | { readonly kind: "unavailable" };

export interface PolicyVersionPage {
  /** Newest first. */
  readonly versions: readonly PolicyVersion[];
  readonly hasMore: boolean;
  /** The entry in force. */
  readonly inForce: string | null;
}

export interface PolicyLedgerPort {
  inForce(tenant: string): Promise<PolicyInForce | "unavailable">;
  write(write: PolicyWrite): Promise<PolicyWriteResult>;
  /** @param after id of the entry before the first one wanted. */
  versions(
    tenant: string,
    limit: number,
    after: string | undefined,
  ): Promise<PolicyVersionPage | "unknown_cursor" | "unavailable">;
  /** The newest entry of this digest; undefined if the tenant never had it. */
  version(tenant: string, digest: string): Promise<PolicyInForce | undefined | "unavailable">;
}

/** The author of a change. */
export interface Actor {
  readonly tenant: string;
  readonly user: string;
  readonly keyId: string;
}

export interface KeyRecord {
  readonly key: ApiKey;
  /** A label for people. */
  readonly name: string;
  readonly createdBy: Actor;
  readonly rotatedAt?: number;
  readonly rotatedBy?: Actor;
}

export interface StoredKey extends KeyRecord {
  /** Whether it is revoked but KV still has one of its tokens. */
  readonly revoking: boolean;
}

export interface KeyPage {
  readonly limit: number;
  readonly after?: string;
  readonly order: "asc" | "desc";
  /** Only keys of this user; undefined: of all. */
  readonly user?: string;
}

export type KeyFailure =
  /** There is no such key, or it is revoked. */
  | "unknown"
  /** It has expired: a new token would not work. */
  | "expired"
  /** KV failed: nothing has changed. */
  | "unavailable";

interface KeyChange {
  readonly record: KeyRecord;
  /** False if KV has not taken the change yet: the token works until the alarm has repeated it. */
  readonly settled: boolean;
}

export interface KeyLedgerPort {
  /** @param hash the SHA-256 of the token, as hex: the ledger never gets the token itself. */
  create(record: KeyRecord, hash: string): Promise<Result<KeyRecord, KeyFailure>>;
  rotate(id: string, hash: string, overlapMs: number, actor: Actor): Promise<Result<KeyChange, KeyFailure>>;
  revoke(id: string): Promise<Result<{ readonly settled: boolean }, KeyFailure>>;
  find(id: string): Promise<StoredKey | undefined>;
  list(page: KeyPage): Promise<{ readonly data: readonly StoredKey[]; readonly hasMore: boolean }>;
}
