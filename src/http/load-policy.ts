/** The compiled policy of a tenant, or the problem to answer with. Nothing is served without one. */
import type { Deps } from "../deps.ts";
import { log } from "../lib/log.ts";
import { err, ok, type Result } from "../lib/result.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import type { Principal } from "../session/principal.ts";
import type { RequestWatch } from "../telemetry/request-watch.ts";
import { type Problem, unavailable } from "./problem.ts";

export interface ServedPolicy {
  readonly policy: CompiledPolicy;
  /** KV failed, and this is the version last known. */
  readonly stale: boolean;
}

export async function loadPolicy(deps: Deps, tenant: string): Promise<Result<CompiledPolicy, Problem>> {
  const served = await loadServedPolicy(deps, tenant);
  return served.ok ? ok(served.value.policy) : served;
}

/** With what MCP servers declare of tools that the policy does not list: a turn judges them by that. */
export async function loadPolicyWithTools(deps: Deps, principal: Principal): Promise<Result<CompiledPolicy, Problem>> {
  const policy = await loadPolicy(deps, principal.tenant);
  return policy.ok ? ok((await deps.tools.managed(policy.value, principal)).policy) : policy;
}

/** @param watch notes which version it is. */
export async function loadServedPolicy(
  deps: Deps,
  tenant: string,
  watch?: RequestWatch,
): Promise<Result<ServedPolicy, Problem>> {
  const askedAt = deps.now();
  const found = await deps.policies.get(tenant, askedAt);
  if (found.ok) {
    watch?.policyLoaded({ version: found.value.digest, stale: found.value.stale, askedAt });
    return ok(found.value);
  }
  if (found.error.kind === "policy_invalid") {
    const [first] = found.error.errors;
    log("error", "policy_invalid", { tenant, policy: found.error.digest, path: first?.path, message: first?.message });
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

export function namePolicy(response: Response, { policy, stale }: ServedPolicy): Response {
  response.headers.set("x-toolgate-policy", `${policy.version.slice(0, 12)}${stale ? "; stale" : ""}`);
  return response;
}
