/** What is offered of a tenant's servers under a policy. Pure. */

import { withoutUnseen } from "../../lib/text/visible-text.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { discoveredTool, mcpToolName } from "../../policy/mcp-tools.ts";
import { matchesGlob } from "../../policy/selectors.ts";
import type { McpCatalogue, McpTool } from "../mcp-port.ts";
import { type KnownServer, type McpDefinition, stateOf } from "./known-server.ts";

export type KnownServers = ReadonlyMap<string, KnownServer>;

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

export function offeredDefinition({ description = "", inputSchema }: McpDefinition): OfferedDefinition {
  return { description: withoutUnseen(description), parameters: cleaned(inputSchema) as Record<string, unknown> };
}

/** Only prose can hold them: a schema that has them elsewhere was left out (`read-definitions.ts`). */
function cleaned(value: unknown): unknown {
  if (typeof value === "string") return withoutUnseen(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cleaned(part)]));
}
