/** What would be wrong with the Worker's settings once it is deployed. */
import { namedSecrets } from "../../settings/tool-secrets.ts";
import { parseAuditKeys } from "../../stores/audit/audit-keys.ts";
import { settingProblems } from "../setting-problems.ts";

export function checkAuditKey(text: string): string[] {
  const keys = parseAuditKeys(text);
  return keys.ok ? [] : [`AUDIT_KEY: ${keys.error}`];
}

export function checkSettings(values: Readonly<Record<string, string>>): string[] {
  // One that is not given is kept from an earlier deployment; whether there was one is looked at when it is deployed.
  const kept = Object.fromEntries(namedSecrets(values.TOOL_SECRETS).map((name) => [name, "kept"]));
  const wrong = settingProblems({ ...kept, ...values }, true);
  for (const [name, value] of Object.entries(values)) {
    if (SENT_TO.test(name) && /^http:/i.test(value))
      wrong.push(`${name} must be an https URL: anybody on the way could read what is sent there`);
  }
  return wrong;
}

/** Over the internet: keys, conversations, users' messages and traces. */
const SENT_TO = /^(UPSTREAM_([2-9]_)?BASE_URL|EMBEDDINGS_BASE_URL|OTEL_EXPORTER_OTLP_ENDPOINT)$/;
