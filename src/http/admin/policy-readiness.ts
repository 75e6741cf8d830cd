/** What a write of a policy does for its layer `semantic`, and what the response says about it. */
import type { Deps } from "../../deps.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { type PolicyWarning, policyWarning } from "../../policy/document/policy-issue.ts";
import type { Readiness } from "../../stores/semantic/semantic-layer.ts";

interface SemanticReadiness {
  /** Absent where the policy has no such layer, or nothing to learn from. */
  readonly semantic?: Exclude<Readiness["kind"], "none">;
  readonly warnings: readonly PolicyWarning[];
}

/**
 * Before the policy comes into force, so that the first message under it is met by what it was trained for. One that cannot
 * be trained comes into force all the same: what it forbids must not wait for an embedding model.
 */
export async function readySemantic(
  deps: Pick<Deps, "semantic">,
  policy: CompiledPolicy | undefined,
  dryRun: boolean,
): Promise<SemanticReadiness> {
  if (policy === undefined) return { warnings: [] };
  const found = dryRun ? deps.semantic.outlook(policy) : await deps.semantic.prepare(policy);
  if (found.kind === "none") return { warnings: [] };
  if (found.kind !== "unavailable") return { semantic: found.kind, warnings: [] };
  const message = `the layer \`semantic\` is not ready, and detection goes on without it: ${found.why}`;
  return { semantic: found.kind, warnings: [policyWarning("semantic_not_ready", "/detection/layers", message)] };
}
