/** Steps as a list of them is shown: which of how many each is. Pure. Source: `parsePlan` of the reference. */
import type { PlanStep } from "./plan.ts";

export type Numbered<T> = T & { readonly stepNumber: number; readonly totalSteps: number };

export function numberedSteps<T extends PlanStep>(steps: readonly T[]): readonly Numbered<T>[] {
  return steps.map((step, index) => ({ ...step, stepNumber: index + 1, totalSteps: steps.length }));
}
