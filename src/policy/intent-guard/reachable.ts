/** Which families are within reach, for the preflight. Pure. */
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../compile.ts";
import type { Facts, ToolDefinition } from "../facts.ts";
import { offerTools } from "../offer.ts";
import { traitsOf } from "../traits.ts";

/**
 * The families of the tools that the same rules would offer in the state `action` under the intents held. Counted rules
 * take no part: a limit that is used up now is not a tool that is missing.
 * @param facts of the turn; whatever its state, it is asked as in `action`.
 */
export function reachableFamilies(
  policy: CompiledPolicy,
  facts: Facts,
  tools: readonly ToolDefinition[],
  work: WorkBudget,
): (family: string) => boolean {
  const { offered } = offerTools(policy, { ...facts, state: "action" }, tools, work);
  const families = new Set(offered.flatMap(({ name }) => [...traitsOf(policy, name).families]));
  return (family) => families.has(family);
}
