/** Lists the managed tools of a policy, once for a compiled policy and a catalogue of MCP tools. Pure. */
import { NO_MEMBERS } from "../lib/json/json-schema.ts";
import { systemOf, withoutMembers } from "../policy/arguments/system-arguments.ts";
import type { CompiledPolicy, DiscoveredTool } from "../policy/compile.ts";
import type { ToolSettings } from "../policy/document/document-parts.ts";
import type { ToolDefinition } from "../policy/facts.ts";
import { traitsOf } from "../policy/traits.ts";
import { relayedReads } from "./mcp/relayed-reads.ts";
import type { BuiltinName, BuiltinPort, ManagedTools, McpCatalogue, McpTarget, McpTool } from "./tool-runner.ts";

type Targets = ReadonlyMap<string, McpTarget>;

/** By `discovered` of the policy that judges the turn: copies of that policy share it. */
const targetsOf = new WeakMap<NonNullable<CompiledPolicy["discovered"]>, Targets>();

/** The server and tool that a call of an MCP tool goes to; undefined for any other. */
export function mcpTarget(policy: CompiledPolicy, tool: string): McpTarget | undefined {
  const run = policy.tools.get(tool)?.run;
  if (run) return run.kind === "mcp" ? { server: run.server, tool: run.tool ?? tool } : undefined;
  return policy.discovered && targetsOf.get(policy.discovered)?.get(tool);
}

/** For a policy without MCP servers. */
export const NO_CATALOGUE: McpCatalogue = { tools: [] };

/** Not only to save work: the traits of tools are cached by the policy object, so the same object must be returned each time. */
const made = new WeakMap<CompiledPolicy, WeakMap<McpCatalogue, ManagedTools>>();

export function managedTools(
  policy: CompiledPolicy,
  catalogue: McpCatalogue,
  builtin: BuiltinPort | undefined,
): ManagedTools {
  const ofPolicy = made.get(policy) ?? new WeakMap<McpCatalogue, ManagedTools>();
  made.set(policy, ofPolicy);
  const known = ofPolicy.get(catalogue) ?? make(policy, catalogue, builtin);
  ofPolicy.set(catalogue, known);
  return known;
}

function make(policy: CompiledPolicy, catalogue: McpCatalogue, builtin: BuiltinPort | undefined): ManagedTools {
  const definitions: ToolDefinition[] = [];
  const targets = new Map<string, McpTarget>();
  const changed = new Set<string>();
  const run = new Set<McpTool>();
  const discovered = new Map<string, DiscoveredTool>();
  for (const [name, settings] of policy.tools) {
    if (settings.run?.kind === "mcp") {
      const { server, tool = name } = settings.run;
      const found = catalogue.tools.find((one) => one.server === server && one.tool === tool);
      // Not offered if its server does not have it, nor under its other name.
      if (!found) continue;
      run.add(found);
      discovered.set(name, found.traits);
      if (found.changed) changed.add(name);
      definitions.push(defined(policy, name, settings, found));
    } else if (settings.run?.kind === "builtin") {
      if (!builtin) continue;
      definitions.push(defined(policy, name, settings, builtin.definition(settings.run.tool ?? (name as BuiltinName))));
    } else if (settings.run) definitions.push(defined(policy, name, settings));
  }
  const names = new Set(definitions.map(({ name }) => name));
  for (const found of catalogue.tools) {
    if (run.has(found) || names.has(found.name) || policy.tools.get(found.name)?.run) continue;
    names.add(found.name);
    targets.set(found.name, { server: found.server, tool: found.tool });
    // Also for a listed tool: used if its settings do not classify it.
    discovered.set(found.name, found.traits);
    if (found.changed) changed.add(found.name);
    definitions.push(defined(policy, found.name, policy.tools.get(found.name), found));
  }
  // A new object: tenants that share a policy need not have the same tools of servers.
  const judging = discovered.size === 0 ? policy : { ...policy, discovered };
  if (targets.size > 0) targetsOf.set(discovered, targets);
  return { policy: judging, definitions, names, changed };
}

/** As `made`. */
const relaying = new WeakMap<ManagedTools, ManagedTools>();

/** Adds what clients of `/mcp` may also read of servers: each kind is a tool of its own, so that every rule applies to it. */
export function withRelayed(managed: ManagedTools): ManagedTools {
  const known = relaying.get(managed) ?? addRelayed(managed);
  relaying.set(managed, known);
  return known;
}

function addRelayed(managed: ManagedTools): ManagedTools {
  const { policy, names } = managed;
  const relayed = relayedReads(policy).filter(({ definition }) => !names.has(definition.name));
  if (relayed.length === 0) return managed;
  const discovered = new Map(policy.discovered);
  const targets = new Map(policy.discovered && targetsOf.get(policy.discovered));
  for (const { definition, target, traits } of relayed) {
    discovered.set(definition.name, traits);
    targets.set(definition.name, target);
  }
  targetsOf.set(discovered, targets);
  const definitions = relayed.map(({ definition }) => definition);
  return {
    ...managed,
    policy: { ...policy, discovered },
    definitions: [...managed.definitions, ...definitions],
    names: new Set([...names, ...definitions.map(({ name }) => name)]),
  };
}

function defined(
  policy: CompiledPolicy,
  name: string,
  settings: ToolSettings | undefined,
  own?: Pick<McpTool, "description" | "parameters">,
): ToolDefinition {
  const description = settings?.description ?? own?.description;
  // The very object that the rules have: a schema of the policy itself need not be compared. A tool without a schema gets no
  // arguments: an unchecked argument must not reach its host.
  const parameters =
    traitsOf(policy, name).parameters ??
    withoutMembers(own?.parameters ?? NO_MEMBERS, Object.keys(systemOf(policy.tools.get(name))));
  const definition = description === undefined ? { name, parameters } : { name, description, parameters };
  return { ...definition, wire: { type: "function", function: definition } };
}
