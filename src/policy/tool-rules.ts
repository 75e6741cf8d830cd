/** The policy's own rules about the calls of one tool, as its entry and its groups together have them. Pure. */
import type { Condition } from "./document/rule-parts.ts";

/** The part of a tool's settings, or of a group's. */
interface RuleSettings {
  readonly conditions?: readonly Condition[] | undefined;
}

export interface ToolRules {
  /** All apply: a tool's own entry adds conditions, and takes none of its groups' away. */
  readonly conditions: readonly Condition[];
}

/** @param own absent for a tool that the policy does not list. */
export function toolRulesOf(own: RuleSettings | undefined, groups: readonly RuleSettings[]): ToolRules {
  const all = own === undefined ? groups : [own, ...groups];
  return { conditions: all.flatMap(({ conditions = [] }) => conditions) };
}
