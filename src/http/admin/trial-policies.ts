/**
 * `POST /admin/policies/:tenant/prove` and `…/diff`: proofs and changes of a policy that is not stored. Without one in the body, the
 * policy in force is proved.
 */
import type { Context } from "hono";
import * as z from "zod";
import type { Deps } from "../../deps.ts";
import { runYielding } from "../../lib/concurrency.ts";
import { once } from "../../lib/once.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type CheckedPolicy, checkPolicy } from "../../policy/check.ts";
import { changeSummary } from "../../policy/compare/change-text.ts";
import { comparing } from "../../policy/compare/compare.ts";
import { type Proof, proving } from "../../policy/prove/prove.ts";
import { seenToolsIfKnown } from "../../stores/audit/d1-seen-tools.ts";
import { policyDigest } from "../../stores/policies/policy-source.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { type Problem, unavailable } from "../problem.ts";
import { readJson } from "../read-json.ts";
import { MAX_POLICY_BYTES, policyInvalid } from "./policy-body.ts";

const MAX_BYTES = 2 * MAX_POLICY_BYTES + 1024;

const proveBody = {
  schema: once(() => z.strictObject({ policy: z.unknown().optional() })),
  example: '`{ "policy"? }`',
  optional: true,
  numbers: "nearest",
} as const;

export async function provePolicy(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const tenant = c.req.param("tenant") ?? "";
  const body = await readJson(c.req.raw, MAX_BYTES, proveBody);
  if (!body.ok) return body;
  const checked = await policyOf(deps, tenant, body.value.policy);
  if (!checked.ok) return checked;
  const { policy, document } = checked.value;
  const proofs = await runYielding(proving(policy, document.invariants));
  return ok({
    object: "policy.proof",
    tenant,
    policy: policy.version,
    proved: proofs.every(({ proved }) => proved),
    invariants: proofs.map(proofView),
  });
}

const proofView = ({ index, say, proved, situations, counterexample, problem }: Proof) => ({
  path: `/invariants/${index}`,
  say,
  proved,
  situations,
  counterexample: counterexample ?? null,
  problem: problem ?? null,
});

const diffBody = {
  schema: once(() => z.strictObject({ policy: z.record(z.string(), z.unknown()), against: z.unknown().optional() })),
  example: '`{ "policy": {…}, "against"? }`',
  numbers: "nearest",
} as const;

export async function comparePolicy(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const tenant = c.req.param("tenant") ?? "";
  const body = await readJson(c.req.raw, MAX_BYTES, diffBody);
  if (!body.ok) return body;
  const seen = seenToolsIfKnown(deps.audit, tenant);
  const before = await policyOf(deps, tenant, body.value.against);
  if (!before.ok) return before;
  const after = await policyOf(deps, tenant, body.value.policy);
  if (!after.ok) return after;
  const changes = await runYielding(comparing(before.value, after.value, await seen));
  return ok({ object: "policy.diff", tenant, summary: changeSummary({ ...changes }), changes });
}

/** @param document undefined: the one in force. */
async function policyOf(deps: Deps, tenant: string, document: unknown): Promise<Result<CheckedPolicy, Problem>> {
  const given = document === undefined ? await documentInForce(deps, tenant) : ok(document);
  if (!given.ok) return given;
  const checked = checkPolicy(given.value, policyDigest(given.value));
  return checked.ok ? checked : err(policyInvalid(checked.error));
}

async function documentInForce(deps: Deps, tenant: string): Promise<Result<unknown, Problem>> {
  const missing = unavailable("policy_unavailable", "the policy in force cannot be read just now; try again later");
  const found = await deps
    .ledgerOf(tenant)
    .policies.inForce(tenant)
    .catch(() => "unavailable" as const);
  if (found === "unavailable") return err(missing);
  if (found.text !== null) return ok(JSON.parse(found.text));
  return found.version?.digest ? err(missing) : ok(deps.embeddedPolicy);
}
