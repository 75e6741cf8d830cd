/** What a write changes: a dry run and the write itself return the same. */
import { runYielding } from "../../lib/concurrency.ts";
import { type CheckedPolicy, checkPolicy } from "../../policy/check.ts";
import { comparing, type PolicyChanges } from "../../policy/compare/compare.ts";
import type { PolicyInForce } from "../../ports/tenant-ledger-port.ts";
import { policyDigest } from "../../stores/policies/policy-source.ts";

/** Null where the version before cannot be read, or is none that this version of the gateway takes. */
export async function changesSince(
  previous: PolicyInForce,
  next: CheckedPolicy | undefined,
  embedded: unknown,
  seen: readonly string[],
): Promise<PolicyChanges | null> {
  const before = previous.version?.digest ? previous.text && checked(JSON.parse(previous.text)) : checked(embedded);
  const after = next ?? checked(embedded);
  return before && after ? runYielding(comparing(before, after, seen)) : null;
}

function checked(document: unknown): CheckedPolicy | null {
  const result = checkPolicy(document, policyDigest(document));
  return result.ok ? result.value : null;
}
