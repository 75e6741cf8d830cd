/**
 * The MCP servers of tenants, cached in the isolate. A cached ledger answer is fresh for a minute; after that, another isolate's
 * list or an operator's acceptance counts here. An old list is refreshed in the background of a turn. A turn waits a short time
 * for a list that is not known yet.
 */

import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { withTimeout } from "../../lib/deadline.ts";
import { describeError, log } from "../../lib/log.ts";
import { visibleTexts, withoutUnseen } from "../../lib/text/unseen-characters.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { discoveredTool, mcpToolName } from "../../policy/mcp-tools.ts";
import { matchesGlob } from "../../policy/selectors.ts";
import type { Principal } from "../../session/principal.ts";
import { NO_CATALOGUE } from "../managed-tools.ts";
import type { McpCatalogue, McpTool } from "../tool-runner.ts";
import { type KnownServer, type McpDefinition, stateOf } from "./known-server.ts";
import { listServer, type McpParts } from "./list-server.ts";

export interface CatalogueCache {
  catalogue(policy: CompiledPolicy, principal: Principal): Promise<McpCatalogue>;
  /** As the isolate or the ledger knows it; undefined if neither does. Never rejects. */
  serverOf(tenant: string, server: string): Promise<KnownServer | undefined>;
  /** Replaces the cached entry of the server. */
  remember(tenant: string, server: KnownServer): void;
  forget(tenant: string): void;
}

const FRESH_MS = 60_000;
/** How long a turn waits for lists that are not known yet. */
const FIRST_LIST_MS = 5_000;
/** How long until the next attempt, after a list that failed or is under way. */
const AGAIN_MS = 30_000;

interface TenantServers {
  readonly at: number;
  readonly servers: KnownServers;
  /** The offered tools depend only on this. */
  readonly fingerprint: string;
  /** One object for each policy: whatever is derived from a catalogue is cached by it. */
  readonly catalogues: WeakMap<CompiledPolicy, McpCatalogue>;
  /** When each list was last requested, by server and address. */
  readonly requestedAt: Map<string, number>;
}

export function catalogueCache(parts: McpParts): CatalogueCache {
  const tenants = boundedCache<TenantServers>({ maxBytes: CACHE_BYTES.mcpCatalogues });

  function store(tenant: string, servers: KnownServers, at: number): TenantServers {
    const before = tenants.get(tenant);
    const fingerprint = fingerprintOf(servers);
    const cached: TenantServers = {
      at,
      servers,
      fingerprint,
      catalogues: before?.fingerprint === fingerprint ? before.catalogues : new WeakMap(),
      requestedAt: before?.requestedAt ?? new Map(),
    };
    tenants.set(tenant, cached, bytesOf(servers));
    return cached;
  }

  /** Undefined if the ledger cannot be reached, and nothing was known before. */
  async function read(tenant: string): Promise<TenantServers | undefined> {
    try {
      const servers = await parts.pinsOf(tenant).servers();
      return store(tenant, new Map(servers.map((one) => [one.server, one])), parts.now());
    } catch (error) {
      log("error", "mcp_pins_unreachable", { tenant, ...describeError(error) });
      // A definition that was accepted a minute ago still counts.
      return tenants.get(tenant);
    }
  }

  function remember(tenant: string, server: KnownServer): void {
    const before = tenants.get(tenant);
    if (before) store(tenant, new Map(before.servers).set(server.server, server), before.at);
  }

  async function refreshList(
    policy: CompiledPolicy,
    principal: Principal,
    server: string,
    cached: TenantServers,
  ): Promise<void> {
    const settings = policy.mcpServers.get(server);
    if (!settings) return;
    const key = listKey(server, settings.url);
    cached.requestedAt.set(key, parts.now());
    const known = await listServer({ policy, server, settings, principal }, parts);
    // Another user may try at once.
    if (known === "not_linked") cached.requestedAt.delete(key);
    else if (known) remember(principal.tenant, known);
  }

  /** Servers whose list is not known, or is older than the policy allows. */
  function due(policy: CompiledPolicy, cached: TenantServers, which: "unknown" | "old"): readonly string[] {
    const now = parts.now();
    return [...policy.mcpServers].flatMap(([name, { url, refresh }]) => {
      const known = cached.servers.get(name);
      const listedAt = known?.url === url ? known.listedAt : null;
      const tried = Math.max(cached.requestedAt.get(listKey(name, url)) ?? 0, known?.url === url ? known.triedAt : 0);
      if (now - tried < (listedAt === null ? AGAIN_MS : Math.min(AGAIN_MS, refresh))) return [];
      const is = listedAt === null ? "unknown" : now - listedAt >= refresh ? "old" : undefined;
      return is === which ? name : [];
    });
  }

  async function load(policy: CompiledPolicy, principal: Principal): Promise<McpCatalogue> {
    const { tenant } = principal;
    const cached = freshEntry(tenants.get(tenant), parts.now()) ?? (await read(tenant));
    // Without pinned definitions nothing is offered.
    if (!cached) return NO_CATALOGUE;
    const unknown = due(policy, cached, "unknown");
    if (unknown.length > 0) {
      const refreshing = Promise.all(unknown.map((server) => refreshList(policy, principal, server, cached)));
      parts.background(refreshing);
      await withTimeout(FIRST_LIST_MS, refreshing).catch(() => undefined);
    }
    return offered(policy, principal, tenants.get(tenant) ?? cached);
  }

  function offered(policy: CompiledPolicy, principal: Principal, cached: TenantServers): McpCatalogue {
    for (const server of due(policy, cached, "old")) parts.background(refreshList(policy, principal, server, cached));
    const catalogue = cached.catalogues.get(policy) ?? catalogueOf(policy, cached.servers);
    cached.catalogues.set(policy, catalogue);
    return catalogue;
  }

  return {
    async catalogue(policy, principal) {
      const cached = freshEntry(tenants.get(principal.tenant), parts.now());
      const known = cached && due(policy, cached, "unknown").length === 0;
      return known ? offered(policy, principal, cached) : load(policy, principal);
    },
    async serverOf(tenant, server) {
      const cached = freshEntry(tenants.get(tenant), parts.now()) ?? (await read(tenant));
      return cached?.servers.get(server);
    },
    remember,
    forget: (tenant) => tenants.delete(tenant),
  };
}

const listKey = (server: string, url: string): string => `${server} ${url}`;

const freshEntry = (cached: TenantServers | undefined, now: number): TenantServers | undefined =>
  cached && now - cached.at < FRESH_MS ? cached : undefined;

const fingerprintOf = (servers: KnownServers): string =>
  JSON.stringify(
    [...servers.values()].map(({ server, url, tools, leftOut }) => [
      server,
      url,
      tools.map(({ tool, accepted, seen }) => [tool, accepted?.digest, seen?.digest]),
      leftOut.map(({ tool }) => tool),
    ]),
  );

/** Definitions are parsed, and kept once more as a policy's catalogue has them. */
const BYTES_PER_CHARACTER = 8;

function bytesOf(servers: KnownServers): number {
  let length = 0;
  for (const server of servers.values()) length += JSON.stringify(server).length;
  return BYTES_PER_CHARACTER * length;
}

type KnownServers = ReadonlyMap<string, KnownServer>;

/** In the policy's order. The accepted definition of a changed tool is remembered, so that the tool can be withheld with the reason. */
export function catalogueOf(policy: CompiledPolicy, known: KnownServers): McpCatalogue {
  return { tools: [...policy.mcpServers.keys()].flatMap((server) => toolsOf(policy, server, known.get(server))) };
}

function toolsOf(policy: CompiledPolicy, name: string, known: KnownServer | undefined): readonly McpTool[] {
  const settings = policy.mcpServers.get(name);
  if (settings === undefined || known?.url !== settings.url) return [];
  const globs = settings.tools.map((glob) => glob.split("*"));
  return known.tools.flatMap((one) => {
    const state = stateOf(known, one);
    if (one.accepted === null || (state !== "accepted" && state !== "changed")) return [];
    const isListed = globs.some((pieces) =>
      pieces.length === 1 ? pieces[0] === one.tool : matchesGlob(pieces, one.tool),
    );
    if (!isListed && !runs(policy, name, one.tool)) return [];
    const { definition } = one.accepted;
    return {
      name: mcpToolName(name, one.tool),
      server: name,
      tool: one.tool,
      ...offeredDefinition(definition),
      traits: discoveredTool(definition.annotations, name, settings),
      changed: state === "changed",
    };
  });
}

/** Whether a tool of the policy itself runs it, whatever else is offered. */
function runs(policy: CompiledPolicy, server: string, tool: string): boolean {
  for (const [name, { run }] of policy.tools)
    if (run?.kind === "mcp" && run.server === server && (run.tool ?? name) === tool) return true;
  return false;
}

interface OfferedDefinition {
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Only prose can hold invisible characters: a schema that has them elsewhere was left out (`read-definitions.ts`). */
function offeredDefinition({ description = "", inputSchema }: McpDefinition): OfferedDefinition {
  return { description: withoutUnseen(description), parameters: visibleTexts(inputSchema) };
}
