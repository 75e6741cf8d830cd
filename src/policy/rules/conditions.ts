/** The policy's own conditions on arguments, each a JSON Schema that the arguments match. Pure. */

import { err, ok, type Result } from "../../lib/result.ts";
import { oneForm } from "../../lib/text/languages.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import { compileSchema } from "../arguments/argument-schema.ts";
import { confirm, deny, noObjection } from "../decision.ts";
import type { Condition } from "../document/rule-parts.ts";
import type { Rule } from "./rule.ts";

interface Caller {
  readonly role: string;
  readonly mode: string;
}

/**
 * Conditions are the policy's own rules on arguments. They apply whether the model, the user, or an approver who edits the call chose
 * the arguments.
 */
export const argumentConditions: Rule = {
  name: "argument-conditions",
  judge({ facts, traits, call, work }) {
    if (call === undefined || traits.conditions.length === 0) return noObjection;
    const caller = { role: facts.principal.role, mode: facts.mode };
    const found = matchingConditions(traits.conditions, caller, call.arguments, work);
    const tool = traits.name;
    if (!found.ok) return deny({ code: "arguments_invalid", tool, issues: [{ path: "", message: found.error }] });
    const denials = wordsOf(found.value, "deny");
    if (denials.length > 0) return deny({ code: "condition_denies", tool, say: denials });
    const asks = wordsOf(found.value, "ask");
    return asks.length > 0 ? confirm({ code: "condition_asks", tool, say: asks }) : noObjection;
  },
};

/** Throws `WorkSpent`. The error says why one of them cannot be checked: then no call may pass. */
export function matchingConditions(
  conditions: readonly Condition[],
  { role, mode }: Caller,
  args: unknown,
  work: WorkBudget,
): Result<readonly Condition[], string> {
  const found: Condition[] = [];
  for (const condition of conditions) {
    if (condition.roles && !condition.roles.includes(role)) continue;
    if (condition.modes && !condition.modes.includes(mode)) continue;
    const schema = compileSchema(condition.if, work);
    const matches = schema.ok ? schema.value.matches(args, work) : schema;
    if (!matches.ok) return err(`a condition of the policy cannot be checked: ${matches.error}`);
    if (matches.value) found.push(condition);
  }
  return ok(found);
}

/** Members of a schema that all arguments of a call match. */
const matchesAll = ([key, value]: readonly [string, unknown]): boolean =>
  ["title", "description", "$comment"].includes(key) || (key === "type" && value === "object");

/** A condition asks about each call of this role, whatever its arguments are. */
export const asksOfEveryCall = (conditions: readonly Condition[], role: string): boolean =>
  conditions.some(
    ({ effect, if: schema, roles, modes }) =>
      effect === "ask" && (roles?.includes(role) ?? true) && !modes && Object.entries(schema).every(matchesAll),
  );

/** Sorted, each once: the order in which a policy lists its conditions means nothing. */
const wordsOf = (conditions: readonly Condition[], effect: Condition["effect"]): readonly string[] =>
  [...new Set(conditions.flatMap((one) => (one.effect === effect ? [oneForm(one.say)] : [])))].sort();
