/** The gateway that runs policy cases: one workerd for all files, a fresh tenant for each policy, a fresh user for each case. */

import { createKey } from "../../../auth/kv-keys.ts";
import { err, ok, type Result } from "../../../lib/result.ts";
import type { KvPort } from "../../../ports/kv-port.ts";
import { putPolicy } from "../../../stores/policies/policy-source.ts";
import type { BytesKv } from "../../../stores/semantic/compiled-models.ts";
import { bundle } from "../../bundle-worker.ts";
import { startMiniflare } from "../../miniflare.ts";
import { trainedModel } from "../../trained-model.ts";
import type { PolicyOnDisk } from "../files.ts";
import { linkedTokens, secretBindings } from "./case-secrets.ts";
import { type ScriptedElsewhere, startScriptedElsewhere } from "./scripted-hosts.ts";
import { CASE_HEADER, type ScriptedModel, startScriptedModel } from "./scripted-model.ts";

export interface CasePrincipal {
  readonly role: string;
  readonly connections: readonly string[];
  readonly anonymous: boolean;
}

export interface CaseUser {
  /** Unique in this run: names the user, the session and the model's script. */
  readonly id: string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  advance(ms: number): Promise<void>;
  /** The turn's records, or undefined where its own did not arrive in time: then not all of its decisions may have. */
  audit(turn: string): Promise<TurnTrail | undefined>;
  /** What was withheld, step by step. */
  offers(turn: string): Promise<readonly { readonly withheld: Readonly<Record<string, readonly string[]>> }[]>;
}

/** A record of the audit trail, as `GET /v1/audit` tells it. */
export type AuditRow = Readonly<Record<string, unknown>>;

export interface TurnTrail {
  readonly turn: AuditRow;
  readonly decisions: readonly AuditRow[];
  /** Of managed calls, in the order of their decisions. */
  readonly runs: readonly AuditRow[];
  /** What became of the approvals that the turn asked for. */
  readonly approvals: readonly AuditRow[];
}

export interface CaseTenant {
  readonly policy: PolicyOnDisk;
  user(principal: CasePrincipal): Promise<CaseUser>;
}

export interface CaseGateway {
  readonly model: ScriptedModel;
  /** All hosts but the model's. */
  readonly elsewhere: ScriptedElsewhere;
  tenant(policy: PolicyOnDisk): Promise<CaseTenant>;
  stop(): Promise<void>;
}

/** Longer than the object takes to gather and deliver, even on a busy machine. */
const AUDIT_DEADLINE_MS = 15_000;
const POLL_MS = 20;
/** Waiting for the audit trail must not use up the requests that a key may make. */
const ANY_RATE = { max: 1_000_000, windowMs: 60_000 };

/** @param policies whose secrets it is to have. */
export async function startCaseGateway(policies: readonly PolicyOnDisk[]): Promise<Result<CaseGateway, string>> {
  const [model, elsewhere] = await Promise.all([startScriptedModel(), startScriptedElsewhere()]);
  const stopServers = async () => void (await Promise.all([model.stop(), elsewhere.stop()]));
  try {
    const { code } = await bundle("cases", "src/cases/worker.ts");
    const bindings = {
      AUDIT_KEY: `cases:${"5e".repeat(32)}`,
      UPSTREAM_BASE_URL: model.url,
      UPSTREAM_PASS_HEADERS: CASE_HEADER,
      UPSTREAM_API_KEY: "sk-scripted",
      CASES_URL: elsewhere.url,
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
      elsewhere,
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
  const { input, compiled } = policy;
  const model = trainedModel(compiled);
  if (model) await kv.put(model.key, model.value.buffer);
  await putPolicy(kv, tenant, input, Date.now());
  const bearer = async (user: string, { role, connections, anonymous }: CasePrincipal) => {
    const owner = { tenant, user, role, connections: [...connections], anonymous, rateLimit: ANY_RATE };
    return asBearer(origin, (await createKey(kv, owner, Date.now())).token, user);
  };
  const operator = await bearer("operator", { role: "admin", connections: [], anonymous: false });
  let users = 0;
  return {
    policy,
    async user(principal) {
      const id = `${tenant}-${++users}`;
      if (!principal.anonymous) await link(operator, id, linkedTokens(policy, principal.connections));
      const ofCase = async (what: string, more: Record<string, string> = {}) => {
        const asked = new URLSearchParams({ ...more, tenant, user: id });
        const response = await fetch(`${origin}/.cases/${what}?${asked}`, { method: "POST" });
        await response.arrayBuffer();
      };
      return {
        id,
        fetch: await bearer(id, principal),
        async advance(ms) {
          await ofCase("advance", { ms: String(ms) });
        },
        audit: (turn) => awaitTrail(operator, () => ofCase("deliver"), turn),
        async offers(turn) {
          return (await fetch(`${origin}/.cases/offers?turn=${turn}`)).json() as ReturnType<CaseUser["offers"]>;
        },
      };
    },
  };
}

async function link(operator: CaseUser["fetch"], user: string, connections: readonly object[]): Promise<void> {
  if (connections.length === 0) return;
  const body = JSON.stringify({ connections });
  const response = await operator(`/v1/users/${user}/connections`, { method: "PUT", body });
  if (!response.ok) throw new Error(`what the user has linked is not taken: ${await response.text()}`);
}

/** @param deliver has what the user's object holds delivered: of a turn that is not closed yet it holds only a part. */
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
    const trail = (response.ok ? JSON.parse(text) : {}) as Partial<TrailTold>;
    if (trail.turn) return trailOf(trail.turn, trail as TrailTold);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return undefined;
}

interface TrailTold {
  readonly turn: AuditRow | null;
  readonly decisions: readonly (AuditRow & { readonly run: AuditRow | null })[];
  readonly approvals: readonly AuditRow[];
}

/** A run ends when it ends: in the order of their decisions runs are told alike each time. */
const trailOf = (turn: AuditRow, { decisions, approvals }: TrailTold): TurnTrail => ({
  turn,
  decisions: decisions.map(({ run: _, ...decision }) => decision),
  runs: decisions.flatMap(({ run }) => (run ? [run] : [])),
  approvals,
});

/** @param user names the case, for what the request has tools send. */
const asBearer =
  (origin: string, token: string, user: string) =>
  (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { ...init.headers, authorization: `Bearer ${token}`, [CASE_HEADER]: user };
    return fetch(`${origin}${path}`, { ...init, headers });
  };
