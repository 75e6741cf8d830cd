/** What a managed tool sends to prove for whom it acts: the gateway's secrets and the user's connection tokens. */
import { err, ok, type Result } from "../lib/result.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import { holdsToken } from "../policy/document/request-template.ts";
import type { Principal } from "../session/principal.ts";
import { callTargetOf } from "./call-target.ts";
import { type ExecutionResult, notStarted } from "./execution-result.ts";
import { mcpTarget } from "./managed-tools.ts";
import { systemOf } from "./system-arguments.ts";

export interface TokenRequest {
  readonly principal: Principal;
  /** Providers that the tool needs. */
  readonly connections: readonly string[];
  /** Where it would go. */
  readonly host: string | undefined;
}

export async function linkedToken(
  tokens: TokenPort,
  { principal, connections, host }: TokenRequest,
): Promise<Result<string, ExecutionResult>> {
  const [provider, another] = connections;
  if (provider === undefined) return missing("the tool names no `connection` whose token it could send");
  if (another !== undefined) return missing("the tool has several connections: which token is meant is not known");
  if (host === undefined) return missing("there is no host that a token could go to");
  let token: string | undefined;
  try {
    token = await tokens.connectionToken(principal, provider, host);
  } catch {
    return err(notStarted("unavailable", "what the user has linked cannot be looked up at present"));
  }
  return token === undefined
    ? missing(`the user has linked no \`${provider}\` whose token may go to ${host}`)
    : ok(token);
}

const missing = (detail: string) => err(notStarted("connection_missing", detail));

export interface TokenNeed {
  readonly provider: string;
  readonly host: string;
}

/** Undefined where they send none, and where it cannot be told whose it would be. */
export function tokenNeed(policy: CompiledPolicy, tool: string): TokenNeed | undefined {
  if (!sendsToken(policy, tool)) return undefined;
  const { host, connections } = callTargetOf(policy, tool);
  const [provider] = connections;
  return provider === undefined || host === undefined ? undefined : { provider, host };
}

function sendsToken(policy: CompiledPolicy, tool: string): boolean {
  if (Object.values(systemOf(policy, tool)).includes("connection.token")) return true;
  const run = policy.tools.get(tool)?.run;
  if (run && run.kind !== "mcp") return holdsToken(run.headers);
  const server = mcpTarget(policy, tool)?.server ?? "";
  const settings = Object.hasOwn(policy.mcpServers, server) ? policy.mcpServers[server] : undefined;
  return settings !== undefined && holdsToken(settings.headers);
}

export interface TokenPort {
  /**
   * The user's own, in clear: it goes into a request to that host and nowhere else.
   * @returns undefined where there is none, it has expired, it cannot be unsealed, or it may not go to that host.
   */
  connectionToken(principal: Principal, provider: string, host: string): Promise<string | undefined>;
}

/** The port to the secrets of the gateway's settings. */
export interface SecretPort {
  /** @returns undefined where the settings do not bind it to this tenant and host. @param host as URLs have it. */
  secret(name: string, tenant: string, host: string): string | undefined;
}
