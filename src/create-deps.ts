/** The only place that picks adapters: bindings and settings in, ports out. */
import { waitUntil } from "cloudflare:workers";
import defaultPolicy from "../policies/default.json" with { type: "json" };
import { issuerKeys } from "./auth/issuer-keys.ts";
import { keyLookUp } from "./auth/kv-keys.ts";
import { oidcProvider } from "./auth/oidc-provider.ts";
import type { Deps, Env, Tenants } from "./deps.ts";
import { createDetector } from "./intent/detect.ts";
import { modelLayer } from "./intent/model-layer.ts";
import type { TrainingSet } from "./intent/training-set.ts";
import type { KeyRing } from "./lib/key-ring.ts";
import { setLogLevel } from "./lib/log.ts";
import type { Result } from "./lib/result.ts";
import { detectorModel } from "./model/gateway-model.ts";
import { plannerModel } from "./model/planner-model.ts";
import { embedderOf } from "./model/sdk/embedder.ts";
import { upstreamModel } from "./model/upstream/upstream-model.ts";
import { type Clock, newHealth, realClock, type Upstreams } from "./model/upstream/upstreams.ts";
import { withWorkersAi } from "./model/upstream/workers-ai.ts";
import { createPlanner } from "./plan/planner.ts";
import { type CompiledPolicy, compilePolicy } from "./policy/compile.ts";
import { type PolicyIssue, readPolicyDocument } from "./policy/document/document.ts";
import { policyBytes } from "./policy/document/policy-bytes.ts";
import type { TenantLedgerPort } from "./ports/tenant-ledger-port.ts";
import type { OfferObserver } from "./ports/turns/turn-observer.ts";
import type { Owner } from "./session/principal.ts";
import { NO_ACCESS, readAccess } from "./settings/access.ts";
import { KEYS_ALONE, readConsole } from "./settings/console.ts";
import { NO_ORIGINS, readCors } from "./settings/cors.ts";
import { type EmbeddingSettings, readEmbeddings } from "./settings/embeddings.ts";
import { DEFAULT_LIMITS, readLimits } from "./settings/limits.ts";
import { NO_HEADERS, readPassHeaders } from "./settings/pass-headers.ts";
import { readPush } from "./settings/push.ts";
import { noTelemetry, readTelemetry, type TelemetrySettings } from "./settings/telemetry.ts";
import { layTenantOver, readTenantSettings } from "./settings/tenant-variables.ts";
import { DIRECT_TRAIL, readTrail } from "./settings/trail.ts";
import { NO_UPSTREAMS, readUpstreams } from "./settings/upstream.ts";
import { NO_WEBHOOKS, readWebhooks } from "./settings/webhooks.ts";
import { parseAuditKeys } from "./stores/audit/audit-keys.ts";
import { approvalIndex } from "./stores/audit/d1-approvals.ts";
import { type AskAudit, databaseFor, readShard, trailShards } from "./stores/audit/shards/shards.ts";
import { guardClient } from "./stores/objects/guard-client.ts";
import { portsOver } from "./stores/objects/object-ports.ts";
import { candidatePolicies } from "./stores/policies/candidates.ts";
import { compiledPolicies } from "./stores/policies/policy-cache.ts";
import { kvWithDeadline, policyDigest, policySource } from "./stores/policies/policy-source.ts";
import { builtinSource } from "./stores/semantic/builtin-source.ts";
import { embeddingSource } from "./stores/semantic/embedding-source.ts";
import { noEmbeddings, type SemanticLayer, semanticLayer } from "./stores/semantic/semantic-layer.ts";
import { guardStubs } from "./stores/tenant/guard-stubs.ts";
import { DIRECTORY } from "./stores/tenant/tenant-keys.ts";
import { tenantSettings } from "./stores/tenant/tenant-settings.ts";
import { isolateMeter } from "./telemetry/metrics/isolate-meter.ts";
import { missedLayers } from "./telemetry/missed-layers.ts";
import { lazyTracing } from "./telemetry/traces/lazy-tracing.ts";
import { trailHealth } from "./telemetry/trail-health.ts";
import { toolsOf } from "./tool-deps.ts";
import { newSessionCache } from "./turn/speculate/session-cache.ts";
import { REPLY_TIMEOUTS, type ReplyTimeouts } from "./wire/reply-sink.ts";

/** Changes whenever the same document may compile to something else. */
const COMPILER_VERSION = "6";

/** Compiled policies and looked-up keys outlive a request: one cache an isolate, bound to its KV. */
const caches = new WeakMap<KVNamespace, Pick<Deps, "keys" | "policies" | "candidates">>();

/** Parts that tests and policy cases replace. */
export interface DepsOptions {
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly fetch?: typeof fetch;
  readonly observe?: OfferObserver;
  readonly pace?: Partial<Clock & ReplyTimeouts>;
}

/** Parts that the gateway of a tenant shares with the one for all tenants: they take memory, and are the same for both. */
interface SharedDeps {
  readonly tenant: string;
  readonly jurisdiction: DurableObjectJurisdiction | undefined;
  readonly issuerKeys: Deps["issuerKeys"];
  /** Undefined if the tenant has sentence vectors of its own. */
  readonly semantic: Deps["semantic"] | undefined;
  /** Whether it has upstreams of its own. */
  readonly ownUpstreams: boolean;
}

/** @param shared if these are the deps of one tenant with settings of its own. */
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
    clock: { ...realClock, now, ...pace },
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
    sessionCache: newSessionCache(),
    planner: createPlanner(plannerModel(upstream, env.PLANNER_MODEL?.trim() || undefined), now),
    ...detectionOf(env, { embeddings, upstream, telemetry, fetcher, now, shared: shared?.semantic }),
    ...tools.deps,
    upstream,
    passHeaders,
    replyTimeouts: { ...REPLY_TIMEOUTS, ...pace },
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
  return { ...deps, tenants: tenantsOf(env, deps, keys, options) };
}

/** @param isTenants whether the upstreams are a tenant's own. These share a label, because there may be many. */
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

/** Compiles for turns: warnings are left out, because they are for authors of policies. */
function compile(input: unknown): Result<CompiledPolicy, readonly PolicyIssue[]> {
  const document = readPolicyDocument(input);
  return document.ok ? compilePolicy(document.value, policyDigest(input)) : document;
}

interface DetectionParts {
  readonly embeddings: EmbeddingSettings | undefined;
  readonly upstream: Upstreams;
  readonly telemetry: TelemetrySettings;
  readonly fetcher: typeof fetch;
  readonly now: () => number;
  readonly shared: SemanticLayer | undefined;
}

/** The detection of intents. @param shared if this is the gateway of one tenant: the layer that all tenants share. */
function detectionOf(
  env: Env,
  { embeddings, upstream, telemetry, fetcher, now, shared }: DetectionParts,
): Pick<Deps, "detector" | "semantic"> {
  const { KV: kv, ASSETS: assets, SEMANTIC_TRAINER: trainers } = env;
  const common = { kv, now, background: waitUntil };
  const trainerOf = ({ digest }: TrainingSet) => trainers.get(trainers.idFromName(digest));
  const embedder = embeddings && embedderOf(embeddings, env.AI, fetcher);
  const semantic =
    shared ??
    semanticLayer({
      builtin: builtinSource({ ...common, assets, trainerOf }),
      embeddings: embedder ? embeddingSource({ ...common, embedder }) : noEmbeddings,
    });
  const model = modelLayer(detectorModel(upstream, env.DETECTOR_MODEL?.trim() || undefined));
  return {
    semantic,
    detector: createDetector({ slow: { semantic: semantic.ask, model }, onMissed: missedLayers(telemetry, now) }),
  };
}

/** The gateway as it is for tenants with settings of their own. */
function tenantsOf(env: Env, gateway: Deps, keys: KeyRing, options: DepsOptions): Tenants {
  const tenants: Tenants = {
    settings: tenantSettings(kvWithDeadline(env.KV), keys),
    directory: () => gateway.ledgerOf(DIRECTORY).tenants,
    keys,
    gateway: env,
    depsFor: (tenant, { variables, jurisdiction }) => {
      const has = (prefix: string) => Object.keys(variables).some((name) => name.startsWith(prefix));
      const semantic = has("EMBEDDINGS_") ? undefined : gateway.semantic;
      const ownUpstreams = has("UPSTREAM_");
      const shared = { tenant, jurisdiction, issuerKeys: gateway.issuerKeys, semantic, ownUpstreams };
      // An operator's tenant may have settings of its own, too.
      return { ...createDeps(layTenantOver(env, tenant, variables), options, shared), tenants };
    },
  };
  return tenants;
}
