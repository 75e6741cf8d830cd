/** A step whose arguments wait for results, as a person is shown it. Pure. */
import { fillDefaults } from "../../approvals/edit/fill-defaults.ts";
import { WorkSpent } from "../../lib/work-budget.ts";
import type { PlanStep } from "../../plan/plan.ts";
import { schemaOf } from "../confirm/disclose-for.ts";
import type { Turn } from "../turn.ts";

/** With what its tool's schema fills in for itself: a yes to the template is a yes to that too. */
export function filledTemplate(turn: Turn, step: PlanStep): PlanStep {
  const schema = schemaOf(turn, step.tool);
  if (schema === null) return step;
  try {
    return { ...step, arguments: { input: fillDefaults(schema, step.arguments.input, turn.input.work) } };
  } catch (error) {
    // The step is refused when it is vetted, of the same budget.
    if (error instanceof WorkSpent) return step;
    throw error;
  }
}
