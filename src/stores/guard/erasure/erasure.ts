/** An erasure as the user's object stores it, from the order until it is forgotten. */
export interface Erasure {
  readonly id: string;
  readonly by: string;
  readonly orderedAt: number;
  /** Its records are those from `after` on that are older than `before`; null until the object has forgotten. */
  readonly after: number;
  readonly before: number | null;
  readonly step: StoreStep;
  /** The position of each step. */
  readonly cursors: Partial<Readonly<Record<StoreStep, string>>>;
  /** Files of the archive that no manifest may name. */
  readonly replaced: readonly string[];
  /** What was found in this pass over all stores, and how many passes there were before it. */
  readonly found: number;
  readonly looks: number;
  readonly failures: number;
  /** When it continues. */
  readonly due: number;
  readonly completedAt: number | null;
}

/** In this order. */
export const storeSteps = ["left", "index", "tools", "incoming", "compacted", "letters"] as const;
export type StoreStep = (typeof storeSteps)[number];
