/** The policy that the lab works with: the one in force, or a document of the request. */
import type { Deps } from "../../deps.ts";
import { err, type Result } from "../../lib/result.ts";
import { type CompiledPolicy, compilePolicy } from "../../policy/compile.ts";
import { readPolicyDocument } from "../../policy/document/document.ts";
import { policyDigest } from "../../stores/policies/policy-source.ts";
import { policyInvalid } from "../admin/policy-body.ts";
import { loadPolicy } from "../load-policy.ts";
import type { Problem } from "../problem.ts";

/** The document is not stored, so its warnings are of no use here; `PUT … ?dry_run=true` has them. */
export async function policyFor(
  deps: Deps,
  tenant: string,
  document: unknown,
): Promise<Result<CompiledPolicy, Problem>> {
  if (document === undefined) return loadPolicy(deps, tenant);
  const checked = readPolicyDocument(document);
  if (!checked.ok) return err(policyInvalid(checked.error));
  const compiled = compilePolicy(checked.value, policyDigest(document));
  return compiled.ok ? compiled : err(policyInvalid(compiled.error));
}
