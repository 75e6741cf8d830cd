/** Toolgate with the study agent's policy, its tools at the bench's own study service. */
import type { Agent } from "node:http";
import { createKey } from "../../../src/auth/kv-keys.ts";
import { startMiniflare } from "../../../src/cli/local/miniflare.ts";
import type { KvPort } from "../../../src/ports/kv-port.ts";
import { putPolicy } from "../../../src/stores/policies/policy-source.ts";
import { bundleWorker } from "../run/miniflare.ts";
import { complete, type Said } from "./chat.ts";
import type { StudyTool } from "./judge-call.ts";
import { users } from "./requests.ts";
import type { ModelMessage } from "./scripted-model.ts";
import { TOOL_TOKEN, UPSTREAM_KEY } from "./secrets.ts";

export interface StudyPolicy {
  readonly tools: Readonly<Record<string, StudyTool>>;
  readonly intents: Readonly<Record<string, { readonly execution?: { readonly strategy?: string } }>>;
  readonly execution: object;
}

export interface Upstreams {
  /** Origins. */
  readonly provider: string;
  readonly service: string;
}

export interface Tenant {
  readonly name: string;
  ask(agent: Agent, user: string, session: string, messages: readonly ModelMessage[]): Promise<Said>;
  /** An operator's look: the answer's JSON. */
  read(path: string): Promise<unknown>;
}

export interface StudyGateway {
  tenant(name: string, policy: StudyPolicy): Promise<Tenant>;
  /** With a key that acts for as many users as it names. */
  service(name: string, policy: StudyPolicy): Promise<Tenant>;
  stop(): Promise<void>;
}

export async function startStudyGateway({ provider, service }: Upstreams): Promise<StudyGateway> {
  const { code } = await bundleWorker("toolgate");
  const bindings = {
    TOOLGATE_DEV: "1",
    AUDIT_KEY: `bench:${"5e".repeat(32)}`,
    UPSTREAM_BASE_URL: `${provider}/v1`,
    UPSTREAM_API_KEY: UPSTREAM_KEY,
    TOOL_SECRETS: JSON.stringify({ STUDY_TOKEN: { tenants: ["*"], hosts: [new URL(service).host] } }),
    SECRET_STUDY_TOKEN: TOOL_TOKEN,
  };
  const { mf, origin } = await startMiniflare({ name: "toolgate", code, bindings, stores: true });
  const kv: KvPort = await mf.getKVNamespace("KV");
  return {
    tenant: (name, policy) => openTenant(kv, origin, name, atService(policy, service), false),
    service: (name, policy) => openTenant(kv, origin, name, atService(policy, service), true),
    stop: () => mf.dispose(),
  };
}

/** The policy as it ships, but for where its tools are. */
function atService(policy: StudyPolicy, service: string): StudyPolicy {
  const at = ({ run, ...tool }: StudyTool): StudyTool => {
    const url = run.url.replace(new URL(run.url).origin, service);
    return {
      ...tool,
      run: { ...run, url, allowHosts: [new URL(service).host], allowPrivate: true } as StudyTool["run"],
    };
  };
  return { ...policy, tools: Object.fromEntries(Object.entries(policy.tools).map(([name, tool]) => [name, at(tool)])) };
}

async function openTenant(
  kv: KvPort,
  origin: string,
  tenant: string,
  policy: StudyPolicy,
  actsFor: boolean,
): Promise<Tenant> {
  await putPolicy(kv, tenant, policy, Date.now());
  const keyOf = async (user: string, role: string, besides: object = {}) =>
    (await createKey(kv, { tenant, user, role, connections: [], rateLimit: null, ...besides }, Date.now())).token;
  const keys = new Map<string, string>();
  for (const { name, role } of users) keys.set(name, await keyOf(name, role));
  const anybody = actsFor ? await keyOf("backend", "user", { actsFor }) : undefined;
  const operator = await keyOf("operator", "admin");
  return {
    name: tenant,
    ask(agent, user, session, messages) {
      const headers = { authorization: `Bearer ${keys.get(user) ?? anybody}`, "x-toolgate-session": session };
      return complete(agent, { url: origin, headers }, user, { messages });
    },
    async read(path) {
      const response = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${operator}` } });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${(await response.text()).slice(0, 300)}`);
      return response.json();
    },
  };
}
