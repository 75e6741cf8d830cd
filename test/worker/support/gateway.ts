/**
 * The gateway in workerd with real KV, D1 and Durable Objects; only the upstream is scripted. Each gateway has a tenant
 * of its own policy and a fresh user, so that tests share no state.
 */
import { createExecutionContext, env, runInDurableObject, waitOnExecutionContext } from "cloudflare:test";
import { createApp } from "../../../src/app.ts";
import { createKey } from "../../../src/auth/kv-keys.ts";
import { createDeps, type DepsOptions } from "../../../src/create-deps.ts";
import type { Env } from "../../../src/deps.ts";
import { lengthPrefixed } from "../../../src/lib/digest.ts";
import type { DetectorPort } from "../../../src/ports/detector-port.ts";
import type { UserGuardApis } from "../../../src/stores/guard/guard-apis.ts";
import type { UserGuard } from "../../../src/stores/objects/user-guard.ts";
import { putPolicy } from "../../../src/stores/policies/policy-source.ts";
import { portsOf } from "./object-ports.ts";

export type Upstream = (body: Record<string, unknown>, request: Request) => Response | Promise<Response>;

export interface GatewayOptions {
  /** Answers the gateway's requests, in order of the calls where it is a list (the last one repeats). */
  readonly upstream?: Upstream | readonly Upstream[];
  readonly policy?: unknown;
  readonly role?: string;
  readonly connections?: readonly string[];
  /** Variables of the gateway. Unless they say otherwise no upstream is asked twice, and no name of a tool's host is resolved. */
  readonly variables?: Partial<Env> | ((tenant: string) => Partial<Env>);
  /** Times that would be too long for a test. */
  readonly pace?: DepsOptions["pace"];
  readonly now?: DepsOptions["now"];
  readonly observe?: DepsOptions["observe"];
  /** What detects in place of the gateway's own, which it is given. */
  readonly detector?: (own: DetectorPort) => DetectorPort;
  /** Answers what the gateway asks of any host but the upstream. */
  readonly elsewhere?: (request: Request) => Response | Promise<Response>;
}

export interface Gateway {
  readonly tenant: string;
  readonly user: string;
  readonly policy: unknown;
  /** As the gateway asks other hosts: the scripted upstream, and elsewhere. */
  readonly asks: typeof fetch;
  /** Bodies that reached the upstream. */
  readonly sent: Record<string, unknown>[];
  readonly requests: Request[];
  fetch(path: string, init?: RequestInit & { json?: unknown; key?: string; origin?: string }): Promise<Response>;
  chat(body: Record<string, unknown>, headers?: Record<string, string>): Promise<Response>;
  /** Waits for work that no reply waits for. */
  settle(): Promise<void>;
  /** The rows of the audit trail, delivered first. */
  decisions(query?: string): Promise<Record<string, unknown>[]>;
  approvals(query?: string): Promise<Record<string, unknown>[]>;
  turns(query?: string): Promise<Record<string, unknown>[]>;
  runs(query?: string): Promise<Record<string, unknown>[]>;
  /** The object of the user `ada`, and what it answers. */
  readonly stub: DurableObjectStub<UserGuard>;
  readonly guard: UserGuardApis;
  readonly key: string;
  keyFor(user: string, role: string): Promise<string>;
  /** A key that may act on every tenant's operators' surfaces. */
  operatorKey(): Promise<string>;
}

let count = 0;

export async function gateway(options: GatewayOptions = {}): Promise<Gateway> {
  const tenant = `tenant-${++count}-${crypto.randomUUID().slice(0, 8)}`;
  const user = "ada";
  if (options.policy !== undefined) await putPolicy(env.KV, tenant, options.policy, Date.now());
  const keyFor = async (name: string, role: string, connections: readonly string[] = []): Promise<string> =>
    (await createKey(env.KV, { tenant, user: name, role, connections: [...connections] }, Date.now())).token;
  const key = await keyFor(user, options.role ?? "user", options.connections);
  const admin = await keyFor("operator", "admin");
  const sent: Record<string, unknown>[] = [];
  const requests: Request[] = [];
  const answers = typeof options.upstream === "function" ? [options.upstream] : (options.upstream ?? []);
  const fetcher = (async (input: RequestInfo, init?: RequestInit) => {
    const request = new Request(input, init);
    if (options.elsewhere && !request.url.startsWith("https://upstream.test/")) return options.elsewhere(request);
    const text = await request.clone().text();
    const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    const answer = answers[Math.min(sent.length, answers.length - 1)];
    sent.push(body);
    requests.push(request);
    if (!answer && request.method === "GET") return Response.json({ object: "list", data: [] });
    return answer
      ? answer(body, request)
      : Response.json({ error: { message: "the test has no upstream" } }, { status: 500 });
  }) as typeof fetch;
  const variables = typeof options.variables === "function" ? options.variables(tenant) : options.variables;
  const settings = {
    ...env,
    TOOL_DNS: "off",
    UPSTREAM_API_KEY: "sk-upstream",
    UPSTREAM_RETRIES: "0",
    ...variables,
  };
  const deps = createDeps(settings, {
    fetch: fetcher,
    pace: options.pace,
    now: options.now,
    observe: options.observe,
  });
  const app = createApp({ ...deps, detector: options.detector?.(deps.detector) ?? deps.detector });
  const stub = env.USER_GUARD.get(env.USER_GUARD.idFromName(lengthPrefixed(tenant, user)));
  const pending: ExecutionContext[] = [];

  const self: Gateway = {
    tenant,
    user,
    policy: options.policy,
    asks: fetcher,
    sent,
    requests,
    stub,
    guard: portsOf(stub),
    key,
    keyFor,
    async operatorKey() {
      const owner = { tenant: "operators", user: "op", role: "admin", connections: [], operator: true };
      return (await createKey(env.KV, owner, Date.now())).token;
    },
    async fetch(path, { json, key: other, origin = "https://gateway.test", ...init } = {}) {
      const headers = new Headers(init.headers);
      if (!headers.has("authorization")) headers.set("authorization", `Bearer ${other ?? key}`);
      const body = json === undefined ? init.body : JSON.stringify(json);
      if (json !== undefined) headers.set("content-type", "application/json");
      const ctx = createExecutionContext();
      pending.push(ctx);
      return app.fetch(
        new Request(`${origin}${path}`, {
          ...init,
          headers,
          body,
          method: init.method ?? (body == null ? "GET" : "POST"),
        }),
        settings,
        ctx,
      );
    },
    chat: (body, headers) => self.fetch("/v1/chat/completions", { json: { model: "test-model", ...body }, headers }),
    async settle() {
      for (const ctx of pending.splice(0)) await waitOnExecutionContext(ctx);
    },
    decisions: (query = "") => list(`/v1/audit/decisions?order=asc&limit=100${query}`),
    approvals: (query = "") => list(`/v1/audit/approvals?order=asc&limit=100${query}`),
    turns: (query = "") => list(`/v1/audit/turns?order=asc&limit=100${query}`),
    runs: (query = "") => list(`/v1/audit/runs?order=asc&limit=100${query}`),
  };

  async function list(path: string): Promise<Record<string, unknown>[]> {
    await self.settle();
    // Called, not rung: a delivery that is under way already would not be waited for.
    await runInDurableObject(stub, (instance) => instance.alarm());
    const response = await self.fetch(path, { key: admin });
    const { data } = (await response.json()) as { data: Record<string, unknown>[] };
    return data.sort((a, b) => Number(a.seq) - Number(b.seq));
  }
  return self;
}

export const tool = (
  name: string,
  parameters: unknown = { type: "object", properties: {} },
): Record<string, unknown> => ({
  type: "function",
  function: { name, description: `Does ${name}`, parameters },
});
