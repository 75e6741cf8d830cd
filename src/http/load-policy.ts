/** The compiled policy of a tenant, or the problem to answer with. Nothing is served without one. */
import type { Deps } from "../deps.ts";
import { err, ok, type Result } from "../lib/result.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import { type Problem, unavailable } from "./problem.ts";

export async function loadPolicy(deps: Deps, tenant: string): Promise<Result<CompiledPolicy, Problem>> {
  const found = await deps.policies.get(tenant, deps.now());
  if (found.ok) return ok(found.value.policy);
  if (found.error.kind === "policy_invalid") {
    const [first] = found.error.errors;
    console.error(`policy ${found.error.digest} is invalid: ${first?.path ?? ""} ${first?.message ?? ""}`);
    return err(
      unavailable(
        "policy_invalid",
        "the policy in force cannot be used by this version of the gateway; an operator must replace it",
      ),
    );
  }
  return err(
    unavailable("policy_unavailable", "the policy cannot be read just now, and nothing is served without one"),
  );
}
