/**
 * Limits the work that one request may cause. An isolate has one thread: while it computes for one request, all others wait.
 * In a Worker the clock does not advance while code runs, so work is counted, not timed.
 */

/** Thrown when the budget is spent, and at each later `spend`. The caller refuses whatever needed the work. */
export class WorkSpent extends Error {
  constructor() {
    super("the arguments are too costly to check");
  }
}

/** @param onSpent the result if the budget is spent. */
export function withinBudget<T>(work: () => T, onSpent: (error: WorkSpent) => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof WorkSpent) return onSpent(error);
    throw error;
  }
}

/** Mutable: one per request, for all work whose cost untrusted input can choose. */
export interface WorkBudget {
  /** @param units of about 0.1 µs: the cost of one keyword of a schema, or of ten characters. */
  spend(units: number): void;
}

/** About 20 ms. The largest honest calls we know need a tenth of it. */
export const REQUEST_WORK = 200_000;

const SMALL_BODY = 64 * 1024;

/** A large body gets more, up to a limit: the schemas of hundreds of tools are honest. */
export const workForBody = (bytes: number): WorkBudget =>
  workBudget(REQUEST_WORK + Math.min(Math.max(0, bytes - SMALL_BODY) / 2, 2 * REQUEST_WORK));

export function workBudget(units = REQUEST_WORK): WorkBudget {
  let left = units;
  // One error for all later calls: an error with its stack costs more than most of the work.
  let spent: WorkSpent | undefined;
  return {
    spend(cost) {
      left -= cost;
      if (left >= 0) return;
      spent ??= new WorkSpent();
      throw spent;
    },
  };
}
