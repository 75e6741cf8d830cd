/** The port to the erasure of a person: the user's object forgets them, and then sees to it that the stores do. */
import type { Owner } from "../session/principal.ts";

/** What is erased, in this order: all that the object has, the hot index, what built-in tools store, the archive; then all is looked at again. */
type ErasureStep = "object" | "index" | "tools" | "archive" | "check";

export interface ErasureState {
  /** Names the erasure, and the person in what is left of the records: it is random, and says nothing of them. */
  readonly id: string;
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly orderedAt: number;
  /** Null while it is under way. */
  readonly completedAt: number | null;
  readonly steps: Readonly<Record<ErasureStep, "done" | "pending">>;
  /** When it goes on; null once it is completed. */
  readonly nextAt: number | null;
}

export interface ErasurePort {
  /**
   * Resolves once the order is stored. While one is under way and nothing was stored since, it is the same one, and not new.
   * @param by who orders it.
   */
  order(owner: Owner, by: string): Promise<ErasureState & { readonly isNew: boolean }>;
  /** Records that are older were erased; -Infinity where none were. */
  before(): Promise<number>;
  /** The last one; undefined where there is none, or it is forgotten. */
  state(): Promise<ErasureState | undefined>;
}
