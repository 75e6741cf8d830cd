/** The gateway's Admin API for policies. Every failure comes back as lines for the person at the terminal. */
import type { PolicyVersionView, PolicyView } from "../../api-views/policy-views.ts";
import { err, ok } from "../../lib/result.ts";
import type { ChangeParts } from "../../policy/compare/change-text.ts";
import type { PolicyIssue } from "../../policy/document/policy-issue.ts";
import { type GatewayAddress, type GatewayAnswer, readPages, requestGateway } from "../gateway-client.ts";

export interface PolicyUpdate {
  readonly version: string;
  readonly previous: string | null;
  /** The changes by part of the document, and whether the list is cut; null if the gateway cannot compare. */
  readonly changes: ChangeParts;
  readonly warnings: readonly PolicyIssue[];
}

/** @param version absent: the one in force. */
export const readVersion = (gateway: GatewayAddress, tenant: string, version?: string): GatewayAnswer<PolicyView> =>
  requestGateway(
    gateway,
    version === undefined ? pathOf(tenant) : `${pathOf(tenant)}/versions/${encodeURIComponent(version)}`,
    {},
  );

/** The newest first. */
export async function listVersions(
  gateway: GatewayAddress,
  tenant: string,
): GatewayAnswer<readonly PolicyVersionView[]> {
  const versions: PolicyVersionView[] = [];
  const read = await readPages<PolicyVersionView>(gateway, `${pathOf(tenant)}/versions`, {}, (page) => {
    versions.push(...page);
  });
  return read.ok ? ok(versions) : read;
}

const WHOLE = /^[0-9a-f]{64}$/;

/** @param text a version, or its beginning: the commands print short versions. */
export async function wholeVersion(gateway: GatewayAddress, tenant: string, text: string): GatewayAnswer<string> {
  if (WHOLE.test(text) || text === "") return ok(text);
  const versions = await listVersions(gateway, tenant);
  if (!versions.ok) return versions;
  const all = new Set(versions.value.flatMap(({ version }) => version ?? []));
  const [found, ...others] = [...all].filter((version) => version.startsWith(text));
  if (found !== undefined && others.length === 0) return ok(found);
  return err([`${found ? "several versions begin" : "no version begins"} with \`${text}\`: \`versions\` lists them`]);
}

/** @param seen the version that must be in force; null: the tenant must have none of its own. */
export const rollBackTo = (
  gateway: GatewayAddress,
  tenant: string,
  version: string,
  { dryRun, seen }: WriteOptions,
): GatewayAnswer<unknown> =>
  requestGateway(gateway, `${pathOf(tenant)}/rollback${dryRun ? "?dry_run=true" : ""}`, {
    method: "POST",
    refused: "the version",
    headers: { "content-type": "application/json", ...conditionOf(seen) },
    body: JSON.stringify({ version }),
  });

/** Names of tools that the tenant's clients sent in its last turns, and that its policy does not list. */
export async function readSeenTools(gateway: GatewayAddress, tenant: string): GatewayAnswer<readonly string[]> {
  const seen = await requestGateway<{ readonly data?: readonly { readonly name?: unknown }[] }>(
    gateway,
    `${pathOf(tenant)}/unlisted-tools`,
    {},
  );
  return seen.ok ? ok((seen.value.data ?? []).flatMap(({ name }) => (typeof name === "string" ? [name] : []))) : seen;
}

/** @param seen the version that must be in force; null: the tenant must have none of its own. */
export function putPolicy(
  gateway: GatewayAddress,
  tenant: string,
  document: unknown,
  { dryRun, seen }: WriteOptions,
): GatewayAnswer<PolicyUpdate> {
  return requestGateway(gateway, `${pathOf(tenant)}${dryRun ? "?dry_run=true" : ""}`, {
    method: "PUT",
    refused: "the document",
    headers: { "content-type": "application/json", ...conditionOf(seen) },
    body: JSON.stringify(document),
  });
}

/** @param seen the version that must be in force. */
export const removePolicy = (gateway: GatewayAddress, tenant: string, seen: string): GatewayAnswer<unknown> =>
  requestGateway(gateway, pathOf(tenant), { method: "DELETE", headers: { "if-match": `"${seen}"` } });

interface WriteOptions {
  readonly dryRun: boolean;
  readonly seen: string | null;
}

const conditionOf = (seen: string | null): Record<string, string> =>
  seen === null ? { "if-none-match": "*" } : { "if-match": `"${seen}"` };

const pathOf = (tenant: string): string => `/admin/policies/${encodeURIComponent(tenant)}`;
