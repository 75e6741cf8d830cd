/** The bindings as `wrangler.toml` and the settings give them, for `cloudflare:test` and `cloudflare:workers`. */
declare namespace Cloudflare {
  type UpstreamVariables = import("./settings/upstream.ts").UpstreamVariables;
  interface Env extends UpstreamVariables {
    readonly USER_GUARD: DurableObjectNamespace<import("./stores/objects/user-guard.ts").UserGuard>;
    readonly TENANT_LEDGER: DurableObjectNamespace<import("./stores/objects/tenant-ledger.ts").TenantLedger>;
    readonly KEY_METER: DurableObjectNamespace<import("./stores/objects/key-meter.ts").KeyMeter>;
    readonly METRICS_HUB: DurableObjectNamespace<import("./stores/objects/metrics-hub.ts").MetricsHub>;
    readonly SEMANTIC_TRAINER: DurableObjectNamespace<import("./stores/objects/semantic-trainer.ts").SemanticTrainer>;
    readonly KV: KVNamespace;
    readonly ASSETS?: import("./stores/semantic/vectors-asset.ts").Assets;
    readonly AI?: import("./model/sdk/embedder.ts").WorkersAi;
    readonly AUDIT_DB: D1Database;
    readonly TOOLS_DB?: D1Database;
    readonly AUDIT_KEY?: string;
    readonly TRAIL?: string;
    readonly TRAIL_SHARDS?: string;
    readonly HOT_DAYS?: string;
    readonly TRAIL_QUEUE?: Queue<import("./stores/audit/trail-message.ts").TrailMessage>;
    readonly ARCHIVE?: R2Bucket;
    readonly ARCHIVE_GROUPS?: string;
    readonly CLIENT_UPSTREAM_KEYS?: string;
    readonly JWT_ISSUERS?: string;
    readonly KEY_RATE_LIMIT?: string;
    readonly DETECTOR_MODEL?: string;
    readonly PLANNER_MODEL?: string;
    readonly EMBEDDINGS_BASE_URL?: string;
    readonly EMBEDDINGS_API_KEY?: string;
    readonly EMBEDDINGS_MODEL?: string;
    readonly CONSOLE_OIDC?: string;
    readonly CONSOLE_OIDC_SECRET?: string;
    readonly CORS_ORIGINS?: string;
    readonly TENANT_SETTINGS?: string;
    readonly WEBHOOKS?: string;
    readonly SIGNING_KEYS?: string;
    readonly VAPID_PUBLIC_KEY?: string;
    readonly VAPID_PRIVATE_KEY?: string;
    readonly VAPID_SUBJECT?: string;
    readonly PUSH_HOSTS?: string;
    readonly PUBLIC_URL?: string;
    readonly TOOL_SECRETS?: string;
    readonly [name: `SECRET_${string}`]: string | undefined;
    readonly TOOL_DNS?: string;
    readonly CONNECTION_KEY?: string;
    readonly MAX_BODY_BYTES?: string;
    readonly MAX_HEADER_BYTES?: string;
    readonly MAX_INFLIGHT_BYTES?: string;
    readonly MAX_USER_TURNS?: string;
    readonly MAX_USER_HOLDS?: string;
    readonly MAX_USER_STREAMS?: string;
    readonly UPSTREAM_PASS_HEADERS?: string;
    readonly TOOLGATE_DEV?: string;
    readonly TOOLGATE_LISTENER_SECRET?: string;
    readonly LOG_LEVEL?: string;
    readonly METRICS?: string;
    readonly METRICS_INTERVAL?: string;
    readonly METRICS_DATASET?: string;
    readonly ANALYTICS?: AnalyticsEngineDataset;
    readonly SERVER_TIMING?: string;
    readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string;
    readonly OTEL_EXPORTER_OTLP_HEADERS?: string;
    readonly OTEL_SERVICE_NAME?: string;
    readonly OTEL_TRACES_SAMPLER_ARG?: string;
    /** Only in tests. */
    readonly TEST_MIGRATIONS?: { name: string; queries: string[] }[];
    readonly TEST_TOOLS_MIGRATIONS?: { name: string; queries: string[] }[];
  }
}
