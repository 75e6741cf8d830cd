/** Policies and their versions as `/admin/policies` tells them. Times are seconds since the epoch, as in OpenAI's objects. */
import { checkPolicy } from "../policy/check.ts";
import type { PolicyChanges } from "../policy/compare.ts";
import type { PolicyIssue } from "../policy/document.ts";
import { policyDigest } from "../stores/kv-policies.ts";
import type { PolicyInForce, PolicyVersion, PolicyVersionPage } from "../stores/tenant/policy-ledger-port.ts";

/** Where the embedded policy serves there is no version, and no tag. */
export function policyFound(tenant: string, { version, text }: PolicyInForce, embedded: unknown): Response {
  const document: unknown = text === null ? embedded : JSON.parse(text);
  return tagged(version?.digest ?? null, {
    object: "policy",
    tenant,
    version: version?.digest ?? null,
    source: text === null ? "embedded" : "kv",
    ...authorship(version),
    document,
    warnings: warningsOf(document),
  });
}

export function policyVersionFound(tenant: string, { version, text }: PolicyInForce & { text: string }): Response {
  const document: unknown = JSON.parse(text);
  return tagged(version?.digest ?? null, {
    object: "policy.version",
    id: version?.id,
    tenant,
    version: version?.digest,
    ...authorship(version),
    action: version?.action,
    document,
    warnings: warningsOf(document),
  });
}

export function policyVersionList({ versions, hasMore, inForce }: PolicyVersionPage): Response {
  const data = versions.map((version) => ({
    object: "policy.version",
    id: version.id,
    version: version.digest,
    ...authorship(version),
    action: version.action,
    in_force: version.id === inForce,
  }));
  return Response.json({
    object: "list",
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  });
}

export interface PolicyUpdate {
  readonly tenant: string;
  readonly version: string | null;
  readonly previous: string | null;
  readonly dryRun: boolean;
  readonly changes: PolicyChanges | null;
  /** Absent where the policy has no such layer. */
  readonly semantic?: string;
  readonly warnings: readonly PolicyIssue[];
}

const unknownChanges: PolicyIssue = {
  path: "",
  message: "what changes cannot be told: the version before cannot be read by this version of the gateway",
};

/** A dry run changes no tag. */
export function policyUpdated({
  tenant,
  version,
  previous,
  dryRun,
  changes,
  semantic,
  warnings,
}: PolicyUpdate): Response {
  return tagged(dryRun ? previous : version, {
    object: "policy.update",
    tenant,
    version,
    previous,
    dry_run: dryRun,
    changes,
    semantic,
    warnings: changes === null ? [...warnings, unknownChanges] : warnings,
  });
}

const authorship = (version: PolicyVersion | null) => ({
  created_at: version ? Math.floor(version.at / 1000) : null,
  created_by: version?.by ?? null,
});

/** A document that was taken once may have errors by now. */
function warningsOf(document: unknown): readonly PolicyIssue[] {
  const checked = checkPolicy(document, policyDigest(document));
  return checked.ok ? checked.value.warnings : checked.error;
}

const tagged = (version: string | null, body: unknown): Response =>
  Response.json(body, { headers: version === null ? {} : { etag: `"${version}"` } });
