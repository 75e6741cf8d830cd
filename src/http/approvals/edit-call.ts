/**
 * A call as a person changes it before it runs: whole, fitting its schema, without what looks like an attack, and disclosed
 * anew. Pure. The turn that releases it vets it once more.
 */
import type { Answer, Approval } from "../../approvals/approval.ts";
import { discloseCall, isWritten } from "../../approvals/disclosure/disclosure.ts";
import type { Changes } from "../../approvals/edit/edit.ts";
import { editArguments, editedCall } from "../../approvals/edit/edit.ts";
import { findAmbiguity } from "../../lib/json/find-ambiguity.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type WorkBudget, WorkSpent } from "../../lib/work-budget.ts";
import { compileSchema } from "../../policy/arguments/argument-schema.ts";
import { findInjection, type InjectionHit } from "../../policy/arguments/injection.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { Condition } from "../../policy/document/rule-parts.ts";
import type { ArgumentIssue } from "../../policy/reasons.ts";
import { matchingConditions } from "../../policy/rules/conditions.ts";
import { type ToolTraits, traitsOf } from "../../policy/traits.ts";
import { badRequest, type Problem } from "../problem.ts";

type Arguments = Readonly<Record<string, unknown>>;

interface EditedBy {
  readonly approval: Approval;
  /** The one in force: what it demands of the arguments, it demands of edited ones. */
  readonly policy: CompiledPolicy;
  /** Of the request: an edit that is too costly to check is refused. */
  readonly work: WorkBudget;
}

export function editCall(
  changes: Changes,
  { approval, policy, work }: EditedBy,
): Result<NonNullable<Answer["edited"]>, Problem> {
  if (!approval.editable) {
    const message = `a call of \`${approval.tool}\` cannot be edited: approve or deny it`;
    return err(badRequest("action", message, "approval_not_editable"));
  }
  const traits = traitsOf(policy, approval.tool);
  const schema = traits.parameters ?? approval.schema;
  const edited = editArguments(approval, changes, { redact: traits.redact, schema, work });
  if (!edited.ok) return err(badRequest("arguments", edited.error, "arguments_invalid"));
  const args = edited.value;
  const found = withinWork(() => ({
    conditions: matchingConditions(traits.conditions.filter(isForAll), NOBODY, args, work),
    hit: findInjection(args, traits.injection, policy.injection.custom, work),
    unclear: findAmbiguity(args, work),
  }));
  if (!found.ok) return err(invalid([found.error]));
  const { conditions, hit, unclear } = found.value;
  const issues = [
    ...(unclear ? [unclear] : []),
    ...schemaIssues(schema, args, work),
    ...injectionIssues(hit, traits, approval),
    ...(conditions.ok
      ? conditions.value.flatMap((one) => conditionIssues(one, approval))
      : [{ path: "", message: conditions.error }]),
  ];
  if (issues.length > 0) return err(invalid(issues));
  const disclosure = discloseCall({
    traits,
    schema,
    language: approval.disclosure.language,
    suspicious: hit,
    conditions: shownConditions(approval),
    persistsGate: policy.gates.persistApprovals,
  });
  return ok(editedCall(approval, args, traits.redact, disclosure));
}

function schemaIssues(schema: unknown, args: Arguments, work: WorkBudget): readonly ArgumentIssue[] {
  if (schema == null) return [];
  const compiled = compileSchema(schema, work);
  return compiled.ok ? compiled.value.validate(args, work) : [{ path: "", message: compiled.error }];
}

function withinWork<T>(look: () => T): Result<T, ArgumentIssue> {
  try {
    return ok(look());
  } catch (error) {
    if (error instanceof WorkSpent) return err({ path: "", message: error.message });
    throw error;
  }
}

/** Where the person was asked about a pattern, their own words may hold one. Nobody was asked about any other. */
function injectionIssues(
  hit: InjectionHit | undefined,
  { injection }: ToolTraits,
  { asks }: Approval,
): readonly ArgumentIssue[] {
  if (!hit || (injection.action === "ask" && asks.includes("arguments_suspicious"))) return [];
  return [{ path: hit.path, message: `matches a pattern of the set \`${hit.set}\`, which the policy guards against` }];
}

/** Those of a role or a mode are judged where the call is released: the caller is known there. */
const isForAll = ({ roles, modes }: Condition): boolean => !roles && !modes;
const NOBODY = { role: "", mode: "" };

/** What the person has read of stays asked about. Any other condition is not for this answer. */
function conditionIssues({ effect, say }: Condition, approval: Approval): readonly ArgumentIssue[] {
  return effect === "ask" && shownConditions(approval)?.includes(say) ? [] : [{ path: "", message: say }];
}

const shownConditions = ({ disclosure }: Approval): readonly string[] | undefined =>
  isWritten(disclosure) ? undefined : (disclosure.conditions ?? undefined);

function invalid(issues: readonly ArgumentIssue[]): Problem {
  const [first] = issues;
  const where = first?.path ? `\`${first.path.slice(0, 200)}\` ` : "";
  const message = `the arguments as edited do not fit: ${where}${first?.message ?? ""}`;
  return { ...badRequest("arguments", message, "arguments_invalid"), errors: issues };
}
