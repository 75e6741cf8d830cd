/** The runner of managed tools and its parts, made for `create-deps.ts` and for the packages. */
import { connectionTokens } from "./auth/connection-tokens.ts";
import { wait } from "./lib/deadline.ts";
import type { KeyRing } from "./lib/key-ring.ts";
import type { UserGuardPort } from "./ports/guard-port.ts";
import type { Owner } from "./session/principal.ts";
import type { SettingVariables } from "./settings/settings-table.ts";
import { boundSecret, NO_SECRETS, readConnectionKey, readToolDns, readToolSecrets } from "./settings/tool-secrets.ts";
import { d1Bibliography } from "./stores/tools/d1-bibliography.ts";
import { d1Notes } from "./stores/tools/d1-notes.ts";
import type { BibliographyPort } from "./tools/builtin/bibliography.ts";
import { builtinTools } from "./tools/builtin/builtin-tools.ts";
import type { SecretPort, TokenPort } from "./tools/credentials.ts";
import { runHttp } from "./tools/http/http-executor.ts";
import type { McpPinsPort } from "./tools/mcp/known-server.ts";
import { type McpTools, mcpTools } from "./tools/mcp/mcp-tools.ts";
import type { ReachParts } from "./tools/reach/guarded-fetch.ts";
import { httpsResolver } from "./tools/reach/resolver.ts";
import { type RunnerParts, toolRunner } from "./tools/runner.ts";
import type { ToolRunner } from "./tools/tool-runner.ts";

export interface ToolVariables extends SettingVariables {
  /** The built-in tools' storage; without it, those that store something are unavailable. */
  readonly TOOLS_DB?: D1Database;
}

interface ToolParts {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly guardOf: (owner: Owner) => Pick<UserGuardPort, "connections">;
  readonly pinsOf: (tenant: string) => McpPinsPort;
  /** Continues work that no answer waits for. */
  readonly background: (work: Promise<unknown>) => void;
}

export interface ToolDeps {
  readonly tools: ToolRunner;
  readonly mcp: McpTools;
  /** Secrets that the settings bind, for tools to send. */
  readonly secrets: SecretPort;
  /** Seal the tokens of connections. Undefined if no key is set: then no token can be kept. */
  readonly connectionKeys: KeyRing | undefined;
  /** Undefined if the built-in tools have no database. */
  readonly bibliography: BibliographyPort | undefined;
}

/** How every executor reaches other servers. */
interface ToolPorts {
  readonly reach: ReachParts;
  readonly secrets: SecretPort;
  readonly tokens: TokenPort;
}

/** @returns also what is wrong with the settings: then nothing may be served. */
export function toolsOf(
  variables: ToolVariables,
  { fetch: fetcher, now, guardOf, pinsOf, background }: ToolParts,
): { readonly deps: ToolDeps; readonly problems: readonly string[] } {
  const secrets = readToolSecrets(variables);
  const dns = readToolDns(variables);
  const keys = readConnectionKey(variables);
  const bound = secrets.ok ? secrets.value : NO_SECRETS;
  const resolver = dns.ok && dns.value !== undefined ? httpsResolver(dns.value, fetcher) : undefined;
  const connectionKeys = keys.ok ? keys.value : undefined;
  const db = variables.TOOLS_DB;
  const bibliography = db && d1Bibliography(db, now);
  const ports: ToolPorts = {
    reach: { fetch: fetcher, resolver, dev: variables.TOOLGATE_DEV === "1", now },
    secrets: { secret: (name, tenant, host) => boundSecret(bound, name, tenant, host) },
    tokens: connectionTokens(connectionKeys, guardOf),
  };
  const mcp = mcpTools({ ...ports, pinsOf, background, now });
  const http: RunnerParts["http"] = (call, settings) =>
    runHttp({ ...ports, random: Math.random, wait }, call, settings);
  const builtin = builtinTools({
    notes: db && d1Notes(db, now),
    bibliography,
    annotate: { send: http, now },
  });
  const tools = toolRunner({ tokens: ports.tokens, now, mcp, http, builtin });
  const problems = [secrets, dns, keys].flatMap((read) => (read.ok ? [] : read.error));
  return { deps: { tools, mcp, secrets: ports.secrets, connectionKeys, bibliography }, problems };
}
