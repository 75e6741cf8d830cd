/** `Env`: the bindings and settings of the Worker. `Deps`: the parts of the gateway. `create-deps.ts` makes `Deps` of `Env`. */
import type { IssuerKeys } from "./auth/issuer-keys.ts";
import type { LookUpKey } from "./auth/kv-keys.ts";
import type { SignInProvider } from "./auth/oidc-provider.ts";
import type { KeyRing } from "./lib/key-ring.ts";
import type { WorkersAi } from "./model/sdk/embedder.ts";
import type { Upstreams } from "./model/upstream/upstreams.ts";
import type { Planner } from "./plan/planner.ts";
import type { CompiledPolicy } from "./policy/compile.ts";
import type { PolicyIssue } from "./policy/document/document.ts";
import type { DetectorPort } from "./ports/detector-port.ts";
import type { ModelPort } from "./ports/model-port.ts";
import type { MetricsHubPort } from "./ports/telemetry-port.ts";
import type { TenantDirectoryPort } from "./ports/tenant-directory-port.ts";
import type { TenantLedgerPort } from "./ports/tenant-ledger-port.ts";
import type { OfferObserver } from "./ports/turns/turn-observer.ts";
import type { Owner } from "./session/principal.ts";
import type { AccessSettings } from "./settings/access.ts";
import type { CorsSettings } from "./settings/cors.ts";
import type { Limits } from "./settings/limits.ts";
import type { PushSettings } from "./settings/push.ts";
import type { TelemetrySettings } from "./settings/telemetry.ts";
import type { GatewayVariables } from "./settings/tenant-variables.ts";
import type { WebhookSettings } from "./settings/webhooks.ts";
import type { AuditKeys } from "./stores/audit/audit-keys.ts";
import type { ApprovalIndex } from "./stores/audit/d1-approvals.ts";
import type { AskAudit } from "./stores/audit/shards/shards.ts";
import type { TrailEnv } from "./stores/audit/trail-of.ts";
import type { UserGuardApis } from "./stores/guard/guard-apis.ts";
import type { KeyMeter } from "./stores/objects/key-meter.ts";
import type { MetricsHub } from "./stores/objects/metrics-hub.ts";
import type { SemanticTrainer } from "./stores/objects/semantic-trainer.ts";
import type { TenantLedger } from "./stores/objects/tenant-ledger.ts";
import type { UserGuard } from "./stores/objects/user-guard.ts";
import type { Candidates } from "./stores/policies/candidates.ts";
import type { CompiledPolicies } from "./stores/policies/policy-cache.ts";
import type { Assets } from "./stores/semantic/assets.ts";
import type { SemanticLayer } from "./stores/semantic/semantic-layer.ts";
import type { TenantSettings, TenantSettingsSource } from "./stores/tenant/tenant-settings.ts";
import type { Tracing } from "./telemetry/traces/otlp-tracing.ts";
import type { trailHealth } from "./telemetry/trail-health.ts";
import type { ToolDeps, ToolVariables } from "./tool-deps.ts";
import type { SessionCache } from "./turn/speculate/session-cache.ts";
import type { ReplyTimeouts } from "./wire/reply-sink.ts";

/** Bindings and settings. `wrangler.toml` says what each binding is for, `settings/settings-table.ts` has the settings. */
export interface Env extends ToolVariables, TrailEnv {
  readonly USER_GUARD: DurableObjectNamespace<UserGuard>;
  readonly TENANT_LEDGER: DurableObjectNamespace<TenantLedger>;
  readonly KEY_METER: DurableObjectNamespace<KeyMeter>;
  readonly METRICS_HUB: DurableObjectNamespace<MetricsHub>;
  readonly SEMANTIC_TRAINER: DurableObjectNamespace<SemanticTrainer>;
  readonly KV: KVNamespace;
  /** Files that are loaded only if a policy needs them. Absent if the Worker runs without its assets. */
  readonly ASSETS?: Assets;
  /** Workers AI, if the deployment binds it. */
  readonly AI?: WorkersAi;
  /** Gets a data point for each turn, if the deployment binds it. */
  readonly ANALYTICS?: AnalyticsEngineDataset;
  /** Made anew by each `npm start`: its listener sends it with all that it passes on. */
  readonly TOOLGATE_LISTENER_SECRET?: string;
}

export interface Deps extends ToolDeps {
  readonly keys: LookUpKey;
  readonly dev: boolean;
  /** Undefined if no listener is in front of the Worker. */
  readonly listenerSecret: string | undefined;
  readonly policies: CompiledPolicies<CompiledPolicy, readonly PolicyIssue[]>;
  readonly candidates: Candidates<CompiledPolicy>;
  /** In force for every tenant without a policy of its own. */
  readonly embeddedPolicy: unknown;
  readonly guardOf: (owner: Owner) => UserGuardApis;
  readonly auditKeys: AuditKeys | undefined;
  readonly model: ModelPort;
  /** Kept in this isolate from one turn to the next. Undefined: each turn waits for the user's object. */
  readonly sessionCache: SessionCache | undefined;
  readonly detector: DetectorPort;
  readonly semantic: SemanticLayer;
  readonly planner: Planner;
  readonly upstream: Upstreams;
  /** Names of client headers that go to the upstream, besides those that always do. */
  readonly passHeaders: ReadonlySet<string>;
  /** How long a reply stays silent, and how long a client may leave it unread. */
  readonly replyTimeouts: ReplyTimeouts;
  readonly access: AccessSettings;
  readonly issuerKeys: IssuerKeys;
  readonly cors: CorsSettings;
  /** The console's files; absent if the Worker runs without its assets. */
  readonly assets: Assets | undefined;
  /** Undefined if people sign in to the console with keys and tokens alone. */
  readonly signIn: SignInProvider | undefined;
  readonly limits: Limits;
  readonly webhooks: WebhookSettings;
  /** Undefined: no browser is notified of what waits. */
  readonly push: PushSettings | undefined;
  readonly ledgerOf: (tenant: string) => TenantLedgerPort;
  /** Undefined if tenants have no settings of their own. */
  readonly tenants: Tenants | undefined;
  readonly meterOf: (meter: string) => DurableObjectStub<KeyMeter>;
  /** Reads the hot index, in the database that has the tenant's. */
  readonly audit: AskAudit;
  /** That database itself, for reads that must see the last write. */
  readonly auditDatabase: (tenant: string) => Promise<D1Database>;
  /** Bindings of the databases that share the hot index. */
  readonly shards: readonly string[];
  /** All approvals of a tenant, for its operators. */
  readonly approvalIndex: ApprovalIndex;
  readonly telemetry: TelemetrySettings;
  readonly metricsHub: () => MetricsHubPort;
  /** Undefined: turns are counted for the hub alone. */
  readonly analytics: Pick<AnalyticsEngineDataset, "writeDataPoint"> | undefined;
  /** Whether audit records reach the database. */
  readonly trailHealth: ReturnType<typeof trailHealth>;
  /** Undefined if traces are off. The first call loads the tracing code. */
  readonly tracing: (() => Promise<Tracing>) | undefined;
  readonly now: () => number;
  readonly observe: OfferObserver | undefined;
  /** Why the gateway serves nothing, for the operator's log and the client's 503. */
  readonly misconfigured: string | undefined;
}

export interface Tenants {
  readonly settings: TenantSettingsSource;
  /** A new stub for each request: another request may not use it. */
  readonly directory: () => TenantDirectoryPort;
  /** Seals their stored settings. */
  readonly keys: KeyRing;
  /** The deployment's own variables, over which a tenant's lie. */
  readonly gateway: GatewayVariables;
  /** The same gateway with the tenant's settings. */
  readonly depsFor: (tenant: string, settings: TenantSettings) => Deps;
}
