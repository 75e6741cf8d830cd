/** What is asked of a tenant's ledger about its keys; `keys.ts` says what it promises. Throws where the object cannot be reached. */
import type { Result } from "../lib/result.ts";
import type { Actor, KeyPage, KeyRecord, StoredKey } from "../stores/tenant/key-rows.ts";
import type { KeyChange, KeyFailure } from "../stores/tenant/keys.ts";

export interface KeyLedgerPort {
  /** @param hash the SHA-256 of the token, as hex: the token itself never comes here. */
  createKey(record: KeyRecord, hash: string): Promise<Result<KeyRecord, KeyFailure>>;
  rotateKey(id: string, hash: string, overlapMs: number, actor: Actor): Promise<Result<KeyChange, KeyFailure>>;
  revokeKey(id: string): Promise<Result<{ readonly settled: boolean }, KeyFailure>>;
  readKey(id: string): Promise<StoredKey | undefined>;
  /** One more than `limit` where there are more. */
  listKeys(page: KeyPage): Promise<StoredKey[]>;
}
