/** The Worker's own checks of its settings, made before it is deployed: there they would answer every request with a 503. */
import type { Result } from "../../lib/result.ts";
import { readAccess } from "../../settings/access.ts";
import { readConsole } from "../../settings/console.ts";
import { readCors } from "../../settings/cors.ts";
import { readEmbeddings } from "../../settings/embeddings.ts";
import { readLimits } from "../../settings/limits.ts";
import { readTelemetry } from "../../settings/telemetry.ts";
import { readUpstreams } from "../../settings/upstream.ts";
import { readWebhooks, type WebhookVariables } from "../../settings/webhooks.ts";
import { parseAuditKeys } from "../../stores/audit-keys.ts";

export function checkAuditKey(text: string): string[] {
  const keys = parseAuditKeys(text);
  return keys.ok ? [] : [`AUDIT_KEY: ${keys.error}`];
}

type Values = Readonly<Record<string, string>>;

export function checkSettings(values: Values): string[] {
  const readers: ((values: Values) => Result<unknown, readonly string[]>)[] = [
    readUpstreams,
    readEmbeddings,
    readAccess,
    readCors,
    readLimits,
    readTelemetry,
    readConsole,
    webhooksWithKeys,
  ];
  const wrong = readers.flatMap((read) => {
    const result = read(values);
    return result.ok ? [] : [...result.error];
  });
  for (const [name, value] of Object.entries(values)) {
    if (SENT_TO.test(name) && /^http:/i.test(value))
      wrong.push(`${name} must be an https URL: anybody on the way could read what is sent there`);
  }
  return wrong;
}

/** The deployment makes SIGNING_KEYS where there are none. */
const webhooksWithKeys = (values: WebhookVariables) =>
  readWebhooks({ SIGNING_KEYS: `k1:${"0".repeat(64)}`, ...values });

/** Over the internet: keys, conversations, users' messages and traces. */
const SENT_TO = /^(UPSTREAM_([2-9]_)?BASE_URL|EMBEDDINGS_BASE_URL|OTEL_EXPORTER_OTLP_ENDPOINT)$/;
