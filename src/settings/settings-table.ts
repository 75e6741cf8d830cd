/**
 * Every setting: its name, whether it is a secret, and whether a tenant may have one of its own. `docs/settings.md` says what each
 * is for, and its text is in `cli/docs/settings-page.ts`. Pure.
 */

/** `plain` may be read by whoever may read the deployment's configuration; `secret` by the Worker alone. */
type SettingKind = "plain" | "secret";

/** Settings that a tenant may have of its own, at `/admin/tenants`. */
const tenant = {
  /** Until the headers of a streamed answer: `120s` by default. */
  UPSTREAM_CONNECT_TIMEOUT: "plain",
  /** From the request to the first event of a stream, or to the headers of a JSON answer: `300s` by default. */
  UPSTREAM_FIRST_BYTE_TIMEOUT: "plain",
  /** Between two pieces of an answer: `120s` by default. */
  UPSTREAM_IDLE_TIMEOUT: "plain",
  /** Attempts beyond the first, of one model call at one upstream: 0 to 5, 2 unless set. */
  UPSTREAM_RETRIES: "plain",
  /** A comma list of names, such as `x-portkey-config, x-vendor`. */
  UPSTREAM_PASS_HEADERS: "plain",
  /** JSON: `{ "anthropic": {}, "groq": { "baseUrl": "https://api.groq.com/openai/v1" } }`. */
  UPSTREAM_PROVIDERS: "plain",
  /** JSON: `{ "smart": ["anthropic/claude-opus-4-5", "google/gemini-3-pro"] }`. */
  UPSTREAM_ROUTES: "plain",
  CLIENT_UPSTREAM_KEYS: "plain",
  /** The base URL of an OpenAI-compatible API, which serves `/embeddings`. */
  EMBEDDINGS_BASE_URL: "plain",
  EMBEDDINGS_API_KEY: "secret",
  /** Without a base URL it is a model of Workers AI, and begins with `@cf/`. */
  EMBEDDINGS_MODEL: "plain",
  /** The model that the layer `model` asks, at the upstream. */
  DETECTOR_MODEL: "plain",
  /** The model that makes plans, at the upstream. */
  PLANNER_MODEL: "plain",
  JWT_ISSUERS: "plain",
  KEY_RATE_LIMIT: "plain",
  /** JSON: `[{ url, tenant?, events?, records? }]`. A secret: receivers put their own into their URLs. */
  WEBHOOKS: "secret",
  /** JSON: `{ "CRM_TOKEN": { "tenants": ["acme"], "hosts": ["crm.example.com"] } }`. */
  TOOL_SECRETS: "plain",
  MAX_USER_TURNS: "plain",
  MAX_USER_HOLDS: "plain",
  MAX_USER_STREAMS: "plain",
} as const satisfies Readonly<Record<string, SettingKind>>;

/** Settings of the whole deployment. */
const deployment = {
  /** `1`: tenants may have settings of their own. */
  TENANT_SETTINGS: "plain",
  CORS_ORIGINS: "plain",
  CONSOLE_OIDC: "plain",
  CONSOLE_OIDC_SECRET: "secret",
  /** Where people reach the gateway: links begin with it. */
  PUBLIC_URL: "plain",
  /** Signs webhooks and links: `id:secret`, older keys behind commas. */
  SIGNING_KEYS: "secret",
  VAPID_PUBLIC_KEY: "plain",
  VAPID_PRIVATE_KEY: "secret",
  VAPID_SUBJECT: "plain",
  /** Host names of push services, separated by commas; `*.` represents any subdomain. */
  PUSH_HOSTS: "plain",
  /** The URL of a resolver over HTTPS (RFC 8484), or `off`. */
  TOOL_DNS: "plain",
  /** Seals the tokens of users' connections: `id:secret`, older keys behind commas. */
  CONNECTION_KEY: "secret",
  MAX_BODY_BYTES: "plain",
  MAX_HEADER_BYTES: "plain",
  MAX_INFLIGHT_BYTES: "plain",
  /** Signs audit records: `id:secret`, older keys behind commas. */
  AUDIT_KEY: "secret",
  /** `direct` or `queued`. */
  TRAIL: "plain",
  /** The D1 databases that share the hot index, by their bindings: `AUDIT_DB,AUDIT_DB_2`. */
  TRAIL_SHARDS: "plain",
  /** With `queued`: after how many days records are in the archive alone. */
  HOT_DAYS: "plain",
  /** With `queued`: into how many groups of tenants each day of the archive is divided. */
  ARCHIVE_GROUPS: "plain",
  /** Read by `npm run deploy` alone. */
  DATA_LOCATION: "plain",
  /** Read by `npm run deploy` alone. */
  DATA_JURISDICTION: "plain",
  LOG_LEVEL: "plain",
  /** `1`: counts, and serves `GET /metrics`. */
  METRICS: "plain",
  /** How long an isolate gathers counts before it sends them: `10s` by default. */
  METRICS_INTERVAL: "plain",
  /** The data set of Analytics Engine that `npm run deploy` binds as `ANALYTICS`. */
  METRICS_DATASET: "plain",
  /** `1`: every reply has its timings, not only those to admins. */
  SERVER_TIMING: "plain",
  /** The base URL of an OTLP/HTTP collector; if it is set, traces are sent to `/v1/traces` below it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: "plain",
  /** `name=value,…`, percent-encoded. */
  OTEL_EXPORTER_OTLP_HEADERS: "secret",
  OTEL_SERVICE_NAME: "plain",
  /** The share of traces begun here that is kept, 0 to 1; a caller's own decision is followed. */
  OTEL_TRACES_SAMPLER_ARG: "plain",
} as const satisfies Readonly<Record<string, SettingKind>>;

/** Settings of `npm start`, the terminal's commands and the tests; the Worker does not read them. */
export const programSettings = ["PORT", "TOOLGATE_POLICY", "TOOLGATE_STATE", "TOOLGATE_KEY"] as const;

/** In front of the parts of an upstream's settings: `UPSTREAM_BASE_URL` is the first, `UPSTREAM_2_BASE_URL` the second. */
export const UPSTREAM_PREFIXES = [
  "UPSTREAM_",
  ...([2, 3, 4, 5, 6, 7, 8, 9] as const).map((number) => `UPSTREAM_${number}_` as const),
] as const;

/** The parts of an upstream's settings, behind a prefix. A tenant may have each. */
const upstream = { BASE_URL: "plain", MODEL: "plain", API_KEY: "secret" } as const satisfies Readonly<
  Record<string, SettingKind>
>;

type Texts<Table> = { readonly [Name in keyof Table]?: string };

/** The Worker's settings as texts, by name. */
export type SettingVariables = Texts<typeof tenant> &
  Texts<typeof deployment> & {
    readonly [Name in `${(typeof UPSTREAM_PREFIXES)[number]}${keyof typeof upstream}`]?: string;
  } & {
    /** The key of a provider that UPSTREAM_PROVIDERS names. */
    readonly [name: `UPSTREAM_${string}_API_KEY`]: string | undefined;
    /** A secret that TOOL_SECRETS names. */
    readonly [name: `SECRET_${string}`]: string | undefined;
    /** Set by `npm start` alone: development keys are valid on loopback, and services on this machine need no TLS. */
    readonly TOOLGATE_DEV?: string;
  };

const tenantKinds: ReadonlyMap<string, SettingKind> = new Map<string, SettingKind>([
  ...UPSTREAM_PREFIXES.flatMap((prefix) =>
    Object.entries(upstream).map(([part, kind]) => [`${prefix}${part}`, kind] as const),
  ),
  ...Object.entries(tenant),
]);
const kinds: ReadonlyMap<string, SettingKind> = new Map([...tenantKinds, ...Object.entries(deployment)]);

/** Without those of TOOL_SECRETS (`SECRET_<NAME>`) and UPSTREAM_PROVIDERS (`UPSTREAM_<NAME>_API_KEY`), whose names operators choose. */
export const settingNames: readonly string[] = [...kinds.keys()];

const isNamedSecret = (name: string): boolean =>
  /^(SECRET_[A-Z][A-Z0-9_]*|UPSTREAM_[A-Z][A-Z0-9_]*_API_KEY)$/.test(name);

export const kindOfSetting = (name: string): SettingKind | undefined =>
  kinds.get(name) ?? (isNamedSecret(name) ? "secret" : undefined);

export const isTenantSetting = (name: string): boolean =>
  tenantKinds.has(name) || (isNamedSecret(name) && !kinds.has(name));
