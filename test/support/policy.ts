import { checkPolicy } from "../../src/policy/check.ts";
import type { CompiledPolicy } from "../../src/policy/compile.ts";

/** Compiles a policy. A document that is not valid is a defect of the test. */
export function policyOf(document: unknown, version = "v"): CompiledPolicy {
  const checked = checkPolicy(document, version);
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  return checked.value.policy;
}
