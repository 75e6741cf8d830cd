/**
 * The hosts that the gateway would send to, and what: which tools and servers reach each, with which secrets and tokens. A
 * host that is new, or gets a secret that it did not get, is what whoever replaces a policy must see first. Pure.
 */
import { hostOf } from "../../lib/host.ts";
import { systemOf } from "../arguments/system-arguments.ts";
import type { CheckedPolicy } from "../check.ts";
import { holdsToken, secretsIn } from "../document/checks/references.ts";
import { traitsOf } from "../traits.ts";
import { byCodeUnit } from "./json-fields.ts";

export interface HostChange {
  readonly host: string;
  readonly change: "added" | "removed" | "widened" | "narrowed" | "changed";
  /** `secret CRM_TOKEN`, `token of google`, `tool find_lead`, `server crm`. */
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

export interface HostChanges {
  readonly changes: readonly HostChange[];
  /** Whether there were more than are told. */
  readonly cut: boolean;
}

const MAX_HOSTS = 200;
/** Of one host. */
const MAX_TOLD = 100;

export function compareHosts(before: CheckedPolicy, after: CheckedPolicy): HostChanges {
  const [were, are] = [reachedBy(before), reachedBy(after)];
  const hosts = [...new Set([...were.keys(), ...are.keys()])].sort(byCodeUnit);
  const changes = hosts.flatMap((host): HostChange[] => {
    const [was, is] = [were.get(host), are.get(host)];
    const gained = without(is, was);
    const lost = without(was, is);
    if (gained.length === 0 && lost.length === 0) return [];
    const direction = lost.length === 0 ? "widened" : gained.length === 0 ? "narrowed" : "changed";
    return [{ host, change: !was ? "added" : !is ? "removed" : direction, gained, lost }];
  });
  const told = changes.slice(0, MAX_HOSTS).map(({ gained, lost, ...change }) => ({
    ...change,
    gained: gained.slice(0, MAX_TOLD),
    lost: lost.slice(0, MAX_TOLD),
  }));
  const cut = changes.some(({ gained, lost }) => Math.max(gained.length, lost.length) > MAX_TOLD);
  return { changes: told, cut: cut || changes.length > MAX_HOSTS };
}

/** What begins with `tool` comes last: of very many it is what is left out. */
const without = (some: ReadonlySet<string> = new Set(), others: ReadonlySet<string> = new Set()): string[] =>
  [...some].filter((one) => !others.has(one)).sort(byCodeUnit);

type Reached = ReadonlyMap<string, ReadonlySet<string>>;

/** By host, what is sent there and by whom, as `HostChange` tells it. */
export function reachedBy({ document, policy }: Pick<CheckedPolicy, "document" | "policy">): Reached {
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
      // The server's token is the server's.
      if (server && asArgument) add(server.url, ...tokens(...(server.connection ? [server.connection] : connections)));
    } else if (run.url !== undefined) {
      const sends = asArgument || holdsToken(run.headers) ? tokens(...connections) : [];
      add(run.url, `tool ${name}`, ...secrets(run.headers), ...sends);
    }
  }
  return reached;
}

type Headers = Readonly<Record<string, string>>;

const secrets = (headers: Headers): readonly string[] => secretsIn(headers).map((secret) => `secret ${secret}`);

const tokens = (...providers: readonly (string | undefined)[]): readonly string[] =>
  providers.flatMap((provider) => (provider === undefined ? [] : [`token of ${provider}`]));
