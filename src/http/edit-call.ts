/**
 * A call as a person changes it before it runs: whole, fitting its schema, without what looks like an attack, and disclosed
 * anew. Pure. The turn that releases it vets it once more.
 */
import type { Answer, Approval } from "../approvals/approval.ts";
import { discloseCall } from "../approvals/disclosure.ts";
import { applyChanges, type Changes } from "../approvals/edit.ts";
import { fillDefaults } from "../approvals/fill-defaults.ts";
import { canonicalJson } from "../lib/canonical-json.ts";
import { sha256Hex } from "../lib/digest.ts";
import { redactArguments } from "../lib/redact.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { compileSchema } from "../policy/argument-schema.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import { findInjection, type InjectionHit } from "../policy/injection.ts";
import type { ArgumentIssue } from "../policy/reasons.ts";
import { type ToolTraits, traitsOf } from "../policy/traits.ts";
import { recordedArguments } from "../turn/recorded-arguments.ts";
import { badRequest, type Problem } from "./problem.ts";

/** UTF-16 units of JSON: what a user's object keeps of one call. */
const MAX_ARGUMENTS = 512 * 1024;

type Arguments = Readonly<Record<string, unknown>>;

/** @param policy the one in force: what it demands of the arguments, it demands of edited ones. */
export function editCall(
  changes: Changes,
  { approval, policy }: { readonly approval: Approval; readonly policy: CompiledPolicy },
): Result<NonNullable<Answer["edited"]>, Problem> {
  if (!approval.editable) {
    const message = `a call of \`${approval.tool}\` cannot be edited: approve or deny it`;
    return err(badRequest("action", message, "approval_not_editable"));
  }
  const traits = traitsOf(policy, approval.tool);
  const merged = applyChanges(JSON.parse(approval.arguments) as Arguments, changes, traits.redact);
  if (!merged.ok) return err(badRequest("arguments", merged.error, "arguments_invalid"));
  const schema = traits.parameters ?? approval.schema;
  const args = schema == null ? merged.value : fillDefaults(schema, merged.value);
  const text = JSON.stringify(args);
  if (text.length > MAX_ARGUMENTS) {
    const message = `the arguments as edited are longer than ${MAX_ARGUMENTS} characters: send shorter ones`;
    return err(badRequest("arguments", message, "arguments_invalid"));
  }
  const hit = findInjection(args, traits.injection, policy.injection.custom);
  const issues = [...schemaIssues(schema, args), ...injectionIssues(hit, traits, approval)];
  if (issues.length > 0) return err(invalid(issues));
  return ok({
    arguments: text,
    digest: sha256Hex(canonicalJson(args)),
    recorded: recordedArguments(args, traits.redact),
    disclosure: discloseCall({
      traits,
      arguments: redactArguments(args, traits.redact),
      language: approval.disclosure.language,
      asks: approval.asks,
      suspicious: hit,
      persistsGate: policy.gates.persistApprovals,
    }),
  });
}

function schemaIssues(schema: unknown, args: Arguments): readonly ArgumentIssue[] {
  if (schema == null) return [];
  const compiled = compileSchema(schema);
  return compiled.ok ? compiled.value.validate(args) : [{ path: "", message: compiled.error }];
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

function invalid(issues: readonly ArgumentIssue[]): Problem {
  const [first] = issues;
  const where = first?.path ? `\`${first.path.slice(0, 200)}\` ` : "";
  const message = `the arguments as edited do not fit: ${where}${first?.message ?? ""}`;
  return { ...badRequest("arguments", message, "arguments_invalid"), errors: issues };
}
