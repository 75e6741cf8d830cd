/** The route's side of an edit: a call as a person changes it, disclosed anew, or the 400 that says what is wrong. Pure. */
import type { Answer, Approval } from "../../approvals/approval.ts";
import { discloseCall } from "../../approvals/disclosure/disclosure.ts";
import { checkEdit, type EditContext, shownConditions } from "../../approvals/edit/check-edit.ts";
import { type Changes, editedCall } from "../../approvals/edit/edit.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { ArgumentIssue, Reason } from "../../policy/reasons.ts";
import { traitsOf } from "../../policy/traits.ts";
import { badRequest, type Problem } from "../problem.ts";

interface EditedBy {
  readonly approval: Approval;
  readonly policy: CompiledPolicy;
  readonly caller: EditContext["caller"];
  readonly work: WorkBudget;
}

export function editCall(
  changes: Changes,
  { approval, policy, caller, work }: EditedBy,
): Result<NonNullable<Answer["edited"]>, Problem> {
  if (!approval.editable) {
    const message = `a call of \`${approval.tool}\` cannot be edited: approve or deny it`;
    return err(badRequest("action", message, "approval_not_editable"));
  }
  const traits = traitsOf(policy, approval.tool);
  const schema = traits.parameters ?? approval.schema;
  const checked = checkEdit(changes, { approval, policy, schema, caller, work });
  if (!checked.ok) {
    const fault = checked.error;
    if ("message" in fault) return err(badRequest("arguments", fault.message, "arguments_invalid"));
    return err(invalid(fault.reasons.flatMap(issuesOf)));
  }
  const disclosure = discloseCall({
    traits,
    schema,
    language: approval.disclosure.language,
    suspicious: checked.value.suspicious,
    conditions: shownConditions(approval),
    persistsGate: policy.gates.persistApprovals,
  });
  return ok(editedCall(approval, checked.value.arguments, traits.redact, disclosure));
}

function issuesOf(reason: Reason): readonly ArgumentIssue[] {
  switch (reason.code) {
    case "arguments_invalid":
      return reason.issues;
    case "arguments_suspicious":
      return [
        {
          path: reason.path,
          message: `matches a pattern of the set \`${reason.set}\`, which the policy guards against`,
        },
      ];
    case "condition_denies":
    case "condition_asks":
      return reason.say.map((message) => ({ path: "", message }));
    default:
      return [{ path: "", message: reason.code }];
  }
}

function invalid(issues: readonly ArgumentIssue[]): Problem {
  const [first] = issues;
  const where = first?.path ? `\`${first.path.slice(0, 200)}\` ` : "";
  const message = `the arguments as edited do not fit: ${where}${first?.message ?? ""}`;
  return { ...badRequest("arguments", message, "arguments_invalid"), errors: issues };
}
