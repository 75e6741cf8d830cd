/** The port to the keys of one tenant, in its ledger. Throws where the object cannot be reached. */
import type { ApiKey } from "../auth/kv-keys.ts";
import type { Result } from "../lib/result.ts";

/** Who did it. */
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
  /** Whether it is revoked while KV still has one of its tokens. */
  readonly revoking: boolean;
}

export interface KeyPage {
  readonly limit: number;
  readonly after?: string;
  readonly order: "asc" | "desc";
}

export type KeyFailure =
  /** No such key, or no more. */
  | "unknown"
  /** It has expired: a new token would not work. */
  | "expired"
  /** KV failed: nothing has changed. */
  | "unavailable";

export interface KeyChange {
  readonly record: KeyRecord;
  /** False where KV has not taken the change yet: the token works until the alarm has repeated it. */
  readonly settled: boolean;
}

export interface KeyLedgerPort {
  /** @param hash the SHA-256 of the token, as hex: the token itself never comes here. */
  create(record: KeyRecord, hash: string): Promise<Result<KeyRecord, KeyFailure>>;
  rotate(id: string, hash: string, overlapMs: number, actor: Actor): Promise<Result<KeyChange, KeyFailure>>;
  revoke(id: string): Promise<Result<{ readonly settled: boolean }, KeyFailure>>;
  find(id: string): Promise<StoredKey | undefined>;
  /** One more than `limit` where there are more. */
  list(page: KeyPage): Promise<StoredKey[]>;
}
