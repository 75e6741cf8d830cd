/** What runs managed tools, picked for `deps.ts`. What only a run takes is loaded at the first one. */
import { boundSecret, type ToolSecrets } from "./settings/tool-secrets.ts";
import type { ReachParts } from "./tools/reach/guarded-fetch.ts";
import { httpsResolver, type Resolver } from "./tools/reach/resolver.ts";
import { toolRunner } from "./tools/runner.ts";
import type { SecretPort } from "./tools/secret-port.ts";
import type { TokenPort } from "./tools/token-port.ts";
import type { ToolRunner } from "./tools/tool-runner.ts";

export interface ToolParts {
  readonly secrets: ToolSecrets;
  /** URL; undefined where names are not resolved before. */
  readonly resolver: string | undefined;
  readonly tokens: TokenPort;
  readonly fetch: typeof fetch;
  readonly dev: boolean;
  readonly now: () => number;
}

/** What every executor reaches other servers by. */
export interface ToolPorts {
  readonly reach: ReachParts;
  readonly secrets: SecretPort;
  readonly tokens: TokenPort;
}

export function toolsOf({ secrets, resolver: url, tokens, fetch: fetcher, dev, now }: ToolParts): ToolRunner {
  const resolver: Resolver | undefined = url === undefined ? undefined : httpsResolver(url, fetcher);
  const ports: ToolPorts = {
    reach: { fetch: fetcher, resolver, dev, now },
    secrets: { secret: (name, tenant, host) => boundSecret(secrets, name, tenant, host) },
    tokens,
  };
  return toolRunner({
    tokens,
    now,
    http: async () => {
      const { runHttp } = await import("./tools/http/http-executor.ts");
      return (call, settings) => runHttp({ ...ports, random: Math.random, wait: waitFor }, call, settings);
    },
  });
}

/** Or until the signal fires. */
const waitFor = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });
