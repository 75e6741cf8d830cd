/** The Worker's own checks of its settings, made before it serves: it would answer every request with a 503. */
import type { Result } from "../lib/result.ts";
import { readAccess } from "../settings/access.ts";
import { readConsole } from "../settings/console.ts";
import { readCors } from "../settings/cors.ts";
import { readEmbeddings } from "../settings/embeddings.ts";
import { readLimits } from "../settings/limits.ts";
import { readPassHeaders } from "../settings/pass-headers.ts";
import { readTelemetry } from "../settings/telemetry.ts";
import { readConnectionKey, readToolDns, readToolSecrets } from "../settings/tool-secrets.ts";
import { readUpstreams } from "../settings/upstream.ts";
import { readWebhooks, type WebhookVariables } from "../settings/webhooks.ts";

type Values = Readonly<Record<string, string>>;
type Reader = (values: Values) => Result<unknown, readonly string[]>;

/** @param bound whether Workers AI is. Every error at once, each naming its variable. */
export function settingProblems(values: Values, bound: boolean): string[] {
  const readers: readonly Reader[] = [
    readUpstreams,
    (given) => readEmbeddings(given, bound),
    readAccess,
    readCors,
    readLimits,
    readPassHeaders,
    readTelemetry,
    readConsole,
    webhooksWithKeys,
    readToolSecrets,
    readToolDns,
    readConnectionKey,
  ];
  return readers.flatMap((read) => {
    const result = read(values);
    return result.ok ? [] : [...result.error];
  });
}

/** Where there are no SIGNING_KEYS, who starts or deploys makes them. */
const webhooksWithKeys = (values: WebhookVariables) =>
  readWebhooks({ SIGNING_KEYS: `k1:${"0".repeat(64)}`, ...values });
