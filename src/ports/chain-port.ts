/** The facts about an audit chain that only the user's object knows. */
import type { ChainLink, SealedRecord } from "./audit-record.ts";

export interface ChainState {
  /** The last record sealed; undefined if there is none. */
  readonly head: ChainLink | undefined;
  /** D1 should have every record up to this one, except those that retention removed and those in `refused`. */
  readonly delivered: ChainLink | undefined;
  /** The last record that retention removed, as far as the object saw. */
  readonly checkpoint: ChainLink | undefined;
  /** About how many records are still to be delivered. */
  readonly waiting: number;
  /** Records after `afterSeq` that D1 refused, ascending by `seq`. */
  readonly refused: readonly RefusedRecord[];
  /** Whether there are more, after the last one in `refused`. */
  readonly moreRefused: boolean;
}

export interface RefusedRecord {
  readonly sealed: SealedRecord;
  /** Undefined while it is still tried. */
  readonly quarantined: { readonly at: number; readonly reason: string } | undefined;
}

export interface DeliveryOutcome {
  readonly stored: readonly ChainLink[];
  /** Refused by the index for good: the object quarantines them. */
  readonly refused: readonly (ChainLink & { readonly reason: string })[];
  /** Given up: the object sends them again, with a back-off. */
  readonly lost: readonly ChainLink[];
}
