/** The only place that picks adapters: bindings and settings in, ports out. */
import { waitUntil } from "cloudflare:workers";
import defaultPolicy from "../policies/default.json" with { type: "json" };
import { issuerKeys } from "./auth/issuer-keys.ts";
import { keyLookUp } from "./auth/kv-keys.ts";
import { oidcProvider } from "./auth/oidc-provider.ts";
import type { Deps, Env } from "./deps.ts";
import { detectionOf } from "./detection-deps.ts";
import { setLogLevel } from "./lib/log.ts";
import type { Result } from "./lib/result.ts";
import { plannerModel } from "./model/planner-model.ts";
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
import { readEmbeddings } from "./settings/embeddings.ts";
import { DEFAULT_LIMITS, readLimits } from "./settings/limits.ts";
import { NO_HEADERS, readPassHeaders } from "./settings/pass-headers.ts";
import { readPush } from "./settings/push.ts";
import { noTelemetry, readTelemetry } from "./settings/telemetry.ts";
import { readTenantSettings } from "./settings/tenant-variables.ts";
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
import { guardStubs } from "./stores/tenant/guard-stubs.ts";
import { isolateMeter } from "./telemetry/metrics/isolate-meter.ts";
import { lazyTracing } from "./telemetry/traces/lazy-tracing.ts";
import { trailHealth } from "./telemetry/trail-health.ts";
import { type SharedDeps, tenantsOf } from "./tenant-deps.ts";
import { toolsOf } from "./tool-deps.ts";
import { newSessionCache } from "./turn/speculate/session-cache.ts";
import { REPLY_TIMEOUTS, type ReplyTimeouts } from "./wire/reply-sink.ts";

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
  readonly pace?: Partial<Clock & ReplyTimeouts>;
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
