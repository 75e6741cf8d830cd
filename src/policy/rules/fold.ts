/** The rules' verdicts on one subject. Pure. */
import { WorkSpent } from "../../lib/work-budget.ts";
import { combine, type Decision, deny, type Verdict } from "../decision.ts";
import type { Reason } from "../reasons.ts";
import type { Rule, Subject } from "./subject.ts";

/** Every rule is asked, so that a decision names every reason, not the first. */
export function judgeAll(rules: readonly Rule[], subject: Subject): readonly Verdict[] {
  return rules.map((rule) => judge(rule, subject));
}

export function foldRules(rules: readonly Rule[], subject: Subject): Decision {
  return decide(judgeAll(rules, subject), subject);
}

export function decide(verdicts: readonly Verdict[], subject: Subject): Decision {
  return combine(verdicts, { code: "not_offered", tool: subject.traits.name });
}

/** Fails closed: a rule that throws denies. Skipping it (as some policy engines do) would let an error allow. */
function judge(rule: Rule, subject: Subject): Verdict {
  try {
    return rule.judge(subject);
  } catch (error) {
    if (error instanceof WorkSpent) return deny(tooCostly(subject.traits.name, error));
    return deny({ code: "rule_failed", rule: rule.name });
  }
}

const tooCostly = (tool: string, { message }: WorkSpent): Reason => ({
  code: "arguments_invalid",
  tool,
  issues: [{ path: "", message }],
});
