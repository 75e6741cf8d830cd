/** The erasure of a person: the user's object forgets them, and then has all stores erase them. */

/**
 * What is erased, in this order: all that the object has, the hot index, what built-in tools store, the archive; then all stores are
 * checked again.
 */
type ErasureStep = "object" | "index" | "tools" | "archive" | "check";

export interface ErasureState {
  /** Names the erasure, and the person in what is left of the records. It is random, so it reveals nothing of them. */
  readonly id: string;
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly orderedAt: number;
  /** Null while it is under way. */
  readonly completedAt: number | null;
  readonly steps: Readonly<Record<ErasureStep, "done" | "pending">>;
  /** When it continues; null once it is completed. */
  readonly nextAt: number | null;
}
