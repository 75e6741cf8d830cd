/** The digests that bind a person's approval of a whole plan. Pure. */
import { sha256Hex } from "../lib/digest.ts";
import { canonicalJson } from "../lib/json/canonical-json.ts";
import type { PlanStep } from "./plan.ts";
import { templatePlaces } from "./template.ts";

export interface ShownPlan {
  readonly id: string;
  readonly steps: readonly PlanStep[];
  /** By placeholder. */
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Of the plan as a person sees it: its steps in order with their intents, and the values.
 * @param policy digest of the document in force: it decides what is shown of a step (where data goes, a schema's defaults).
 */
export function planDigest({ id, steps, values }: ShownPlan, policy: string): string {
  const shown = steps.map((step) => ({ id: step.id, intent: step.intent, tool: step.tool, arguments: step.arguments }));
  return sha256Hex(canonicalJson({ digest: "toolgate-plan-1", id, policy, steps: shown, values }));
}

/** Of a step before its results are known: the tool, the planned arguments, and the values for them. */
export function templateDigest(step: Pick<PlanStep, "tool" | "arguments">, values: ShownPlan["values"]): string {
  const names = templatePlaces(step.arguments.input).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === "placeholder" && Object.hasOwn(values, part.name) ? [part.name] : [])),
  );
  const filled = Object.fromEntries(names.map((name) => [name, values[name]]));
  return sha256Hex(
    canonicalJson({ digest: "toolgate-step-1", tool: step.tool, arguments: step.arguments, values: filled }),
  );
}
