/**
 * The port between a user's object and the audit trail. The object seals its records and keeps them until the trail has them. Only
 * the object removes the beginning of its chain when records expire: it knows what is still to be delivered.
 */
import type { Result } from "../lib/result.ts";
import type { Owner } from "../session/principal.ts";
import type { SealedRecord, SignedCheckpoint } from "./audit-record.ts";

/** Why the trail does not take a record, if the record is at fault and not the trail. */
export interface Refusal {
  readonly reason: string;
  /** Trying again cannot help. */
  readonly final: boolean;
}

/** Every method rejects if the trail is down. */
export interface TrailPort {
  /**
   * Takes records of one user. A record's id is its key: a repeated one changes nothing. `sent`: they are on their way, and the
   * object gets their outcome (`chainApi`); it keeps them until then. An error: one of them was refused, and none was taken. Rejects
   * if the trail is down or full: then the same ones may be delivered again.
   */
  deliver(records: readonly SealedRecord[]): Promise<Result<"stored" | "sent", Refusal>>;
  /** As it is stored: the caller checks the signature. */
  readCheckpoint(owner: Owner): Promise<SignedCheckpoint | undefined>;
  /** The user's records of every kind, ascending by `seq`, from the one after `afterSeq`. */
  readChain(
    owner: Owner,
    page: { readonly afterSeq: number; readonly limit: number },
  ): Promise<readonly SealedRecord[]>;
  /**
   * Stores the checkpoint and removes the records up to it, in one transaction.
   * @param before a second check: no younger record is removed, whatever the checkpoint says.
   */
  moveCheckpoint(checkpoint: SignedCheckpoint, before: number): Promise<void>;
  /** Removes records that the chain does not hold. @returns whether there may be more. */
  removeStray(owner: Owner, bounds: StrayBounds): Promise<boolean>;
}

export interface StrayBounds {
  /** The chain's checkpoint: a restored database may have the records up to it again. */
  readonly upToSeq: number;
  /** The chain's head: records after it belong to an object that has lost its storage. */
  readonly afterSeq: number;
  /** Milliseconds since the epoch. */
  readonly olderThan: number;
}
