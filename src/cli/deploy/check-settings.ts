/** The Worker's own checks of its settings, made before it is deployed: there they would answer every request with a 503. */
import { parseAuditKeys } from "../../stores/audit-keys.ts";

export function checkAuditKey(text: string): string[] {
  const keys = parseAuditKeys(text);
  return keys.ok ? [] : [`AUDIT_KEY: ${keys.error}`];
}

export function checkSettings(values: Readonly<Record<string, string>>): string[] {
  const url = values.UPSTREAM_BASE_URL;
  if (url === undefined) return [];
  if (!URL.canParse(url) || new URL(url).protocol !== "https:")
    return [`UPSTREAM_BASE_URL is \`${url}\`: it must be an https URL, such as https://api.openai.com/v1`];
  // It stands in the configuration, which is no place for a password.
  if (new URL(url).username || new URL(url).password)
    return ["UPSTREAM_BASE_URL holds a user name or password: put the key into UPSTREAM_API_KEY"];
  return [];
}
