/** The Worker's own checks of its settings, made before it is deployed: there they would answer every request with a 503. */
import type { Result } from "../../lib/result.ts";
import { readAccess } from "../../settings/access.ts";
import { readCors } from "../../settings/cors.ts";
import { readLimits } from "../../settings/limits.ts";
import { readTelemetry } from "../../settings/telemetry.ts";
import { readUpstreams } from "../../settings/upstream.ts";
import { parseAuditKeys } from "../../stores/audit-keys.ts";

export function checkAuditKey(text: string): string[] {
  const keys = parseAuditKeys(text);
  return keys.ok ? [] : [`AUDIT_KEY: ${keys.error}`];
}

type Values = Readonly<Record<string, string>>;

export function checkSettings(values: Values): string[] {
  const readers: ((values: Values) => Result<unknown, readonly string[]>)[] = [
    readUpstreams,
    readAccess,
    readCors,
    readLimits,
    readTelemetry,
  ];
  const wrong = readers.flatMap((read) => {
    const result = read(values);
    return result.ok ? [] : [...result.error];
  });
  const url = values.UPSTREAM_BASE_URL;
  // Over the internet the key would travel in the clear.
  if (url?.startsWith("http:")) wrong.push("UPSTREAM_BASE_URL must be an https URL, such as https://api.openai.com/v1");
  return wrong;
}
