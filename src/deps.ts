/** The only place that picks adapters: bindings and settings in, ports out. */
import { waitUntil } from "cloudflare:workers";
import defaultPolicy from "../policies/default.json" with { type: "json" };
import { type IssuerKeys, issuerKeys } from "./auth/issuer-keys.ts";
import { keyLookUp, type LookUpKey } from "./auth/kv-keys.ts";
import { oidcProvider, type SignInProvider } from "./auth/oidc-provider.ts";
import { detectionOf } from "./detection-deps.ts";
import { setLogLevel } from "./lib/log.ts";
import type { Result } from "./lib/result.ts";
import { plannerModel } from "./model/planner-model.ts";
import type { WorkersAi } from "./model/sdk/embedder.ts";
import { upstreamModel } from "./model/upstream/upstream-model.ts";
import { newHealth, type Pace, realPace, type Upstreams } from "./model/upstream/upstreams.ts";
import { withWorkersAi } from "./model/upstream/workers-ai.ts";
import { createPlanner, type Planner } from "./plan/planner.ts";
import { type CompiledPolicy, compilePolicy } from "./policy/compile.ts";
import { type PolicyIssue, readPolicyDocument } from "./policy/document/document.ts";
import { policyBytes } from "./policy/document/policy-bytes.ts";
import type { DetectorPort } from "./ports/detector-port.ts";
import type { UserGuardPort } from "./ports/guard-port.ts";
import type { ModelPort } from "./ports/model-port.ts";
import type { MetricsHubPort } from "./ports/telemetry-port.ts";
import type { TenantLedgerPort } from "./ports/tenant-ledger-port.ts";
import type { OfferObserver } from "./ports/turns/turn-observer.ts";
import type { Owner } from "./session/principal.ts";
import { type AccessSettings, NO_ACCESS, readAccess } from "./settings/access.ts";
import { type ConsoleVariables, KEYS_ALONE, readConsole } from "./settings/console.ts";
import { type CorsSettings, NO_ORIGINS, readCors } from "./settings/cors.ts";
import { type EmbeddingVariables, readEmbeddings } from "./settings/embeddings.ts";
import { DEFAULT_LIMITS, type Limits, type LimitVariables, readLimits } from "./settings/limits.ts";
import { NO_HEADERS, type PassHeadersVariables, readPassHeaders } from "./settings/pass-headers.ts";
import { type PushSettings, type PushVariables, readPush } from "./settings/push.ts";
import { noTelemetry, readTelemetry, type TelemetrySettings, type TelemetryVariables } from "./settings/telemetry.ts";
import { readTenantSettings } from "./settings/tenant-variables.ts";
import { DIRECT_TRAIL, readTrail } from "./settings/trail.ts";
import { NO_UPSTREAMS, readUpstreams, type UpstreamVariables } from "./settings/upstream.ts";
import { NO_WEBHOOKS, readWebhooks, type WebhookSettings, type WebhookVariables } from "./settings/webhooks.ts";
import { type AuditKeys, parseAuditKeys } from "./stores/audit/audit-keys.ts";
import { type ApprovalIndex, approvalIndex } from "./stores/audit/d1-approvals.ts";
import { type AskAudit, databaseFor, readShard, trailShards } from "./stores/audit/shards/shards.ts";
import type { TrailEnv } from "./stores/audit/trail-of.ts";
import type { KeyMeter } from "./stores/objects/key-meter.ts";
import type { MetricsHub } from "./stores/objects/metrics-hub.ts";
import { guardClient, portsOver } from "./stores/objects/object-ports.ts";
import type { SemanticTrainer } from "./stores/objects/semantic-trainer.ts";
import type { TenantLedger } from "./stores/objects/tenant-ledger.ts";
import type { UserGuard } from "./stores/objects/user-guard.ts";
import { type Candidates, candidatePolicies } from "./stores/policies/candidates.ts";
import { type CompiledPolicies, compiledPolicies } from "./stores/policies/policy-cache.ts";
import { kvWithDeadline, policyDigest, policySource } from "./stores/policies/policy-source.ts";
import type { Assets } from "./stores/semantic/assets.ts";
import type { SemanticLayer } from "./stores/semantic/semantic-layer.ts";
import { guardStubs } from "./stores/tenant/guard-stubs.ts";
import { isolateMeter } from "./telemetry/metrics/isolate-meter.ts";
import { lazyTracing } from "./telemetry/traces/lazy-tracing.ts";
import type { Tracing } from "./telemetry/traces/tracing.ts";
import { trailHealth } from "./telemetry/trail-health.ts";
import { type SharedDeps, type Tenants, type TenantVariables, tenantsOf } from "./tenant-deps.ts";
import { type ToolDeps, type ToolVariables, toolsOf } from "./tool-deps.ts";
import { type KnownSessions, knownSessions } from "./turn/speculate/known-sessions.ts";
import { REPLY_PACE, type ReplyPace } from "./wire/reply-sink.ts";

/** What wrangler binds; `wrangler.toml` says what each is for. Settings of one subject are read in `settings/`. */
export interface Env
  extends TelemetryVariables,
    PushVariables,
    UpstreamVariables,
    EmbeddingVariables,
    WebhookVariables,
    ConsoleVariables,
    LimitVariables,
    PassHeadersVariables,
    TenantVariables,
    ToolVariables,
    TrailEnv {
  readonly USER_GUARD: DurableObjectNamespace<UserGuard>;
  readonly TENANT_LEDGER: DurableObjectNamespace<TenantLedger>;
  readonly KEY_METER: DurableObjectNamespace<KeyMeter>;
  readonly METRICS_HUB: DurableObjectNamespace<MetricsHub>;
  readonly SEMANTIC_TRAINER: DurableObjectNamespace<SemanticTrainer>;
  readonly KV: KVNamespace;
  /** What is loaded only where a policy needs it. Absent where a Worker is run without its assets. */
  readonly ASSETS?: Assets;
  /** Workers AI, where the deployment binds it. */
  readonly AI?: WorkersAi;
  /** Gets a data point a turn, where the deployment binds it. */
  readonly ANALYTICS?: AnalyticsEngineDataset;
  /** Signs audit records: `id:secret`, older keys behind commas. */
  readonly AUDIT_KEY?: string;
  readonly CLIENT_UPSTREAM_KEYS?: string;
  readonly JWT_ISSUERS?: string;
  readonly KEY_RATE_LIMIT?: string;
  /** The model that the layer `model` asks, at the upstream. */
  readonly DETECTOR_MODEL?: string;
  /** The model that makes plans, at the upstream. */
  readonly PLANNER_MODEL?: string;
  readonly CORS_ORIGINS?: string;
  /** Set by `npm start` alone: makes the development keys valid on loopback. */
  readonly TOOLGATE_DEV?: string;
  /** Made anew by each `npm start`: its listener sends it with all that it passes on. */
  readonly TOOLGATE_LISTENER_SECRET?: string;
}

export interface Deps extends ToolDeps {
  readonly keys: LookUpKey;
  readonly dev: boolean;
  /** Undefined where no listener stands before the Worker. */
  readonly listenerSecret: string | undefined;
  readonly policies: CompiledPolicies<CompiledPolicy, readonly PolicyIssue[]>;
  readonly candidates: Candidates<CompiledPolicy>;
  /** What is in force for every tenant without a policy of its own. */
  readonly embeddedPolicy: unknown;
  readonly guardOf: (owner: Owner) => UserGuardPort;
  readonly auditKeys: AuditKeys | undefined;
  readonly model: ModelPort;
  /** What this isolate's turns leave for the next ones. Undefined: each turn waits for the user's object. */
  readonly sessionCache: KnownSessions | undefined;
  readonly detector: DetectorPort;
  readonly semantic: SemanticLayer;
  readonly planner: Planner;
  readonly upstream: Upstreams;
  /** Names of clients' headers that go to the upstream beside those that always do. */
  readonly passHeaders: ReadonlySet<string>;
  /** How long a reply stays silent, and how long a client may leave it unread. */
  readonly replyPace: ReplyPace;
  readonly access: AccessSettings;
  readonly issuerKeys: IssuerKeys;
  readonly cors: CorsSettings;
  /** The console's files; absent where the Worker is run without its assets. */
  readonly assets: Assets | undefined;
  /** Undefined where people sign in to the console with keys and tokens alone. */
  readonly signIn: SignInProvider | undefined;
  readonly limits: Limits;
  readonly webhooks: WebhookSettings;
  /** Undefined: no browser is notified of what waits. */
  readonly push: PushSettings | undefined;
  readonly ledgerOf: (tenant: string) => TenantLedgerPort;
  /** Undefined where tenants have no settings of their own. */
  readonly tenants: Tenants | undefined;
  readonly meterOf: (meter: string) => DurableObjectStub<KeyMeter>;
  /** Reads the hot index, in the database that has the tenant's. */
  readonly audit: AskAudit;
  /** That database itself, where a read must see the last write. */
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
  /** Undefined where traces are off. Loads what it takes at the first call. */
  readonly tracing: (() => Promise<Tracing>) | undefined;
  readonly now: () => number;
  readonly observe: OfferObserver | undefined;
  /** What keeps the gateway from serving anything, for the operator's log and the client's 503. */
  readonly misconfigured: string | undefined;
}

/** Changes whenever the same document may compile to something else. */
const COMPILER_VERSION = "6";

/** Compiled policies and looked-up keys outlive a request: one cache an isolate, bound to its KV. */
const caches = new WeakMap<KVNamespace, Pick<Deps, "keys" | "policies" | "candidates">>();

/** What tests and policy cases replace. */
export interface DepsOptions {
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly fetch?: typeof fetch;
  readonly observe?: OfferObserver;
  readonly pace?: Partial<Pace & ReplyPace>;
}

/** @param shared where these are the deps of one tenant with settings of its own. */
export function createDeps(env: Env, options: DepsOptions = {}, shared?: SharedDeps): Deps {
  const { now = () => Date.now(), fetch: fetcher = (input, init) => fetch(input, init), observe, pace } = options;
  const problems: string[] = [];
  const settingOf = <T>(read: Result<T, readonly string[]>, fallback: T): T => {
    if (read.ok) return read.value;
    problems.push(...read.error);
    return fallback;
  };
  const auditKeys = parseAuditKeys(env.AUDIT_KEY ?? "");
  if (!auditKeys.ok) problems.push(`AUDIT_KEY: ${auditKeys.error}`);
  const { shards } = settingOf(readTrail(env), DIRECT_TRAIL);
  const telemetry = settingOf(readTelemetry(env), noTelemetry);
  const upstream: Upstreams = {
    ...settingOf(readUpstreams(env, env.AI !== undefined), NO_UPSTREAMS),
    ...(telemetry.metrics ? { noteAttempt: attemptCounter(shared?.ownUpstreams === true) } : {}),
    fetch: withWorkersAi(fetcher, env.AI),
    pace: { ...realPace, now, ...pace },
    health: newHealth(),
  };
  const access = settingOf(readAccess(env), NO_ACCESS);
  const cors = settingOf(readCors(env), NO_ORIGINS);
  const { oidc } = settingOf(readConsole(env), KEYS_ALONE);
  const embeddings = settingOf(readEmbeddings(env, env.AI !== undefined), undefined);
  const limits = settingOf(readLimits(env), DEFAULT_LIMITS);
  const passHeaders = settingOf(readPassHeaders(env), NO_HEADERS);
  setLogLevel(telemetry.logLevel);
  const webhooks = settingOf(readWebhooks(env), NO_WEBHOOKS);
  const push = settingOf(readPush(env), undefined);
  const cached = caches.get(env.KV) ?? cachesOf(env.KV);
  caches.set(env.KV, cached);
  const stubsOf = guardStubs(env, shared);
  const guardOf = (owner: Owner) => guardClient(stubsOf(owner));
  const ledgerOf = (tenant: string) => {
    const stub = env.TENANT_LEDGER.get(env.TENANT_LEDGER.idFromName(tenant));
    return portsOver<TenantLedgerPort>((...named) => stub.call(...named));
  };
  const metricsHub = () => env.METRICS_HUB.get(env.METRICS_HUB.idFromName("hub"));
  const pinsOf = (tenant: string) => ledgerOf(tenant).mcp;
  const tools = toolsOf(env, { fetch: fetcher, now, guardOf, pinsOf, background: waitUntil });
  problems.push(...tools.problems);
  const hasTenantSettings = settingOf(readTenantSettings(env), false);
  const audit: AskAudit = (tenant, ask) => readShard(() => trailShards(env), tenant, ask);
  const deps: Deps = {
    ...cached,
    dev: env.TOOLGATE_DEV === "1",
    listenerSecret: env.TOOLGATE_LISTENER_SECRET || undefined,
    embeddedPolicy: defaultPolicy,
    guardOf,
    auditKeys: auditKeys.ok ? auditKeys.value : undefined,
    model: upstreamModel(upstream),
    sessionCache: knownSessions(),
    planner: createPlanner(plannerModel(upstream, env.PLANNER_MODEL?.trim() || undefined), now),
    ...detectionOf(env, { embeddings, upstream, telemetry, fetcher, now, shared: shared?.semantic }),
    ...tools.deps,
    upstream,
    passHeaders,
    replyPace: { ...REPLY_PACE, ...pace },
    access,
    issuerKeys: shared?.issuerKeys ?? issuerKeys(fetcher),
    cors,
    assets: env.ASSETS,
    signIn: oidc && oidcProvider(oidc, fetcher),
    limits,
    webhooks,
    push,
    ledgerOf,
    tenants: undefined,
    meterOf: (meter) => env.KEY_METER.get(env.KEY_METER.idFromName(meter)),
    audit,
    shards,
    auditDatabase: (tenant) => databaseFor(trailShards(env), tenant),
    approvalIndex: approvalIndex(audit),
    telemetry,
    metricsHub,
    analytics: env.ANALYTICS,
    trailHealth: trailHealth(metricsHub, now),
    tracing: lazyTracing(telemetry, fetcher),
    now,
    observe,
    misconfigured: problems.length > 0 ? problems.join("; ") : undefined,
  };
  const keys = tools.deps.connectionKeys;
  if (!hasTenantSettings || shared || !keys) return deps;
  const create = (own: Env, of: SharedDeps) => createDeps(own, options, of);
  return { ...deps, tenants: tenantsOf({ env, kv: env.KV, keys, ledgerOf, gateway: deps, create }) };
}

/** @param isTenants of upstreams in tenants' own settings, which share a label: there may be many. */
const attemptCounter =
  (isTenants: boolean): NonNullable<Upstreams["noteAttempt"]> =>
  (upstream, outcome) =>
    isolateMeter().count("toolgate_upstream_attempts", { upstream: isTenants ? "tenant" : String(upstream), outcome });

function cachesOf(namespace: KVNamespace): Pick<Deps, "keys" | "policies" | "candidates"> {
  const kv = kvWithDeadline(namespace);
  const fallback = { document: defaultPolicy, digest: policyDigest(defaultPolicy) };
  const source = policySource(kv, fallback);
  const compiling = { compile, compilerVersion: COMPILER_VERSION, bytesOf: policyBytes };
  const policies = compiledPolicies({ source, ...compiling });
  return { keys: keyLookUp(kv), policies, candidates: candidatePolicies({ kv, ...compiling }) };
}

/** For turns, whose clients nobody warns: warnings are for those who write policies. */
function compile(input: unknown): Result<CompiledPolicy, readonly PolicyIssue[]> {
  const document = readPolicyDocument(input);
  return document.ok ? compilePolicy(document.value, policyDigest(input)) : document;
}
