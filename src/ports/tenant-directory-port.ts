/**
 * The settings of all tenants, as operators write them. Lifetime: until they are removed. Order: writes one after another.
 * Atomicity: a write is stored whole or not at all; isolates see it within two minutes.
 */
export interface DirectoryEntry {
  readonly tenant: string;
  /** Digest of the settings before they were sealed: equal settings have equal digests. */
  readonly digest: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly by: string;
  /** The jurisdiction of its users' objects; null: anywhere. */
  readonly jurisdiction: string | null;
  readonly sealed: string;
}

export interface TenantWrite {
  readonly tenant: string;
  /** Null: the tenant has no settings any more. */
  readonly next: Omit<DirectoryEntry, "tenant" | "at"> | null;
  /** Digests of the pairs of issuer and audience whose tokens count for this tenant alone. */
  readonly issuers: readonly string[];
  /** On the current digest. */
  readonly condition: PolicyCondition;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type TenantWriteResult =
  /** @property settled whether KV has taken it; otherwise it is written again until KV has. */
  | { readonly kind: "written"; readonly at: number; readonly settled: boolean }
  | { readonly kind: "changed"; readonly digest: string | null }
  /** Another tenant has it. @property issuer its place in `issuers`. */
  | { readonly kind: "issuer_taken"; readonly issuer: number };

export interface TenantDirectoryPort {
  find(tenant: string): Promise<DirectoryEntry | undefined>;
  /** By name. @param after the last name of the page before; empty for the first. */
  list(limit: number, after: string): Promise<readonly DirectoryEntry[]>;
  write(write: TenantWrite): Promise<TenantWriteResult>;
}

/** A condition on the version in force, as in `If-Match` and `If-None-Match`: one of these digests, or any. */
export interface PolicyCondition {
  readonly match?: readonly string[] | "any";
  readonly noneMatch?: readonly string[] | "any";
}
