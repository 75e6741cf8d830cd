/** What a person's yes to a plan is bound to. Pure. */

import { sha256Hex } from "../lib/digest.ts";
import { canonicalJson } from "../lib/json/canonical-json.ts";
import { templatePlaces } from "./places.ts";
import type { PlanStep } from "./plan.ts";

export interface ShownPlan {
  readonly id: string;
  readonly steps: readonly PlanStep[];
  /** What is filled in, by placeholder. */
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Of the plan as a person is shown it: its steps in their order, what they say of themselves, and what is filled in.
 * @param policy digest of the document in force: what is told of a step (where data goes, what a schema fills in) is by it.
 */
export function planDigest({ id, steps, values }: ShownPlan, policy: string): string {
  const shown = steps.map((step) => ({ id: step.id, intent: step.intent, tool: step.tool, arguments: step.arguments }));
  return sha256Hex(canonicalJson({ digest: "toolgate-plan-1", id, policy, steps: shown, values }));
}

/** Of a step as far as it is known before it runs: the tool, its arguments as they were planned, and what is filled in for them. */
export function templateDigest(step: Pick<PlanStep, "tool" | "arguments">, values: ShownPlan["values"]): string {
  const names = templatePlaces(step.arguments.input).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === "placeholder" && Object.hasOwn(values, part.name) ? [part.name] : [])),
  );
  const filled = Object.fromEntries(names.map((name) => [name, values[name]]));
  return sha256Hex(
    canonicalJson({ digest: "toolgate-step-1", tool: step.tool, arguments: step.arguments, values: filled }),
  );
}
