/** An erasure as the user's object stores it, from the order until it is forgotten. */
export interface Erasure {
  readonly id: string;
  readonly by: string;
  readonly orderedAt: number;
  /** It is of records from `after` on that are older than `before`; null until the object has forgotten. */
  readonly after: number;
  readonly before: number | null;
  readonly step: StoreStep;
  /** Where each step goes on. */
  readonly cursors: Partial<Readonly<Record<StoreStep, string>>>;
  /** Files of the archive that no manifest may name. */
  readonly replaced: readonly string[];
  /** What was found in this look at all stores, and how many looks there were before it. */
  readonly found: number;
  readonly looks: number;
  readonly failures: number;
  /** When it goes on. */
  readonly due: number;
  readonly completedAt: number | null;
}

/** In this order. */
export const storeSteps = ["left", "index", "tools", "incoming", "compacted", "letters"] as const;
export type StoreStep = (typeof storeSteps)[number];
