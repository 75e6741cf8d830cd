/** How long a tenant's audit records are kept, as its policy in force says. */
import defaultPolicy from "../../policies/default.json" with { type: "json" };
import { parsePolicyDocument } from "../policy/document.ts";
import { type PolicySource, policyDigest } from "./kv-policies.ts";
import type { KvPort } from "./kv-port.ts";
import { policySource } from "./policy-source.ts";
import { timedKv } from "./timed-kv.ts";

const sources = new WeakMap<KvPort, PolicySource>();

/** Undefined where the policy cannot be read, or is none: then nothing is removed. */
export async function retentionDays(kv: KvPort, tenant: string, now: number): Promise<number | undefined> {
  const source =
    sources.get(kv) ?? policySource(timedKv(kv), { document: defaultPolicy, digest: policyDigest(defaultPolicy) });
  sources.set(kv, source);
  const loaded = await source.load(tenant, now);
  // A stale one may promise less time than the one in force.
  if (!loaded.ok || loaded.value.stale) return undefined;
  const parsed = parsePolicyDocument(loaded.value.document);
  return parsed.ok ? parsed.value.document.audit.retentionDays : undefined;
}
