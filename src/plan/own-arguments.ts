/** A tool's own arguments, out of what a planner wrote. Pure. */

import { memberSchema } from "../approvals/edit/schema-at.ts";
import { isObject } from "../lib/json/json-object.ts";
import type { WorkBudget } from "../lib/work-budget.ts";
import type { PlanArguments } from "./plan.ts";
import { templateIssues } from "./template-issues.ts";

/**
 * Planners are told to wrap arguments in `input`, and some do not; some tools have an `input` of their own. `input` alone,
 * holding an object, is the wrapper, unless the tool's own schema fits only the whole.
 */
export function ownArguments(written: PlanArguments, parameters: unknown, work: WorkBudget): PlanArguments {
  const input = Object.keys(written).length === 1 && Object.hasOwn(written, "input") ? written.input : undefined;
  if (!isObject(input)) return written;
  const inner = templateIssues(parameters, input, work).length === 0;
  if (inner) return input;
  if (templateIssues(parameters, written, work).length === 0) return written;
  // Neither fits: whose `input` it is shows in what the tool calls its own.
  return memberSchema(parameters, parameters, "input", work) !== undefined ? written : input;
}
