/** The names of the gateway's settings, and which of them are secrets. Pure. */

const PLAIN =
  /^(UPSTREAM_([2-9]_)?(BASE_URL|MODEL)|UPSTREAM_(CONNECT|FIRST_BYTE|IDLE)_TIMEOUT|UPSTREAM_(RETRIES|PASS_HEADERS)|EMBEDDINGS_(BASE_URL|MODEL)|DETECTOR_MODEL|PLANNER_MODEL|CLIENT_UPSTREAM_KEYS|TOOL_SECRETS|TOOL_DNS|JWT_ISSUERS|PUBLIC_URL|CONSOLE_OIDC|CORS_ORIGINS|MAX_(BODY|HEADER)_BYTES|KEY_RATE_LIMIT|METRICS|METRICS_INTERVAL|SERVER_TIMING|LOG_LEVEL|OTEL_EXPORTER_OTLP_ENDPOINT|OTEL_SERVICE_NAME|OTEL_TRACES_SAMPLER_ARG)$/;
const SECRET =
  /^(UPSTREAM_([2-9]_)?API_KEY|EMBEDDINGS_API_KEY|AUDIT_KEY|CONNECTION_KEY|SECRET_[A-Z][A-Z0-9_]*|CONSOLE_OIDC_SECRET|SIGNING_KEYS|WEBHOOKS|OTEL_EXPORTER_OTLP_HEADERS)$/;

/** `plain` may be read by whoever may read the deployment's configuration; `secret` by the Worker alone. */
export function kindOfSetting(name: string): "plain" | "secret" | undefined {
  if (PLAIN.test(name)) return "plain";
  return SECRET.test(name) ? "secret" : undefined;
}
