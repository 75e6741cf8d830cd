/**
 * The port to a tenant's policy in its ledger. It serialises writes: it compares the condition, writes KV and stores the version
 * before the next write begins. An acknowledged version is in force; a version that KV did not take is not acknowledged. Every
 * method answers `unavailable` where it needs KV and KV fails.
 */

/** What put a version into force; `adopted`: it was written into KV past the ledger. */
export type PolicyAction = "put" | "rollback" | "delete" | "adopted";

export interface PolicyVersion {
  /** Names this entry, `pver_<number>`: one digest may have come into force several times. */
  readonly id: string;
  /** Digest of the document; null: the embedded policy. */
  readonly digest: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Null where it is not known. */
  readonly by: string | null;
  readonly action: PolicyAction;
}

export interface PolicyInForce {
  /** Absent where the tenant never had a policy of its own. */
  readonly version: PolicyVersion | null;
  /** The document's text; null for the embedded one, and where KV promised a document that is not there. */
  readonly text: string | null;
}

/** A condition on the version in force, as in `If-Match` and `If-None-Match`: one of these digests, or any. */
export interface PolicyCondition {
  readonly match?: readonly string[] | "any";
  readonly noneMatch?: readonly string[] | "any";
}

export interface PolicyWrite {
  readonly tenant: string;
  /** The document, found valid; null: back to the embedded one. */
  readonly text: string | null;
  readonly action: Exclude<PolicyAction, "adopted">;
  readonly by: string;
  readonly condition: PolicyCondition;
  /** Answers as the write would, and writes nothing. */
  readonly dryRun: boolean;
}

export type PolicyWriteResult =
  | {
      readonly kind: "written";
      readonly digest: string | null;
      /** When it came into force; of two pointers the later one is the newer. */
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
  /** The newest entry of this digest; undefined where the tenant never had it. */
  version(tenant: string, digest: string): Promise<PolicyInForce | undefined | "unavailable">;
}
