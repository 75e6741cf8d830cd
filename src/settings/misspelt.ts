/** Settings that nobody reads because their name is misspelt. Pure. */
import { nearestName } from "../lib/text/nearest-name.ts";

/** Of `npm start`, the terminal's commands and the tests; the Worker has no use for them. */
export const programSettings = ["PORT", "TOOLGATE_POLICY", "TOOLGATE_STATE", "TOOLGATE_KEY"] as const;
const OTHERS = new Set<string>([...programSettings, "TOOLGATE_DEV", "TOOLGATE_DATA", "TOOLGATE_LAW_SEED"]);

/** No other program's variables begin so. */
const OWN = /^(TOOLGATE|UPSTREAM)_/;
/** How the other settings begin; an environment has variables of other programs that begin so, too. */
const SHARED =
  /^(TOOL|TENANT|OTEL|EMBEDDINGS|DETECTOR|PLANNER|CLIENT|JWT|KEY|CORS|MAX|PUBLIC|CONSOLE|AUDIT|SIGNING|CONNECTION|WEBHOOKS?|METRICS|SERVER|LOG|TRAIL|ARCHIVE)(_|$)/;

/**
 * One line each, without a value.
 * @param names of the variables of the environment and of the gateway's own file.
 */
export function misspeltSettings(names: Iterable<string>): string[] {
  const known = [...settingNames, ...programSettings];
  return [...names].sort().flatMap((name) => {
    if (kindOfSetting(name) !== undefined || OTHERS.has(name)) return [];
    const own = OWN.test(name.toUpperCase());
    if (!own && !SHARED.test(name.toUpperCase())) return [];
    // Who counts from 0 or 1 means the first, which has no number.
    const nearest = nearestName(name.replace(/^UPSTREAM_[01]_/i, "UPSTREAM_"), known);
    if (nearest !== undefined) return [`${name} is no setting and is not read: did you mean ${nearest}?`];
    return own ? [`${name} is no setting and is not read`] : [];
  });
}

const PLACES = ["", ...[2, 3, 4, 5, 6, 7, 8, 9].map((place) => `${place}_`)];

const PLAIN: ReadonlySet<string> = new Set([
  ...PLACES.flatMap((place) => [`UPSTREAM_${place}BASE_URL`, `UPSTREAM_${place}MODEL`]),
  ...["UPSTREAM_CONNECT_TIMEOUT", "UPSTREAM_FIRST_BYTE_TIMEOUT", "UPSTREAM_IDLE_TIMEOUT", "UPSTREAM_RETRIES"],
  ...["UPSTREAM_PASS_HEADERS", "UPSTREAM_PROVIDERS", "UPSTREAM_ROUTES"],
  ...["EMBEDDINGS_BASE_URL", "EMBEDDINGS_MODEL", "DETECTOR_MODEL", "PLANNER_MODEL", "CLIENT_UPSTREAM_KEYS"],
  ...["TOOL_SECRETS", "TOOL_DNS", "JWT_ISSUERS", "PUBLIC_URL", "CONSOLE_OIDC", "CORS_ORIGINS", "TENANT_SETTINGS"],
  ...[
    "MAX_BODY_BYTES",
    "MAX_HEADER_BYTES",
    "MAX_INFLIGHT_BYTES",
    "MAX_USER_TURNS",
    "MAX_USER_HOLDS",
    "MAX_USER_STREAMS",
    "KEY_RATE_LIMIT",
    "METRICS",
    "METRICS_INTERVAL",
    "METRICS_DATASET",
    "SERVER_TIMING",
    "LOG_LEVEL",
    "TRAIL",
    "TRAIL_SHARDS",
    "HOT_DAYS",
    "ARCHIVE_GROUPS",
    "DATA_LOCATION",
    "DATA_JURISDICTION",
    "VAPID_PUBLIC_KEY",
    "VAPID_SUBJECT",
    "PUSH_HOSTS",
  ],
  ...["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_SERVICE_NAME", "OTEL_TRACES_SAMPLER_ARG"],
]);

const SECRET: ReadonlySet<string> = new Set([
  ...PLACES.map((place) => `UPSTREAM_${place}API_KEY`),
  ...["EMBEDDINGS_API_KEY", "AUDIT_KEY", "CONNECTION_KEY", "CONSOLE_OIDC_SECRET", "SIGNING_KEYS", "WEBHOOKS"],
  "VAPID_PRIVATE_KEY",
  "OTEL_EXPORTER_OTLP_HEADERS",
]);

/** Without those of TOOL_SECRETS (`SECRET_<NAME>`) and UPSTREAM_PROVIDERS (`UPSTREAM_<NAME>_API_KEY`), whose names operators choose. */
export const settingNames: readonly string[] = [...PLAIN, ...SECRET];

/** `plain` may be read by whoever may read the deployment's configuration; `secret` by the Worker alone. */
export function kindOfSetting(name: string): "plain" | "secret" | undefined {
  if (PLAIN.has(name)) return "plain";
  const isNamed = /^(SECRET_[A-Z][A-Z0-9_]*|UPSTREAM_[A-Z][A-Z0-9_]*_API_KEY)$/.test(name);
  return SECRET.has(name) || isNamed ? "secret" : undefined;
}
