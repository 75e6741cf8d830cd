/** `docs/settings.md`: every setting, checked against the names that the Worker and the programs read. Pure. */
import { kindOfSetting, programSettings, settingNames } from "../../settings/settings-table.ts";
import { table } from "./markdown.ts";

const INTRO = `\`npm start\` reads them from the environment or a file \`.dev.vars\`, \`npm run deploy\` from the environment or
\`.deploy.vars\` (\`NAME=value\`, one a line). A wrong one stops the gateway from serving anything, and the log says which. Both
programs warn of a name that looks misspelt, and of a setting that has no effect; a deployment refuses a name that is no setting. A name with 🔒 is a secret: a deployment stores it as one.`;

export function settingsPage(): string {
  const problems = nameProblems(settingTopics);
  if (problems.length > 0) throw new Error(`src/cli/docs/settings-page.ts: ${problems.join("; ")}`);
  return ["# Settings", INTRO, ...settingTopics.map(topicText)].join("\n\n");
}

function topicText({ title, text, settings }: SettingTopic): string {
  const rows = settings.map(({ name, meaning, unset }) => [
    `\`${name}\`${isSecret(name) ? " 🔒" : ""}`,
    meaning,
    unset,
  ]);
  return [`## ${title}`, ...(text === undefined ? [] : [text]), table(["setting", "for", "unless set"], rows)].join(
    "\n\n",
  );
}

const isSecret = (name: string): boolean => kindOfSetting(concrete(name)) === "secret";
const concrete = (name: string): string => name.replace("UPSTREAM_N_", "UPSTREAM_2_").replace("<NAME>", "NAME");

/** Names without a text, and texts without a setting. */
export function nameProblems(topics: readonly SettingTopic[]): string[] {
  const written = new Set(topics.flatMap(({ settings }) => settings.map(({ name }) => name)));
  const known = new Set(
    [...settingNames, ...programSettings].map((name) => name.replace(/^UPSTREAM_\d_/, "UPSTREAM_N_")),
  );
  return [
    ...[...known].filter((name) => !written.has(name)).map((name) => `say what \`${name}\` is for`),
    ...[...written]
      .filter((name) => !known.has(name) && !name.includes("<NAME>"))
      .map((name) => `\`${name}\` is no setting: remove it`),
  ];
}

interface SettingText {
  /** `UPSTREAM_N_…` represents N from 2 to 9. */
  readonly name: string;
  readonly meaning: string;
  /** The value or effect if it is not set. */
  readonly unset: string;
}

interface SettingTopic {
  readonly title: string;
  readonly text?: string;
  readonly settings: readonly SettingText[];
}

const setting = (name: string, meaning: string, unset: string): SettingText => ({ name, meaning, unset });

export const settingTopics: readonly SettingTopic[] = [
  {
    title: "Model provider",
    text: "Any OpenAI-compatible API. `UPSTREAM_2_…` to `UPSTREAM_9_…` are fallbacks, in order. Set `UPSTREAM_RETRIES=0` where the client's SDK retries itself.",
    settings: [
      setting(
        "UPSTREAM_BASE_URL",
        "the API's base URL, such as `https://api.openai.com/v1`",
        "the demo model, under `npm start`",
      ),
      setting("UPSTREAM_API_KEY", "its key", "none is sent"),
      setting("UPSTREAM_MODEL", "takes the place of the client's model", "the client's model"),
      setting("UPSTREAM_N_BASE_URL", "a fallback's base URL", "no fallback"),
      setting("UPSTREAM_N_API_KEY", "its key", "none is sent"),
      setting("UPSTREAM_N_MODEL", "its model", "the client's model"),
      setting("UPSTREAM_RETRIES", "further attempts a model call and upstream, before the first event: 0 to 5", "2"),
      setting(
        "UPSTREAM_CONNECT_TIMEOUT",
        "how long the headers of a stream may take; a model on your own machine may need longer to load",
        "`120s`",
      ),
      setting("UPSTREAM_FIRST_BYTE_TIMEOUT", "how long the first event, or a JSON answer's head, may take", "`300s`"),
      setting("UPSTREAM_IDLE_TIMEOUT", "how long a stream may pause", "`120s`"),
      setting(
        "UPSTREAM_PASS_HEADERS",
        "a comma list of further client headers that go upstream, such as `x-portkey-config`. Credentials, cookies and headers that identify the user never do",
        "the usual ones (`user-agent`, `openai-beta`, `traceparent`, …)",
      ),
      setting(
        "CLIENT_UPSTREAM_KEYS",
        "`1`: a client may bring its own key in `x-upstream-authorization`, for the first upstream alone; with it its `openai-organization` passes too",
        "refused",
      ),
    ],
  },
  {
    title: "Providers by name",
    text: "Models whose names begin with a provider's, such as `anthropic/claude-sonnet-4-5`, go there: [Providers](providers.md).",
    settings: [
      setting(
        "UPSTREAM_PROVIDERS",
        '`{ "anthropic": {}, "groq": { "baseUrl": "https://api.groq.com/openai/v1" } }`: `openai`, `anthropic`, `google` and `workers-ai` are known; others are OpenAI-compatible unless `kind` says otherwise',
        "every model goes to `UPSTREAM_BASE_URL`",
      ),
      setting("UPSTREAM_<NAME>_API_KEY", "a provider's key, its name in capitals, `-` as `_`", "none is sent"),
      setting(
        "UPSTREAM_ROUTES",
        '`{ "smart": ["anthropic/claude-opus-4-5", "google/gemini-3-pro"] }`: what a model\'s name stands for; where the first fails, the next is asked',
        "names stand for themselves",
      ),
    ],
  },
  {
    title: "Other models",
    settings: [
      setting(
        "EMBEDDINGS_BASE_URL",
        'an OpenAI-compatible API with `/embeddings`, for the layer `semantic` with `source: "embeddings"`',
        "Workers AI, where the model begins with `@cf/`",
      ),
      setting("EMBEDDINGS_API_KEY", "its key", "none is sent"),
      setting(
        "EMBEDDINGS_MODEL",
        "its model; `@cf/…` is one of Workers AI, bound as `AI` in `wrangler.toml`",
        "a policy that needs it is warned",
      ),
      setting(
        "DETECTOR_MODEL",
        "what the layer `model` asks: at a provider by its prefix, else at the first upstream",
        "the turn's model",
      ),
      setting(
        "PLANNER_MODEL",
        "what makes plans: at a provider by its prefix, else at the upstreams",
        "the upstream's model, else the one that the request names",
      ),
    ],
  },
  {
    title: "Who asks",
    settings: [
      setting("JWT_ISSUERS", "issuers whose tokens count: [Identity](identity.md#jwt)", "keys alone"),
      setting(
        "KEY_RATE_LIMIT",
        "requests of each key without a limit of its own, such as `600/1m`; `6000/1m exact`: [not leased](identity.md#limits-per-key)",
        "no limit",
      ),
      setting("CORS_ORIGINS", "a comma list of web pages' origins that may call from a browser, or `*`", "none"),
      setting(
        "CONSOLE_OIDC",
        'sign-in to the console: `{ "issuer", "client_id", "scope"?, "name"?, "token"? }`. The redirect URI is `<origin>/console/signed-in`; `JWT_ISSUERS` must trust the token',
        "keys alone",
      ),
      setting("CONSOLE_OIDC_SECRET", "the secret of a confidential client", "a public client"),
      setting(
        "TENANT_SETTINGS",
        "`1`: tenants may have [settings of their own](identity.md#settings-of-a-tenant), sealed by `CONNECTION_KEY`",
        "all tenants have the gateway's",
      ),
    ],
  },
  {
    title: "Approvals",
    settings: [
      setting(
        "WEBHOOKS",
        '`[{ "url": "https://…", "tenant"?, "events"?, "records"? }]`: who hears what waits, or gets [records](operations.md#export-records) (under `npm start` also `http://localhost:…`)',
        "nobody",
      ),
      setting(
        "PUBLIC_URL",
        "the base of links in webhooks and questions; under `npm start` a tunnel's address, which is then served too",
        "no links",
      ),
      setting(
        "VAPID_PUBLIC_KEY",
        "lets people's browsers be told of what waits (Web Push), with the two below; `npx web-push generate-vapid-keys` makes a pair",
        "no push",
      ),
      setting("VAPID_PRIVATE_KEY", "signs what is sent to push services", "no push"),
      setting("VAPID_SUBJECT", "whom a push service may turn to: `mailto:…` or an https URL", "no push"),
      setting("PUSH_HOSTS", "the push services' hosts, such as `*.push.example.com`", "those of the browsers"),
      setting(
        "SIGNING_KEYS",
        "`id:secret,…` that sign webhooks and links; the first signs, all verify",
        "made by start and deploy",
      ),
    ],
  },
  {
    title: "Managed tools",
    settings: [
      setting(
        "TOOL_SECRETS",
        'which secret may go where: `{ "NAME": { "tenants": ["acme"], "hosts": ["crm.example.com"] } }` (`["*"]`: every tenant)',
        "none",
      ),
      setting("SECRET_<NAME>", "the value of the secret `NAME`", "none"),
      setting(
        "TOOL_DNS",
        "the DNS-over-HTTPS resolver by which tools' hosts are judged, or `off`",
        "`https://cloudflare-dns.com/dns-query`",
      ),
      setting(
        "CONNECTION_KEY",
        "`id:secret,…` that seals the tokens of users' connections",
        "made by start and deploy",
      ),
    ],
  },
  {
    title: "Sizes and ceilings",
    text: "Beyond them the answer is 413, 429 or 503, and says which limit it was.",
    settings: [
      setting("MAX_BODY_BYTES", "a request's body, 8 MiB at most", "4 MiB"),
      setting("MAX_HEADER_BYTES", "all headers together", "32 KiB"),
      setting("MAX_INFLIGHT_BYTES", "bodies that an isolate holds at once; one user has half", "8 MiB"),
      setting("MAX_USER_TURNS", "turns of one user at once", "64"),
      setting("MAX_USER_HOLDS", "held replies of one user at once", "16"),
      setting("MAX_USER_STREAMS", "event streams of one user at once, in each isolate", "16"),
    ],
  },
  {
    title: "Records and telemetry",
    settings: [
      setting(
        "AUDIT_KEY",
        "`id:secret` that signs audit records; older ones follow behind commas while their records are kept",
        "made by start and deploy",
      ),
      setting(
        "TRAIL",
        "`queued`: records go through a queue to D1 and to an archive in R2 ([scale](scale.md))",
        "`direct`: to D1",
      ),
      setting(
        "TRAIL_SHARDS",
        "bindings of the D1 databases that share the records, as `AUDIT_DB,AUDIT_DB_2`; `deploy` makes those that are missing ([scale](scale.md#several-databases))",
        "`AUDIT_DB`",
      ),
      setting(
        "HOT_DAYS",
        "with `queued`: days after which records are in the archive alone, 3 at least ([scale](scale.md#the-last-days-in-d1))",
        "as the policy's `retentionDays`",
      ),
      setting(
        "ARCHIVE_GROUPS",
        "with `queued`: groups of tenants that each day of the archive is divided into, 1 to 256",
        "1",
      ),
      setting(
        "DATA_LOCATION",
        "where `deploy` makes databases and the bucket: `weur`, `eeur`, `apac`, `oc`, `wnam`, `enam` ([operations](operations.md#where-data-is))",
        "near whoever deploys",
      ),
      setting(
        "DATA_JURISDICTION",
        "the jurisdiction that they are made in, and stay in: `eu`, `fedramp`, `us` ([operations](operations.md#where-data-is))",
        "none",
      ),
      setting("LOG_LEVEL", "`debug`, `info`, `warn`, `error`, `off`", "`info`"),
      setting("METRICS", "`1`: count, and serve `/metrics`", "off"),
      setting("METRICS_INTERVAL", "how long an isolate gathers counts, `0s` to `20s`", "`10s`"),
      setting(
        "METRICS_DATASET",
        "a data set of Analytics Engine, which `deploy` binds: a data point a turn ([operations](operations.md#turns-in-analytics-engine))",
        "none",
      ),
      setting("SERVER_TIMING", "`1`: the header `server-timing` for everybody", "admins alone"),
      setting("OTEL_EXPORTER_OTLP_ENDPOINT", "where traces go (OTLP/HTTP)", "no traces"),
      setting("OTEL_EXPORTER_OTLP_HEADERS", "headers for it, `name=value,…`", "none"),
      setting("OTEL_SERVICE_NAME", "the service's name in traces", "`toolgate`"),
      setting("OTEL_TRACES_SAMPLER_ARG", "the share of traces that is kept, 0 to 1", "1"),
    ],
  },
  {
    title: "Programs",
    text: "Of the programs alone; the Worker does not read them.",
    settings: [
      setting("PORT", "where `npm start` listens", "8787"),
      setting("TOOLGATE_POLICY", "the policy file that `npm start` serves", "`policies/default.json`"),
      setting("TOOLGATE_STATE", "where `npm start` keeps its storage", "`.wrangler/state`"),
      setting("TOOLGATE_KEY", "the key of `npm run policy`", "the development key, on this machine"),
    ],
  },
];
