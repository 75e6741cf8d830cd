/** A runner on scripted hosts: what was sent, and what was waited for. */
import { type CompiledPolicy, compilePolicy } from "../../src/policy/compile.ts";
import { policyDocument } from "../../src/policy/document/document-schema.ts";
import type { Principal } from "../../src/session/principal.ts";
import { boundSecret, readToolSecrets } from "../../src/settings/tool-secrets.ts";
import { runHttp } from "../../src/tools/http/http-executor.ts";
import type { Resolver } from "../../src/tools/reach/resolver.ts";
import type { RunOutcome } from "../../src/tools/run.ts";
import { type RunnerParts, toolRunner } from "../../src/tools/runner.ts";
import type { ToolRunner } from "../../src/tools/tool-runner.ts";

export interface WorldOptions extends Partial<Pick<RunnerParts, "mcp" | "builtin">> {
  readonly tools?: Record<string, unknown>;
  readonly policy?: Record<string, unknown>;
  readonly answer?: (request: Request, attempt: number) => Response | Promise<Response>;
  readonly resolver?: Resolver;
  readonly dev?: boolean;
  readonly secrets?: Parameters<typeof readToolSecrets>[0];
  /** By provider and host. */
  readonly tokens?: Readonly<Record<string, string>>;
}

export interface World {
  readonly runner: ToolRunner;
  readonly policy: CompiledPolicy;
  readonly sent: Request[];
  readonly waited: number[];
  call(
    tool: string,
    args?: Record<string, unknown>,
    more?: { principal?: Partial<Principal>; signal?: AbortSignal; deadline?: number },
  ): Promise<RunOutcome>;
}

export const ada: Principal = { tenant: "acme", user: "ada", role: "user", authenticated: true, connections: [] };

/** Read, not checked: what the checks of a document refuse must be refused by who runs it too. */
export function compiled(document: Record<string, unknown>): CompiledPolicy {
  const policy = compilePolicy(policyDocument().parse(document), "v1");
  if (!policy.ok) throw new Error(JSON.stringify(policy.error));
  return policy.value;
}

export function world(options: WorldOptions): World {
  const sent: Request[] = [];
  const waited: number[] = [];
  const policy = compiled({ ...options.policy, tools: options.tools ?? {} });
  const secrets = readToolSecrets(options.secrets ?? {});
  if (!secrets.ok) throw new Error(secrets.error.join());
  const fetcher = (async (input: RequestInfo, init?: RequestInit) => {
    const request = new Request(input, init);
    sent.push(request);
    const answer = await (options.answer ?? (() => Response.json({ ok: true })))(request, sent.length);
    return answer;
  }) as typeof fetch;
  const tokens = {
    connectionToken: async (_: Principal, provider: string, host: string) => options.tokens?.[`${provider} ${host}`],
  };
  const parts = {
    reach: { fetch: fetcher, resolver: options.resolver, dev: options.dev ?? false, now: () => Date.now() },
    secrets: {
      secret: (name: string, tenant: string, host: string) => boundSecret(secrets.value, name, tenant, host),
    },
    tokens,
    random: () => 0.5,
    wait: async (ms: number) => {
      waited.push(ms);
    },
  };
  const runner = toolRunner({
    tokens,
    now: () => Date.now(),
    mcp: options.mcp,
    builtin: options.builtin,
    http: (call, settings) => runHttp(parts, call, settings),
  });
  return {
    runner,
    policy,
    sent,
    waited,
    call: (tool, args = {}, { principal, signal = new AbortController().signal, deadline } = {}) =>
      runner.run({
        id: "dec_1",
        tool,
        arguments: args,
        principal: { ...ada, ...principal },
        session: "s1",
        policy,
        deadline: deadline ?? runner.entry(policy, tool, Date.now()).deadline,
        signal,
      }),
  };
}
