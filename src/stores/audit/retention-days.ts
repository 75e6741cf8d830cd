/** The retention of a tenant's audit records, from its policy in force. */
import defaultPolicy from "../../../policies/default.json" with { type: "json" };
import { auditSettings } from "../../policy/document/document-schema.ts";
import type { KvPort } from "../../ports/kv-port.ts";
import { type PolicySource, policyDigest } from "../policies/kv-policies.ts";
import { kvWithDeadline, policySource } from "../policies/policy-source.ts";

const sources = new WeakMap<KvPort, PolicySource>();

/** Undefined where the policy or its `audit` cannot be read: then nothing is removed. */
export async function retentionDays(kv: KvPort, tenant: string, now: number): Promise<number | undefined> {
  const source =
    sources.get(kv) ??
    policySource(kvWithDeadline(kv), { document: defaultPolicy, digest: policyDigest(defaultPolicy) });
  sources.set(kv, source);
  const loaded = await source.load(tenant, now);
  // A stale one may promise less time than the one in force.
  if (!loaded.ok || loaded.value.stale) return undefined;
  const { document } = loaded.value;
  if (typeof document !== "object" || document === null || Array.isArray(document)) return undefined;
  const audit = auditSettings().safeParse("audit" in document ? document.audit : {});
  return audit.success ? audit.data.retentionDays : undefined;
}
