/** The gateway that runs policy cases: one workerd for all files, a fresh tenant for each policy, a fresh user for each case. */
import { err, ok, type Result } from "../../lib/result.ts";
import { createKey } from "../../stores/kv-keys.ts";
import { putPolicy } from "../../stores/kv-policies.ts";
import type { KvPort } from "../../stores/kv-port.ts";
import type { BytesKv } from "../../stores/semantic/model-store.ts";
import { bundle } from "../bundle-worker.ts";
import { startMiniflare } from "../miniflare.ts";
import { trainedModel } from "../trained-model.ts";
import { linkedTokens, secretBindings } from "./case-secrets.ts";
import type { PolicyOnDisk } from "./files.ts";
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
const POLL_MS = 60;

/** @param policies whose secrets it is to have. */
export async function startCaseGateway(policies: readonly PolicyOnDisk[]): Promise<Result<CaseGateway, string>> {
  const [model, elsewhere] = await Promise.all([startScriptedModel(), startScriptedElsewhere()]);
  const stopServers = async () => void (await Promise.all([model.stop(), elsewhere.stop()]));
  try {
    const { code } = await bundle("cases", "src/cases/worker.ts", [observeOffers]);
    const bindings = {
      AUDIT_KEY: `cases:${"5e".repeat(32)}`,
      UPSTREAM_BASE_URL: model.url,
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

/** Puts the observed offer in the place of the turn's own, in this bundle alone. */
const observeOffers = {
  name: "observe-offers",
  setup(build: Parameters<NonNullable<Parameters<typeof bundle>[2]>[number]["setup"]>[0]) {
    build.onResolve({ filter: /\/offer-step\.ts$/ }, ({ importer, resolveDir }) =>
      importer.endsWith("/turn/model-step.ts") ? { path: `${resolveDir}/../cases/observed-offer-step.ts` } : undefined,
    );
  },
};

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
    const owner = { tenant, user, role, connections: [...connections], anonymous };
    return asBearer(origin, (await createKey(kv, owner, Date.now())).token, user);
  };
  let users = 0;
  return {
    policy,
    async user(principal) {
      const id = `${tenant}-${++users}`;
      // One for each user: waiting for the audit trail must not use up the requests that a key may make.
      const operator = await bearer("operator", { role: "admin", connections: [], anonymous: false });
      if (!principal.anonymous) await link(operator, id, linkedTokens(policy, principal.connections));
      return {
        id,
        fetch: await bearer(id, principal),
        async advance(ms) {
          await fetch(`${origin}/.cases/advance?${new URLSearchParams({ ms: String(ms), tenant, user: id })}`);
        },
        audit: (turn) => awaitTrail(operator, turn),
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

async function awaitTrail(operator: CaseUser["fetch"], turn: string): Promise<TurnTrail | undefined> {
  const deadline = Date.now() + AUDIT_DEADLINE_MS;
  while (Date.now() < deadline) {
    const [row] = await listOf(await operator(`/v1/audit/turns?turn=${turn}`));
    if (row) {
      // Decisions are written before their turn's own record, and delivered with it or before it.
      const of = async (kind: string) => listOf(await operator(`/v1/audit/${kind}?turn=${turn}&limit=100`));
      const [found, approvals, runs] = await Promise.all([of("decisions"), of("approvals"), of("runs")]);
      const decisions = inOrder(found);
      // A run ends when it ends: in the order of their decisions runs are told alike each time.
      const place = (run: AuditRow) => decisions.findIndex(({ id }) => id === run.decision);
      const ordered = inOrder(runs).toSorted((a, b) => place(a) - place(b));
      return { turn: row, decisions, runs: ordered, approvals: inOrder(approvals) };
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return undefined;
}

const inOrder = (rows: readonly AuditRow[]) => rows.toSorted((a, b) => Number(a.seq) - Number(b.seq));

/** @param user names the case, for what the request has tools send. */
const asBearer =
  (origin: string, token: string, user: string) =>
  (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { ...init.headers, authorization: `Bearer ${token}`, [CASE_HEADER]: user };
    return fetch(`${origin}${path}`, { ...init, headers });
  };

async function listOf(response: Response): Promise<readonly AuditRow[]> {
  const text = await response.text();
  if (!response.ok) throw new Error(`the audit trail cannot be read: ${response.status} ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { data: AuditRow[] }).data;
}
