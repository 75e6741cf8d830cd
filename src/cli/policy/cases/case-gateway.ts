/** The gateway that runs policy cases: one workerd for all files, a fresh tenant for each policy, a fresh user for each case. */

import { createKey } from "../../../auth/kv-keys.ts";
import { wait } from "../../../lib/deadline.ts";
import { err, ok, type Result } from "../../../lib/result.ts";
import { reachedBy } from "../../../policy/compare/hosts.ts";
import type { KvPort } from "../../../ports/kv-port.ts";
import { putPolicy } from "../../../stores/policies/policy-source.ts";
import type { BytesKv } from "../../../stores/semantic/compiled-models.ts";
import { bundle } from "../../build/worker.ts";
import { startMiniflare } from "../../local/miniflare.ts";
import { trainedModel } from "../../models/trained-model.ts";
import type { PolicyOnDisk } from "../../policy-file.ts";
import { type ScriptedHostServer, startScriptedHosts } from "./scripted-hosts.ts";
import { CASE_HEADER, type ScriptedModel, startScriptedModel } from "./scripted-model.ts";

interface CasePrincipal {
  readonly role: string;
  readonly connections: readonly string[];
  readonly anonymous: boolean;
}

export interface CaseUser {
  /** Unique in this run: names the user, the session and the model's script. */
  readonly id: string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  advance(ms: number): Promise<void>;
  /** The turn's records; undefined if its own did not arrive in time: then some of its decisions may be missing, too. */
  audit(turn: string): Promise<TurnTrail | undefined>;
  /** The withheld tools, step by step. */
  offers(turn: string): Promise<readonly { readonly withheld: Readonly<Record<string, readonly string[]>> }[]>;
}

/** A record of the audit trail, as `GET /v1/audit` returns it. */
export type AuditRow = Readonly<Record<string, unknown>>;

export interface TurnTrail {
  readonly turn: AuditRow;
  readonly decisions: readonly AuditRow[];
  /** Runs of managed calls, in the order of their decisions. */
  readonly runs: readonly AuditRow[];
  /** The outcome of the approvals that the turn requested. */
  readonly approvals: readonly AuditRow[];
}

export interface CaseTenant {
  readonly policy: PolicyOnDisk;
  user(principal: CasePrincipal): Promise<CaseUser>;
}

export interface CaseGateway {
  readonly model: ScriptedModel;
  /** All hosts but the model's. */
  readonly hosts: ScriptedHostServer;
  tenant(policy: PolicyOnDisk): Promise<CaseTenant>;
  stop(): Promise<void>;
}

/** Longer than the object takes to gather and deliver, even on a busy machine. */
const AUDIT_DEADLINE_MS = 15_000;
const POLL_MS = 20;
/** Waiting for the audit trail must not use up the requests that a key may make. */
const ANY_RATE = { max: 1_000_000, windowMs: 60_000 };

/** @param policies the gateway gets the secrets that they name. */
export async function startCaseGateway(policies: readonly PolicyOnDisk[]): Promise<Result<CaseGateway, string>> {
  const [model, hosts] = await Promise.all([startScriptedModel(), startScriptedHosts()]);
  const stopServers = async () => void (await Promise.all([model.stop(), hosts.stop()]));
  try {
    const { code } = await bundle("cases", "src/cases/worker.ts");
    const bindings = {
      AUDIT_KEY: `cases:${"5e".repeat(32)}`,
      UPSTREAM_BASE_URL: model.url,
      UPSTREAM_PASS_HEADERS: CASE_HEADER,
      UPSTREAM_API_KEY: "sk-scripted",
      CASES_URL: hosts.url,
      // Scripted hosts are in no DNS.
      TOOL_DNS: "off",
      CONNECTION_KEY: `cases:${"7c".repeat(32)}`,
      ...secretBindings(policies),
    };
    const { mf, origin } = await startMiniflare({ name: "toolgate", code, bindings, stores: true });
    const kv: KvPort & BytesKv = await mf.getKVNamespace("KV");
    let tenants = 0;
    return ok({
      model,
      hosts,
      tenant: (policy) => openTenant(kv, origin, `tenant-${++tenants}`, policy),
      async stop() {
        await mf.dispose();
        await stopServers();
      },
    });
  } catch (error) {
    await stopServers();
    return err(`the gateway does not start: ${error instanceof Error ? error.message : error}`);
  }
}

async function openTenant(
  kv: KvPort & BytesKv,
  origin: string,
  tenant: string,
  policy: PolicyOnDisk,
): Promise<CaseTenant> {
  const model = await trainedModel(policy.compiled);
  if (model) await kv.put(model.key, model.value.buffer);
  await putPolicy(kv, tenant, policy.input, Date.now());
  /** Requests with a key of the user's own; they name the case, for the requests that its tools send. */
  const fetchAs = async (user: string, { role, connections, anonymous }: CasePrincipal): Promise<CaseUser["fetch"]> => {
    const owner = { tenant, user, role, connections: [...connections], anonymous, rateLimit: ANY_RATE };
    const { token } = await createKey(kv, owner, Date.now());
    const identity = { authorization: `Bearer ${token}`, [CASE_HEADER]: user };
    return (path, init = {}) => fetch(`${origin}${path}`, { ...init, headers: { ...init.headers, ...identity } });
  };
  const operator = await fetchAs("operator", { role: "admin", connections: [], anonymous: false });
  let users = 0;
  return {
    policy,
    async user(principal) {
      const id = `${tenant}-${++users}`;
      if (!principal.anonymous) await link(operator, id, linkedTokens(policy, principal.connections));
      const control = async (action: string, parameters: Record<string, string> = {}) => {
        const query = new URLSearchParams({ ...parameters, tenant, user: id });
        const response = await fetch(`${origin}/.cases/${action}?${query}`, { method: "POST" });
        return response.json();
      };
      return {
        id,
        fetch: await fetchAs(id, principal),
        advance: async (ms) => void (await control("advance", { ms: String(ms) })),
        audit: (turn) => awaitTrail(operator, () => control("deliver"), turn),
        offers: async (turn) => (await control("offers", { turn })) as Awaited<ReturnType<CaseUser["offers"]>>,
      };
    },
  };
}

async function link(operator: CaseUser["fetch"], user: string, connections: readonly object[]): Promise<void> {
  if (connections.length === 0) return;
  const body = JSON.stringify({ connections });
  const response = await operator(`/v1/users/${user}/connections`, { method: "PUT", body });
  if (!response.ok) throw new Error(`the user's connections are refused: ${await response.text()}`);
}

interface TrailReply {
  readonly turn: AuditRow | null;
  readonly decisions: readonly (AuditRow & { readonly run: AuditRow | null })[];
  readonly approvals: readonly AuditRow[];
}

/** @param deliver makes the user's object deliver its records; those of a turn that is not closed yet are incomplete. */
async function awaitTrail(
  operator: CaseUser["fetch"],
  deliver: () => Promise<unknown>,
  turn: string,
): Promise<TurnTrail | undefined> {
  const deadline = Date.now() + AUDIT_DEADLINE_MS;
  while (Date.now() < deadline) {
    await deliver();
    const response = await operator(`/v1/audit/turns/${turn}`);
    const text = await response.text();
    if (!response.ok && response.status !== 404)
      throw new Error(`the audit trail cannot be read: ${response.status} ${text.slice(0, 300)}`);
    const trail = response.ok ? (JSON.parse(text) as TrailReply) : undefined;
    if (trail?.turn) {
      return {
        turn: trail.turn,
        decisions: trail.decisions.map(({ run: _, ...decision }) => decision),
        // By their decisions: the order in which runs end differs from time to time.
        runs: trail.decisions.flatMap(({ run }) => (run ? [run] : [])),
        approvals: trail.approvals,
      };
    }
    await wait(POLL_MS);
  }
  return undefined;
}

/** The secret or token as a case's scripted host sees it. */
const secretValue = (name: string): string => `case-${name}`;

/** Variables of the gateway. */
function secretBindings(policies: readonly PolicyOnDisk[]): Readonly<Record<string, string>> {
  const hosts = hostsBy(policies, "secret ");
  if (hosts.size === 0) return {};
  const bound = [...hosts].map(([name, sent]) => [name, { tenants: ["*"], hosts: [...sent] }]);
  return {
    TOOL_SECRETS: JSON.stringify(Object.fromEntries(bound)),
    ...Object.fromEntries([...hosts.keys()].map((name) => [`SECRET_${name}`, secretValue(name)])),
  };
}

/** The connections that a user needs so that the policy's tools can send tokens, in the form of the API. */
const linkedTokens = (policy: PolicyOnDisk, providers: readonly string[]) =>
  [...hostsBy([policy], "token of ")]
    .filter(([provider]) => providers.includes(provider))
    .map(([provider, hosts]) => ({ provider, token: secretValue(provider), hosts: [...hosts] }));

function hostsBy(policies: readonly PolicyOnDisk[], kind: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { document, compiled: policy } of policies) {
    for (const [host, what] of reachedBy({ document, policy })) {
      for (const one of what) {
        if (!one.startsWith(kind)) continue;
        const name = one.slice(kind.length);
        found.set(name, (found.get(name) ?? new Set()).add(host));
      }
    }
  }
  return found;
}
