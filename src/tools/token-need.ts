/** Whose token the calls of a managed tool send, and to which host. Pure. */
import type { CompiledPolicy } from "../policy/compile.ts";
import { holdsToken } from "../policy/document/checks/references.ts";
import { mcpTarget } from "./managed-tools.ts";
import { placeOf } from "./place.ts";
import { systemOf } from "./system-arguments.ts";

export interface TokenNeed {
  readonly provider: string;
  readonly host: string;
}

/** Undefined where they send none, and where it cannot be told whose it would be. */
export function tokenNeed(policy: CompiledPolicy, tool: string): TokenNeed | undefined {
  if (!sendsToken(policy, tool)) return undefined;
  const { host, connections } = placeOf(policy, tool);
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
