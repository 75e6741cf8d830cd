/**
 * A bound on the work that one request may cause. An isolate has one thread: while it computes for one request, all others
 * wait. In a Worker the clock stands still while code runs, so work is counted, not timed.
 */

/** Thrown when the budget is spent, and at each later `spend`. Whoever asked for the work refuses what it was for. */
export class WorkSpent extends Error {
  constructor() {
    super("the arguments are too costly to check");
  }
}

/** Mutable: one per request, handed to everything whose cost a stranger can choose. */
export interface WorkBudget {
  /** @param units of about 0.1 µs: what it takes to look at one keyword of a schema, or at ten characters. */
  spend(units: number): void;
}

/** About 20 ms. The largest honest calls that we know take a tenth of it. */
export const REQUEST_WORK = 200_000;

const SMALL_BODY = 64 * 1024;

/** What is in a large body may be read, up to a point: the schemas of hundreds of tools are honest. */
export const workForBody = (bytes: number): WorkBudget =>
  workBudget(REQUEST_WORK + Math.min(Math.max(0, bytes - SMALL_BODY) / 2, 2 * REQUEST_WORK));

export function workBudget(units = REQUEST_WORK): WorkBudget {
  let left = units;
  // One for all that ask once it is spent: to make it, with its stack, costs more than most of what is asked for.
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
