/**
 * A bound on the work of one validation. Schemas can be small and yet ask for exponential work (`anyOf` of two parts
 * that each name the whole again), and neither side's author is trusted with the gateway's CPU.
 */

const maxSteps = 150_000;
let left = maxSteps;

/** Throws when the budget of the validation that is running is spent; `withBudget` turns that into a value. */
export function spend(steps: number): void {
  left -= steps;
  if (left < 0) throw new Error("the arguments take too long to check");
}

/** Validation is synchronous, so one counter serves: it starts anew with each. */
export function withBudget<T>(work: () => T): T {
  left = maxSteps;
  return work();
}
