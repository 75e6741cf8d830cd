/**
 * Compares the hosts that the gateway would send to: which tools and servers reach each, with which secrets and tokens. Pure.
 * An author who replaces a policy must see every host that is new or gets another secret.
 */
import { hostOf } from "../../lib/host.ts";
import { systemOf } from "../arguments/system-arguments.ts";
import type { CheckedPolicy } from "../check.ts";
import { holdsToken, secretsIn } from "../document/request-template.ts";
import { traitsOf } from "../traits.ts";
import { type Change, changeOf, gainsAndLosses, type Limits, unionOf } from "./differences.ts";

export interface HostChange {
  readonly host: string;
  readonly change: Change;
  /** `secret CRM_TOKEN`, `token of google`, `tool find_lead`, `server crm`. */
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

const MAX_HOSTS = 200;
/** For one host. Names that begin with `tool` are last, and are cut first. */
const MAX_NAMES = 100;

export function compareHosts(before: CheckedPolicy, after: CheckedPolicy, limits: Limits): readonly HostChange[] {
  const [beforeHosts, afterHosts] = [reachedBy(before), reachedBy(after)];
  const hosts = unionOf(beforeHosts.keys(), afterHosts.keys());
  const changes = hosts.flatMap((host): HostChange[] => {
    const [was, is] = [beforeHosts.get(host), afterHosts.get(host)];
    const moved = gainsAndLosses(was, is);
    if (moved.gained.length + moved.lost.length === 0) return [];
    const [gained, lost] = [limits.first(moved.gained, MAX_NAMES), limits.first(moved.lost, MAX_NAMES)];
    return [{ host, change: changeOf(was, is, moved), gained, lost }];
  });
  return limits.first(changes, MAX_HOSTS);
}

/** The secrets and tokens that each host gets, and the tools and servers that send them. */
export function reachedBy({
  document,
  policy,
}: Pick<CheckedPolicy, "document" | "policy">): ReadonlyMap<string, ReadonlySet<string>> {
  const reached = new Map<string, Set<string>>();
  const add = (url: string, ...what: readonly string[]): void => {
    const host = hostOf(url);
    if (host === undefined) return;
    const known = reached.get(host) ?? new Set();
    reached.set(host, known);
    for (const one of what) known.add(one);
  };
  for (const [name, { url, headers, connection }] of Object.entries(document.mcpServers))
    add(url, `server ${name}`, ...secrets(headers), ...(holdsToken(headers) ? tokens(connection) : []));
  for (const [name, settings] of policy.tools) {
    const { run } = settings;
    if (!run) continue;
    const asArgument = Object.values(systemOf(settings)).includes("connection.token");
    const { connections } = traitsOf(policy, name);
    if (run.kind === "mcp") {
      const server = Object.hasOwn(document.mcpServers, run.server) ? document.mcpServers[run.server] : undefined;
      // A server's own connection goes before the tool's.
      if (server && asArgument) add(server.url, ...tokens(...(server.connection ? [server.connection] : connections)));
    } else if (run.url !== undefined) {
      const sends = asArgument || holdsToken(run.headers) ? tokens(...connections) : [];
      add(run.url, `tool ${name}`, ...secrets(run.headers), ...sends);
    }
  }
  return reached;
}

const secrets = (headers: Readonly<Record<string, string>>): readonly string[] =>
  secretsIn(headers).map((secret) => `secret ${secret}`);

const tokens = (...providers: readonly (string | undefined)[]): readonly string[] =>
  providers.flatMap((provider) => (provider === undefined ? [] : [`token of ${provider}`]));
