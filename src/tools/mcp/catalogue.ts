/**
 * What an isolate knows of its tenants' servers. It holds for a minute what the ledger said; what another isolate noted, or
 * an operator accepted, counts here after that. Lists that have become old are asked for behind the turn; where none is known,
 * the turn waits for it, but not long.
 */
import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { within } from "../../lib/deadline.ts";
import { describeError, log } from "../../lib/log.ts";
import { withoutUnseen } from "../../lib/text/visible-text.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { discoveredTool, mcpToolName } from "../../policy/mcp-tools.ts";
import { matchesGlob } from "../../policy/selectors.ts";
import type { Principal } from "../../session/principal.ts";
import type { McpCatalogue, McpTool } from "../tool-runner.ts";
import { type KnownServer, type McpDefinition, stateOf } from "./known-server.ts";
import { listServer, type McpParts } from "./list-server.ts";

export interface CatalogueCache {
  catalogue(policy: CompiledPolicy, principal: Principal): McpCatalogue | Promise<McpCatalogue>;
  /** As the isolate or the ledger knows it; undefined where neither does. Never rejects. */
  serverOf(tenant: string, server: string): Promise<KnownServer | undefined>;
  /** A list that was asked for, or an acceptance: takes the place of what was held. */
  remember(tenant: string, server: KnownServer): void;
  forget(tenant: string): void;
}

const HELD_MS = 60_000;
/** How long a turn waits for lists of which none is known yet. */
const FIRST_LIST_MS = 5_000;
/** After a list that failed, or that is under way. */
const AGAIN_MS = 30_000;

/** Where nothing is pinned, nothing is offered. */
const NOTHING: McpCatalogue = { tools: [] };

interface Held {
  readonly at: number;
  readonly servers: KnownServers;
  /** What all that is offered depends on. */
  readonly print: string;
  /** Made once a policy: what is made of a catalogue is kept with it. */
  readonly made: WeakMap<CompiledPolicy, McpCatalogue>;
  /** When a list was last asked for, by server and address. */
  readonly asked: Map<string, number>;
}

export function catalogueCache(parts: McpParts): CatalogueCache {
  const tenants = boundedCache<Held>({ maxBytes: CACHE_BYTES.mcpCatalogues });

  function hold(tenant: string, servers: KnownServers, at: number): Held {
    const before = tenants.get(tenant);
    const print = printOf(servers);
    const held: Held = {
      at,
      servers,
      print,
      made: before?.print === print ? before.made : new WeakMap(),
      asked: before?.asked ?? new Map(),
    };
    tenants.set(tenant, held, bytesOf(servers));
    return held;
  }

  /** Undefined where the ledger cannot be reached, and nothing was known before. */
  async function read(tenant: string): Promise<Held | undefined> {
    try {
      const servers = await parts.pinsOf(tenant).servers();
      return hold(tenant, new Map(servers.map((one) => [one.server, one])), parts.now());
    } catch (error) {
      log("error", "mcp_pins_unreachable", { tenant, ...describeError(error) });
      // What was accepted a minute ago is taken for accepted.
      return tenants.get(tenant);
    }
  }

  function told(tenant: string, server: KnownServer): void {
    const before = tenants.get(tenant);
    if (before) hold(tenant, new Map(before.servers).set(server.server, server), before.at);
  }

  async function ask(policy: CompiledPolicy, principal: Principal, server: string, held: Held): Promise<void> {
    const settings = policy.mcpServers[server];
    if (!settings) return;
    const place = placeOf(server, settings.url);
    held.asked.set(place, parts.now());
    const known = await listServer({ policy, server, settings, principal }, parts);
    // Another user may ask at once.
    if (known === "not_linked") held.asked.delete(place);
    else if (known) told(principal.tenant, known);
  }

  /** Those whose list is not known, or is older than the policy allows. */
  function due(policy: CompiledPolicy, held: Held, which: "unknown" | "old"): readonly string[] {
    const now = parts.now();
    return Object.entries(policy.mcpServers).flatMap(([name, { url, refresh }]) => {
      const known = held.servers.get(name);
      const listedAt = known?.url === url ? known.listedAt : null;
      const tried = Math.max(held.asked.get(placeOf(name, url)) ?? 0, known?.url === url ? known.triedAt : 0);
      if (now - tried < (listedAt === null ? AGAIN_MS : Math.min(AGAIN_MS, refresh))) return [];
      const is = listedAt === null ? "unknown" : now - listedAt >= refresh ? "old" : undefined;
      return is === which ? name : [];
    });
  }

  function made(policy: CompiledPolicy, held: Held): McpCatalogue {
    const known = held.made.get(policy) ?? catalogueOf(policy, held.servers);
    held.made.set(policy, known);
    return known;
  }

  async function load(policy: CompiledPolicy, principal: Principal): Promise<McpCatalogue> {
    const { tenant } = principal;
    const held = isFresh(tenants.get(tenant), parts.now()) ?? (await read(tenant));
    if (!held) return NOTHING;
    const unknown = due(policy, held, "unknown");
    if (unknown.length > 0) {
      const asking = Promise.all(unknown.map((server) => ask(policy, principal, server, held)));
      parts.background(asking);
      await within(FIRST_LIST_MS, asking).catch(() => undefined);
    }
    return offered(policy, principal, tenants.get(tenant) ?? held);
  }

  function offered(policy: CompiledPolicy, principal: Principal, held: Held): McpCatalogue {
    for (const server of due(policy, held, "old")) parts.background(ask(policy, principal, server, held));
    return made(policy, held);
  }

  return {
    catalogue(policy, principal) {
      const held = isFresh(tenants.get(principal.tenant), parts.now());
      const known = held && due(policy, held, "unknown").length === 0;
      return known ? offered(policy, principal, held) : load(policy, principal);
    },
    async serverOf(tenant, server) {
      const held = isFresh(tenants.get(tenant), parts.now()) ?? (await read(tenant));
      return held?.servers.get(server);
    },
    remember: told,
    forget: (tenant) => tenants.delete(tenant),
  };
}

const placeOf = (server: string, url: string): string => `${server} ${url}`;

const isFresh = (held: Held | undefined, now: number): Held | undefined =>
  held && now - held.at < HELD_MS ? held : undefined;

const printOf = (servers: KnownServers): string =>
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

/** In the policy's order. Of a changed tool the accepted definition is told, so that it can be withheld with the reason. */
export function catalogueOf(policy: CompiledPolicy, known: KnownServers): McpCatalogue {
  return { tools: Object.keys(policy.mcpServers).flatMap((server) => toolsOf(policy, server, known.get(server))) };
}

function toolsOf(policy: CompiledPolicy, name: string, known: KnownServer | undefined): readonly McpTool[] {
  const settings = policy.mcpServers[name];
  if (settings === undefined || known?.url !== settings.url) return [];
  const globs = settings.tools.map((glob) => glob.split("*"));
  return known.tools.flatMap((one) => {
    const state = stateOf(known, one);
    if (one.accepted === null || (state !== "accepted" && state !== "changed")) return [];
    const asked = globs.some((pieces) =>
      pieces.length === 1 ? pieces[0] === one.tool : matchesGlob(pieces, one.tool),
    );
    if (!asked && !runs(policy, name, one.tool)) return [];
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

/** Whether a tool of the policy's own runs it, whatever is offered besides. */
function runs(policy: CompiledPolicy, server: string, tool: string): boolean {
  for (const [name, { run }] of policy.tools)
    if (run?.kind === "mcp" && run.server === server && (run.tool ?? name) === tool) return true;
  return false;
}

interface OfferedDefinition {
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

function offeredDefinition({ description = "", inputSchema }: McpDefinition): OfferedDefinition {
  return { description: withoutUnseen(description), parameters: cleaned(inputSchema) as Record<string, unknown> };
}

/** Only prose can hold them: a schema that has them elsewhere was left out (`read-definitions.ts`). */
function cleaned(value: unknown): unknown {
  if (typeof value === "string") return withoutUnseen(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cleaned(part)]));
}
