/** The port to what only a user's object knows of its audit chain. */

import type { Owner } from "../session/principal.ts";
import type { ChainLink } from "../stores/audit/audit-chain.ts";
import type { SealedRecord } from "./audit-record.ts";

export interface ChainState {
  /** The last record sealed; undefined where there is none. */
  readonly head: ChainLink | undefined;
  /** D1 should have every record up to this one, but for those that retention removed and those of `apart`. */
  readonly delivered: ChainLink | undefined;
  /** The last record that retention removed, as far as the object saw. */
  readonly checkpoint: ChainLink | undefined;
  /** About how many records are still to be delivered. */
  readonly waiting: number;
  /** Records after the asked place that D1 refused, ascending by `seq`. */
  readonly refused: readonly RefusedRecord[];
  /** Whether there are more of them, after the last one told. */
  readonly moreRefused: boolean;
}

export interface RefusedRecord {
  readonly sealed: SealedRecord;
  /** Undefined where it is still tried. */
  readonly quarantined: { readonly at: number; readonly reason: string } | undefined;
}

export interface ChainPort {
  /** @param afterSeq the records that D1 refused are told from the one after it. */
  state(afterSeq: number): Promise<ChainState>;
  /** Delivers once more what the object still has after `afterSeq`. @returns how many records wait. */
  deliverAgain(afterSeq: number): Promise<number>;
  /**
   * Has the object look whether retention has something to remove. `overdue`: D1 holds what should be gone, whatever the object
   * knows of it. `shortened`: the policy keeps records for less time than before.
   */
  checkRetention(owner: Owner, why: "overdue" | "shortened"): Promise<void>;
}
