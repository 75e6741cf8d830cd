/**
 * Whether results that are put into a step's arguments cannot all be believed. A web page that chooses what a trusted tool looks
 * up has chosen what it finds. Pure.
 */
import { referencesOf } from "../../plan/references.ts";
import type { KeptPlan } from "../../ports/plans-port.ts";

/** @param from ids of steps of the plan. */
export function isDoubted({ steps }: KeptPlan, from: readonly string[]): boolean {
  const doubted = new Set<string>();
  // References lead to earlier steps alone.
  for (const step of steps) {
    if (!step.trusted || referencesOf(step).some((reference) => doubted.has(reference.step))) doubted.add(step.id);
  }
  return from.some((id) => doubted.has(id));
}
