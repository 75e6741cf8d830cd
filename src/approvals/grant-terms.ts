/** Whether a grant covers a call. Pure; patterns run in linear time. */
import { canonicalJson } from "../lib/canonical-json.ts";
import { compilePattern } from "../policy/linear-pattern.ts";
import type { ArgumentCondition, GrantTerms } from "./approval.ts";

/** Every condition must hold; one that cannot be read does not. */
export function grantCovers(terms: Pick<GrantTerms, "arguments">, args: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(terms.arguments).every(
    ([name, condition]) => Object.hasOwn(args, name) && holds(condition, args[name]),
  );
}

function holds(condition: ArgumentCondition, value: unknown): boolean {
  if ("equals" in condition) return canonicalJson(condition.equals) === canonicalJson(value);
  if (typeof value !== "string") return false;
  const pattern = compilePattern(`^(?:${condition.matches})$`);
  return pattern.ok && pattern.value.test(value);
}
