/** The host that the calls of a managed tool go to. Pure. */
import { hostOf } from "../lib/host.ts";
import type { SystemValue } from "../policy/arguments/system-arguments.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import { traitsOf } from "../policy/traits.ts";
import { mcpTarget } from "./managed-tools.ts";
import type { SystemFacts } from "./tool-runner.ts";

interface CallTarget {
  readonly kind: "http" | "mcp" | "builtin";
  /** As `RunEntry` has it. */
  readonly target: string;
  /** The host that a token would go to; undefined for tools that run here, and if the URL names no host. */
  readonly host: string | undefined;
  /** Providers that the user must have linked. */
  readonly connections: readonly string[];
  /** Milliseconds. */
  readonly timeout: number;
}

/** Timeout of a call without a target, which ends at once. */
const NOWHERE_MS = 1_000;

/** No client waits longer for a turn, and a timer of weeks would fire at once. */
const LONGEST_MS = 600_000;

export function callTargetOf(policy: CompiledPolicy, tool: string): CallTarget {
  const place = findTarget(policy, tool);
  return { ...place, timeout: Math.min(place.timeout, LONGEST_MS) };
}

function findTarget(policy: CompiledPolicy, tool: string): CallTarget {
  const run = policy.tools.get(tool)?.run;
  const { connections } = traitsOf(policy, tool);
  if (run?.kind === "http") {
    const host = hostOf(run.url);
    return { kind: "http", target: host ?? "", host, connections, timeout: run.timeout };
  }
  if (run?.kind === "builtin") {
    const host = run.url === undefined ? undefined : hostOf(run.url);
    return { kind: "builtin", target: host ?? "toolgate", host, connections, timeout: run.timeout };
  }
  const server = mcpTarget(policy, tool)?.server ?? "";
  const settings = policy.mcpServers.get(server);
  return {
    kind: "mcp",
    target: server,
    host: settings && hostOf(settings.url),
    // The server's own connection; a tool of the server may need further ones.
    connections: settings?.connection === undefined ? connections : [settings.connection],
    timeout: settings?.timeout ?? NOWHERE_MS,
  };
}

/** Replaces a token in records and digests. */
const HIDDEN_TOKEN = "[connection token]";

/** @param token absent: for records and digests. */
export function systemArgumentsOf(
  system: Readonly<Record<string, SystemValue>>,
  facts: SystemFacts,
  token: string = HIDDEN_TOKEN,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(system).map(([name, value]) => [name, filledIn(value, facts, token)]));
}

function filledIn(value: SystemValue, { principal, session }: SystemFacts, token: string): string {
  switch (value) {
    case "user.id":
      return principal.user;
    case "user.tenant":
      return principal.tenant;
    case "user.role":
      return principal.role;
    case "session.id":
      return session;
    case "connection.token":
      return token;
  }
}
