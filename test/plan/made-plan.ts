import { workBudget } from "../../src/lib/work-budget.ts";
import type { Placeholder, PlanStep, PlanTools } from "../../src/plan/plan.ts";
import { readPlan } from "../../src/plan/read-plan.ts";
import { validatePlan } from "../../src/plan/validate.ts";

export interface MadePlan {
  readonly steps: readonly PlanStep[];
  readonly placeholders: readonly Placeholder[];
}

/** As the planner makes one of a model's answer; a fault throws its code and message. */
export function madePlan(written: unknown, tools: PlanTools): MadePlan {
  const read = readPlan(JSON.stringify(written), { maxSteps: 20, tools, work: workBudget() });
  if (!read.ok) throw new Error(`${read.error.code}: ${read.error.message}`);
  const valid = validatePlan(read.value, tools, workBudget());
  if (!valid.ok) throw new Error(valid.error.map(({ code, message }) => `${code}: ${message}`).join("\n"));
  return { steps: read.value, placeholders: valid.value };
}

/** One step, `input` its arguments. */
export const oneStep = (tool: string, input: unknown) => ({ plan: [{ id: "a", tool, arguments: { input } }] });
