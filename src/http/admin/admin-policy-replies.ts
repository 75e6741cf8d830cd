/** Policies and their versions as `/admin/policies` returns them. */
import type { PolicyVersionView } from "../../api-views/policy-views.ts";
import { isoTimeOrNull } from "../../lib/text/iso-time.ts";
import { type CheckedPolicy, checkPolicy } from "../../policy/check.ts";
import type { PolicyChanges } from "../../policy/compare/compare.ts";
import { unboundSecrets } from "../../policy/document/checks/secret-warnings.ts";
import type { PolicyIssue } from "../../policy/document/document.ts";
import { type PolicyWarning, policyWarning } from "../../policy/document/policy-issue.ts";
import type { PolicyInForce, PolicyVersion, PolicyVersionPage } from "../../ports/tenant-ledger-port.ts";
import { policyDigest } from "../../stores/policies/policy-source.ts";
import type { SecretPort } from "../../tools/credentials.ts";
import { listBody } from "../list-body.ts";

/** While the embedded policy is in force there is no version, and no tag. */
export function policyFound(
  tenant: string,
  { version, text }: PolicyInForce,
  embedded: unknown,
  secrets: SecretPort,
): Response {
  const document: unknown = text === null ? embedded : JSON.parse(text);
  return tagged(version?.digest ?? null, {
    object: "policy",
    tenant,
    version: version?.digest ?? null,
    source: text === null ? "embedded" : "kv",
    ...authorship(version),
    document,
    warnings: warningsOf(tenant, document, secrets),
  });
}

export function policyVersionFound(
  tenant: string,
  { version, text }: PolicyInForce & { text: string },
  secrets: SecretPort,
): Response {
  const document: unknown = JSON.parse(text);
  return tagged(version?.digest ?? null, {
    object: "policy.version",
    id: version?.id,
    tenant,
    version: version?.digest,
    ...authorship(version),
    action: version?.action,
    document,
    warnings: warningsOf(tenant, document, secrets),
  });
}

export function policyVersionList({ versions, hasMore, inForce }: PolicyVersionPage) {
  const data: readonly PolicyVersionView[] = versions.map((version) => ({
    object: "policy.version",
    id: version.id,
    version: version.digest,
    ...authorship(version),
    action: version.action,
    in_force: version.id === inForce,
  }));
  return listBody(data, hasMore);
}

interface PolicyUpdate {
  readonly tenant: string;
  readonly version: string | null;
  readonly previous: string | null;
  readonly dryRun: boolean;
  readonly changes: PolicyChanges | null;
  /** Absent if the policy has no such layer. */
  readonly semantic?: string;
  readonly warnings: readonly PolicyWarning[];
}

const unknownChanges = policyWarning(
  "changes_unknown",
  "",
  "what changes is not known: this version of the gateway cannot read the version before",
);

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
  created_at: isoTimeOrNull(version?.at),
  created_by: version?.by ?? null,
});

/** A document that an earlier version accepted may have errors now. */
function warningsOf(tenant: string, document: unknown, secrets: SecretPort): readonly PolicyIssue[] {
  const checked = checkPolicy(document, policyDigest(document));
  return checked.ok ? policyWarnings(tenant, checked.value, secrets) : checked.error;
}

/** Adds what only the gateway knows: secrets that its settings do not bind. Another tenant's secret looks the same as none. */
export const policyWarnings = (
  tenant: string,
  { document, warnings }: Pick<CheckedPolicy, "document" | "warnings">,
  { secret }: SecretPort,
): readonly PolicyWarning[] => [
  ...warnings,
  ...unboundSecrets(document, (name, host) => secret(name, tenant, host) !== undefined),
];

const tagged = (version: string | null, body: unknown): Response =>
  Response.json(body, { headers: version === null ? {} : { etag: `"${version}"` } });
